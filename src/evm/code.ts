import { type Address, EMPTY_CODE_HASH, type Hex, hexToBytes } from '../hex.js'
import { not, shl, sub, toWord, type Word, wordFromBytes } from '../instructions/word.js'
import { createLru } from '../scheduling/lru.js'
import { createHeat, type Heat, type HeatOptions } from './heat.js'

/**
 * Code made ready to run. All contracts with the same code share it; only its heat
 * changes.
 */
export interface Code {
  /** The code itself, as EXTCODECOPY sees it. */
  bytes: Uint8Array
  hash: Hex
  /**
   * The code and enough zero bytes behind it that neither the program counter nor push data ever
   * leaves it.
   */
  ops: Uint8Array
  /** 1 where a JUMPDEST stands that is not push data. */
  jumpDestinations: Uint8Array
  /**
   * Where in `constants` the value stands that the instruction leaves on the stack: for each PUSH7
   * and wider, and for NOT, SUB and SHL of what was just pushed, which is how compilers write masks
   * and other large constants. 0 for all others.
   */
  constantIndex: Uint32Array
  constants: readonly Word[]
  /** The account whose code runs instead, when this is an EIP-7702 delegation designator. */
  delegate: Word | undefined
  /** Of codes that are remembered: how often they run. */
  heat: Heat | undefined
}

export interface CodeCache {
  /** Gets `bytes` ready, or remembers it from an earlier time by its hash. */
  prepare(hash: Hex, bytes: Uint8Array): Code
}

const JUMPDEST = 0x5b
const PUSH0 = 0x5f
const PUSH7 = 0x66
const PUSH32 = 0x7f
/** A PUSH32 at the last byte reads 32 bytes further, and a STOP must follow. */
const PADDING = 33

/**
 * Finds jump destinations, reads the wide PUSH constants and works out what is made of constants
 * alone, in one pass.
 */
export function prepareCode(hash: Hex, bytes: Uint8Array): Code {
  const ops = new Uint8Array(bytes.length + PADDING)
  ops.set(bytes)
  const jumpDestinations = new Uint8Array(ops.length)
  const constantIndex = new Uint32Array(ops.length)
  const constants: Word[] = [0]
  const folded = createFolding()
  const keep = (pc: number, value: Word) => {
    constantIndex[pc] = constants.length
    constants.push(value)
  }
  const buffer = Buffer.from(ops.buffer)
  for (let pc = 0; pc < bytes.length; pc += 1) {
    const op = ops[pc] as number
    if (op === JUMPDEST) jumpDestinations[pc] = 1
    if (op < PUSH0 || op > PUSH32) {
      const value = folded.fold(op)
      if (value !== undefined) keep(pc, value)
      continue
    }
    const width = op - PUSH0
    const value = readConstant(buffer, pc + 1, width)
    if (op >= PUSH7) keep(pc, value)
    folded.push(value)
    pc += width
  }
  // A view of its own: what was given may be part of something much larger.
  return {
    bytes: ops.subarray(0, bytes.length),
    hash,
    ops,
    jumpDestinations,
    constantIndex,
    constants,
    delegate: delegateOf(bytes),
    heat: undefined,
  }
}

function readConstant(buffer: Buffer, start: number, width: number): Word {
  if (width === 0) return 0
  if (width <= 6) return buffer.readUIntBE(start, width)
  return toWord(BigInt(`0x${buffer.toString('hex', start, start + width)}`))
}

const SUB = 0x03
const NOT = 0x19
const SHL = 0x1b
/** `1, 1, 160, SHL, SUB` is the longest that compilers write. */
const MAX_FOLDED = 4

/**
 * Follows values that are sure to be on the stack because they were pushed just before. An
 * instruction that is no jump destination is always reached from the one in front of it, so what is
 * worked out here holds whenever it runs.
 */
function createFolding() {
  const known: Word[] = []
  const take = () => known.pop() as Word
  return {
    push(value: Word) {
      if (known.length === MAX_FOLDED) known.shift()
      known.push(value)
    },
    /** The result of an instruction other than a PUSH, where it follows from constants alone. */
    fold(op: number): Word | undefined {
      if (known.length === 0) return undefined
      const result = op === NOT ? not(take()) : foldPair(op)
      if (result === undefined) known.length = 0
      else known.push(result)
      return result
    },
  }

  function foldPair(op: number): Word | undefined {
    if (known.length < 2 || (op !== SUB && op !== SHL)) return undefined
    const first = take()
    const second = take()
    return op === SUB ? sub(first, second) : shl(first, second)
  }
}

/** EIP-7702: `0xef0100` and an address. */
const DESIGNATOR_BYTES = 23

function delegateOf(bytes: Uint8Array): Word | undefined {
  if (bytes.length !== DESIGNATOR_BYTES || bytes[0] !== 0xef || bytes[1] !== 0x01 || bytes[2] !== 0x00) return undefined
  return wordFromBytes(bytes.subarray(3))
}

export function designatorOf(address: Address): Uint8Array {
  return hexToBytes(`0xef0100${address.slice(2)}`)
}

export const EMPTY_CODE: Code = prepareCode(EMPTY_CODE_HASH, new Uint8Array(0))

/**
 * Holds the contracts that a few hundred jobs touch; one prepared 24 KB contract takes about 200
 * KB.
 */
const CACHE_BYTES = 8 * 1024 * 1024

/**
 * Remembers prepared code by its hash, least recently used out first, so that the next job on the
 * same contracts starts warm. `heat` says when a code is hot; as in a service, if left out.
 */
export function createCodeCache(heat?: HeatOptions): CodeCache {
  const known = createLru<Hex, Code>({ maxWeight: CACHE_BYTES, weigh: ({ bytes }) => bytes.length })
  return {
    prepare: (hash, bytes) => known.getOrMake(hash, () => ({ ...prepareCode(hash, bytes), heat: createHeat(heat) })),
  }
}
