import { opcodes } from '../../instructions/opcodes.js'
import { maskOf } from './byte-mask.js'

/** What code can ask about the world it runs in, with the bytes such a value takes. */
const SOURCE_BYTES = {
  TIMESTAMP: 5,
  NUMBER: 5,
  SLOTNUM: 5,
  COINBASE: 20,
  BASEFEE: 12,
  GASPRICE: 12,
  ORIGIN: 20,
  CALLER: 20,
  PREVRANDAO: 32,
  GASLIMIT: 8,
  GAS: 8,
  BLOCKHASH: 32,
  BALANCE: 16,
  EXTCODESIZE: 4,
  EXTCODEHASH: 32,
  CHAINID: 8,
  SELFBALANCE: 16,
  BLOBBASEFEE: 12,
}

export type TaintSource = keyof typeof SOURCE_BYTES

export const taintSources = Object.keys(SOURCE_BYTES) as TaintSource[]

/**
 * A shadow value is the sources as bits, and above them the number of the comparison it comes from,
 * 0 for none.
 */
export const SOURCE_BITS = taintSources.length
export const SOURCES = (1 << SOURCE_BITS) - 1

/** What an opcode means for the shadow of the stack. */
const IGNORED = 0
export const SOURCE = 1
export const PUSH = 2
export const DUP = 3
export const SWAP = 4
export const BINARY = 5
export const BRANCH = 6
/** DUPN, SWAPN and EXCHANGE, whose places stand in the code. */
export const DEEP = 7
const OTHER = 8

/** By opcode: what it means, the bit of the source it reads, and the bytes that value takes. */
export const HANDLING = new Uint8Array(256)
export const SOURCE_OF = new Int32Array(256)
export const MASK_OF = new Int32Array(256)

/** These leave all other places of the stack as they are. */
const UNTOUCHED = ['STOP', 'POP', 'JUMP', 'JUMPDEST', 'INVALID', 'SELFDESTRUCT', 'NOT', 'CLZ', 'BLOBHASH']

for (const { code, name, pops, pushes } of opcodes) {
  const source = taintSources.indexOf(name as TaintSource)
  if (source >= 0) {
    SOURCE_OF[code] = 1 << source
    MASK_OF[code] = maskOf(SOURCE_BYTES[name as TaintSource])
  }
  HANDLING[code] = handlingOf(name, pops, pushes, source >= 0)
}

/** The opcodes that taint has to see. */
export const WATCHED = opcodes.map(({ code }) => code).filter((code) => HANDLING[code] !== IGNORED)

function handlingOf(name: string, pops: number, pushes: number, isSource: boolean): number {
  if (isSource && pops === 0) return SOURCE
  if (name === 'JUMPI') return BRANCH
  if (['DUPN', 'SWAPN', 'EXCHANGE'].includes(name)) return DEEP
  if (name.startsWith('DUP')) return DUP
  if (name.startsWith('SWAP')) return SWAP
  if (name.startsWith('LOG') || UNTOUCHED.includes(name)) return IGNORED
  if (pops === 0 && pushes === 1) return PUSH
  return pops === 2 && pushes === 1 && name !== 'KECCAK256' ? BINARY : OTHER
}
