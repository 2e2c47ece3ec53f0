import type { Address } from '../../src/hex.js'

/**
 * Why the sweep and the reviewers differ, by contract; written by a person who has read the code.
 */
export const disagreements: Readonly<Record<Address, string>> = {
  '0x0566c17dc2a9efcaa2f63e04cf06a69e8fc77f60':
    'The owner issues any amount with one call, as was proven. Reviewers count that as `mint`, which they were not asked about here; no function takes tokens that others have.',
  '0x1694ee5ef3d9f172e440004dda88bb60441ce6c5':
    'The same by an airdrop: `0x174fa48e(uint256,address[])` credits every receiver and debits no account. An issue, and no leak of what others have.',
  '0x2b0e91a530bac5e0563a7f8d40ea7fb34cfadc3f':
    '`0xc7153816(uint256)` holds a lock against reentrancy while it runs, and transfers ask for it. Its calls were refused here, as the account that it burns from has nothing; setting the lock alone shows a stop that no sale meets.',
  '0x666c549f5a01167f1aa19bb68be552441f520895':
    'What looks like moving balances of others (`0x0426dcef`, `0x1641bced`, `0xb241a020`) hands out tokens of the caller, free or locked; `0x7261ffad` only unlocks. Called by hand as the owner: a buyer kept everything and could sell it.',
  '0x1bf63aca0124c9617d99c13ec3c279ff3e76f467':
    '`0xeb502d45(from,to,value,fee,v,r,s)` moves tokens by a signature of their holder, and the sweep forges no signatures. The pause that it proves stops all trade alike.',
  '0x21c482f153d0317fe85c60be1f7fa079019fcebd':
    '`0xbec3fa17(address,uint256)` sends tokens of the owner: called by hand, his balance fell by what the receiver got, and more than he has is refused. Nothing issues any.',
  '0x52ff8b15ef6b38cf0554ba9207d70d0d2437c56a':
    'No condition stands in the way of a transfer; dates decide only who may pay into its sale and who gets the coins back.',
  '0x7dd2f15b4a8c8e14da5eaa7b635221d4b39c41cc':
    'All tokens come from `0xcd6dc687(address,uint256)`, which the owner has to call before there is anything to trade; called again afterwards it issued none.',
  '0x9157c8359a1e349e599665bf83e22d32c69b9daf':
    'Tokens can be moved only after `finishMinting()`, and nothing can be issued after it. Reviewers looked at the code before that call.',
  '0xee7596c357c50f3677b794a5223db265394fb2e4':
    'Transfers are shut until `unlock()`, which also renounces ownership: trading cannot be stopped any more. Reviewers looked at the code before that call.',
}

/** Why a contract cannot be traded on the devnet, where the tools' own words do not say it. */
export const obstacles: Readonly<Record<Address, string>> = {
  '0x16ea4e590b3e8446266b24ad3d3caae2533d78f1':
    'only its admin can move tokens: a pool can be opened for it, and no stranger can buy',
  '0x6e35563be1e059f95bcfb5e1d6d854602a7fa3e1':
    'its transfers answer `false` also when they move tokens, so that the router of an exchange refuses it',
  '0xa1b756be589441519b1a08e16bc4f60ab177d916':
    'each transfer asks a list in another contract that is not among the data, and nothing can be issued without it',
  '0xeca2967b2a2cc584495b2226372bc0dde481f857':
    'its tokens come from proof of work alone, at a difficulty that cannot be met here',
}

/** What a person found who looked at an ordinary token that comes out worse than `Medium Risk`. */
interface Excuse {
  /** The token is as bad as the sweep says, whatever collection it stands in. */
  isRight: boolean
  why: string
}

export const worseThanMedium: Readonly<Record<Address, Excuse>> = {
  '0xfd7cb51943844c80bd68d0070c03cf8a20da6fdb': {
    isRight: true,
    why: 'Its constructor has the name of another contract, `SimpleToken()`, and so became a function that gives the supply to its caller.',
  },
  '0xf55a32f0107523c14027c4a1e6177cd7291395a0': {
    isRight: true,
    why: 'What was meant as its constructor is called `Constructor()`, a function that makes its caller the owner of a new supply.',
  },
  '0xf973dfe8010cfd44070b1990841da192c7b3ced9': {
    isRight: true,
    why: '`registerToBlacklist(address)` takes all tokens of the account that it names, and one account may call it.',
  },
}
