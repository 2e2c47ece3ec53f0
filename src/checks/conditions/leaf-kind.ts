/**
 * What a condition asks for, read from the code or seen in a trade. `market`: the exchange's own
 * words. `balance`: what the token keeps of holders and supply. `call`: what another contract
 * answers. `fixed`: what never changes. `unknown`: its formula is too large or too deep to follow.
 */
export type LeafKind =
  | 'time'
  | 'block'
  | 'gas'
  | 'gas-price'
  | 'seller'
  | 'amount'
  | 'coins'
  | 'code'
  | 'storage'
  | 'balance'
  | 'market'
  | 'call'
  | 'fixed'
  | 'unknown'

/** What opcodes ask of the block and of accounts, whose frame it may be. */
export const LEAVES_OF_OPCODES: Readonly<Record<string, LeafKind | undefined>> = {
  TIMESTAMP: 'time',
  NUMBER: 'time',
  SLOTNUM: 'time',
  PREVRANDAO: 'block',
  COINBASE: 'block',
  BASEFEE: 'block',
  BLOBBASEFEE: 'block',
  BLOBHASH: 'block',
  GASLIMIT: 'block',
  BLOCKHASH: 'block',
  GAS: 'gas',
  GASPRICE: 'gas-price',
  BALANCE: 'coins',
  SELFBALANCE: 'coins',
  EXTCODESIZE: 'code',
  EXTCODEHASH: 'code',
}
