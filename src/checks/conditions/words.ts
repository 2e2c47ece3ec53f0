import { WORD_MASK } from '../../hex.js'

/** What a comparison says where it is true, and where it is not. */
export const COMPARISONS: Record<string, readonly [whenTrue: string, whenFalse: string]> = {
  LT: ['is less than', 'is not less than'],
  SLT: ['is less than', 'is not less than'],
  GT: ['is more than', 'is not more than'],
  SGT: ['is more than', 'is not more than'],
  EQ: ['is', 'is not'],
}

/** What the chain says of itself, of accounts and of the transaction. */
export const ENVIRONMENT_WORDS: Record<string, string> = {
  TIMESTAMP: 'the time of the block',
  NUMBER: 'the number of the block',
  SLOTNUM: 'the slot of the block',
  COINBASE: 'the miner of the block',
  BASEFEE: 'the base fee',
  GASPRICE: 'the gas price',
  ORIGIN: 'the account that began the transaction',
  CALLER: 'the caller',
  PREVRANDAO: 'the random number of the block',
  GASLIMIT: 'the gas limit of the block',
  GAS: 'the gas left',
  BLOCKHASH: 'the hash of a block',
  BALANCE: 'a native balance',
  EXTCODESIZE: 'the size of an account’s code',
  EXTCODEHASH: 'the hash of an account’s code',
  CHAINID: 'the chain',
  SELFBALANCE: 'the native balance of the contract',
  BLOBBASEFEE: 'the blob base fee',
  CALLVALUE: 'the value sent',
}

export const SYMBOLS: Record<string, string> = { ADD: '+', SUB: '-', MUL: '*', DIV: '/', MOD: '%' }

/** From here on a number is an address, a hash or a mask. */
const MAX_DECIMAL = 10n ** 36n
/** Most tokens, and coins, have 18 decimals. */
const ONE = 10n ** 18n
/** The least amount of such a token that is told as one: a thousandth. */
const LEAST_AMOUNT = ONE / 1_000n

/** A number as people read it: 307.92 × 10^18 for an amount of 18 decimals. */
export function sayNumber(value: bigint): string {
  if (value === WORD_MASK) return 'no limit'
  if (value >= MAX_DECIMAL) return `0x${value.toString(16)}`
  if (value < LEAST_AMOUNT) return String(value)
  const thousandths = (value * 1_000n) / ONE
  const whole = (thousandths / 1_000n).toLocaleString('en')
  const part = String(thousandths % 1_000n)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return `${whole}${part && `.${part}`} × 10^18`
}
