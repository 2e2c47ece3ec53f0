import type { Address } from '../../src/hex.js'

/**
 * Why the analysis and the labels of others differ, by contract; written by a person who has read
 * the code. A contract with several labels has one reason for all.
 */
export const disagreements: Readonly<Record<Address, string>> = {
  // Ordinary contracts with a HIGH flag.
  '0x1b4fd5e581b068e8aaeba03d855786236cfbed54':
    'True: `0x6161eb18(address,uint256)` was meant to be internal, and credits any account without a guard.',
  '0x3f01fa3ebaf10b496630808d4fa87f82ba40b926': 'Open: a way through `transferFrom` that reads no allowance.',
  '0x4954db6391f4feb5468b6b943d4935353596aec9':
    'True: `0x16d8039c(owner,spender,amount)` lets a listed account write the allowance of any holder.',
  '0x6faa826af0568d1866fca570da79b318ef114dab':
    'Open: conditions that were joined in one value; a launch whose switch is part of it.',
  '0x7c5a0ce9267ed19b22f8cae653f198e3e8daf098':
    'True: the owner credits any account without an event and without raising the supply.',
  '0xea26c4ac16d4a5a106820bc8aee85fd0b7b2b664':
    'True: `0x1f35bc40` credits without an event and without raising the supply.',
  '0xf70a642bd387f94380ffb90451c2c81d4eb82cbc':
    'True: listed accounts credit without an event and without raising the supply.',
  // Patterns that were not found.
  '0x0371afbe3f2f470949ea65e09e3332810dfc7902':
    'Found as `altered-approve`: what all but one account approve is stored as zero. Balances change by transfers alone.',
  '0x15c5339954a1016c77732ea626cc714b0d37dd6a':
    'No fee in the code: balances are kept in shares, and any account may rebase them.',
  '0x1ee508008b30248ac6b077df6904cfca4c63785b':
    'Found as `altered-transfer`: a listed sender loses the whole supply. No function issues tokens.',
  '0x24dcc881e7dd730546834452f21872d5cb4b5293': 'Open.',
  '0x26a1c3449a43c13f72452247996f904707d5e91d':
    'No such code: the owner sends tokens of his own by `0xe53c4548(address,uint256)`.',
  '0x2a763105e8abf596f9fb1a3fd07e776a26720b08':
    'Found as `transfer-limit`: a least amount for each account, which the owner sets. Balances are left alone.',
  '0x2fe06398bedbad27cbfcbb399eb616629540eb4d':
    'No limit in the code. The tokens that the owner credits himself are found.',
  '0x454876d97098528d83e661ed3ddf19b10e397352':
    'Its limit, fee and switch are found. No function changes a balance but transfers.',
  '0x48a0b5f2d0f36598f470334f4fe21900bf2bf71b':
    'Found as `environment-transfer`: trades with the pair are shut from a date on. No list refuses an account.',
  '0x5dbb9f64cd96e2dbbca58d14863d615b67b42f2e': 'Open: its fees, at most 100, and its external calls are found.',
  '0x9d8aac497a4b8fe697dd63101d793f0c6a6eebb6':
    'No limit in the code: balances are kept in shares. Its lists are found.',
  '0xa73835d6337719f316ad66f3c11ac6cc9bcf7b07':
    'No restriction in the code: `transfer` asks for the balance alone. Purchases from the contract itself are limited.',
  '0xc59d46ce32d8652536b5ae96ded0242e04923fd6': 'Its fees are constants: nothing can modify them.',
  '0xc631a358c9ef5da18144a185b7122735d4c04be9':
    'Open: a number that is set for an account (`0x4[]`) decides whether another amount is sent; nothing is refused.',
  '0xc89b4a8a121dd3e726fe7515e703936cf83e3350':
    'No restriction in the code: `transfer` asks for the balance alone. What is issued is found.',
  '0xe83e098eedb43b33d340d4757529e5a2c4ee3230':
    'No limit in the code. Its switch, by which nothing can be sent, is found.',
}
