import type { Address } from '../../hex.js'
import type { Inspector, StepEvent } from '../inspector.js'
import { opcodeName, opcodes } from '../opcodes.js'
import type { Word } from '../word.js'
import { and, type ByteMask, extendDown, extendUp, FULL_MASK, maskOf, shiftLeft, shiftRight } from './byte-mask.js'
import { createSourceSets } from './source-sets.js'
import { createTaintFrame, type TaintFrame } from './taint-frame.js'

/** What code can ask about the world it runs in, with the bytes such a value takes. */
const SOURCE_BYTES = {
  TIMESTAMP: 5,
  NUMBER: 5,
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

/** A branch that depends on the environment. */
export interface TaintedBranch {
  sources: TaintSource[]
  /** Whose storage the frame uses, and whose code runs. */
  address: Address
  codeAddress: Address
  depth: number
  /** Of the JUMPI. */
  pc: number
  /** What the value was compared with the first time, by the opcode's name; absent where it decided by being zero or not. */
  comparison: { operator: string; value: bigint; other: bigint } | undefined
}

export interface Taint {
  branches: TaintedBranch[]
  /** There were more than are kept. */
  isTruncated: boolean
}

/** A shadow value is the sources as bits, and above them the number of the comparison it comes from, 0 for none. */
const SOURCE_BITS = taintSources.length
const SOURCES = (1 << SOURCE_BITS) - 1
const MAX_COMPARISONS = (1 << (31 - SOURCE_BITS)) - 1
const MAX_BRANCHES = 1_000

/**
 * Follows environment values from the opcode that reads them to the branches they decide: through the stack, memory, calldata, return data
 * and storage of all frames, also from one transaction to the next. It knows which bytes of a word a value has reached, so that a timestamp
 * packed beside a reserve does not make the reserve suspicious. A value looked up under a tainted key is not itself tainted: the balance
 * of the caller is no fact about the caller's address.
 */
export function createTaintInspector(): Inspector<Taint> {
  const frames: TaintFrame[] = []
  const branches = new Map<string, TaintedBranch>()
  const comparisons: NonNullable<TaintedBranch['comparison']>[] = []
  const storage = new Map<string, Map<Word, StoredTaint>>()
  let isTruncated = false
  const sets = createSourceSets(SOURCES)
  let frame = createTaintFrame(sets)
  let { stack, masks } = frame

  const show = (depth: number) => {
    frame = frames[depth] ?? createTaintFrame(sets)
    frames[depth] = frame
    stack = frame.stack
    masks = frame.masks
  }

  const put = (place: number, sources: number, mask: ByteMask) => {
    stack[place] = mask === 0 ? 0 : sources
    masks[place] = mask
  }

  const putLoaded = (place: number, sources: number) => {
    stack[place] = sources
    if (sources !== 0) masks[place] = frame.loadedMask()
  }

  /** Puts the answer of a comparison, with its operands noted if there is room. */
  const putCompared = (place: number, sources: number, operator: string, value: Word, other: Word) => {
    masks[place] = 1
    stack[place] = sources
    if (comparisons.length >= MAX_COMPARISONS) {
      isTruncated = true
      return
    }
    comparisons.push({ operator, value: BigInt(value), other: BigInt(other) })
    stack[place] = sources | (comparisons.length << SOURCE_BITS)
  }

  const branch = (event: StepEvent, value: number) => {
    const sources = value & SOURCES
    const { address, codeAddress, depth, pc } = event
    const key = `${address} ${codeAddress} ${pc} ${sources}`
    if (branches.has(key)) return
    if (branches.size >= MAX_BRANCHES) {
      isTruncated = true
      return
    }
    const names = taintSources.filter((_, bit) => sources & (1 << bit))
    const comparison = comparisons[(value >>> SOURCE_BITS) - 1]
    branches.set(key, { sources: names, address, codeAddress, depth, pc, comparison })
  }

  const store = (space: string, key: Word, place: number) => {
    const sources = (stack[place] as number) & SOURCES
    const known = storage.get(space)
    if (sources === 0) known?.delete(key)
    else if (known === undefined) storage.set(space, new Map([[key, { sources, mask: masks[place] as number }]]))
    else known.set(key, { sources, mask: masks[place] as number })
  }

  const load = (space: string, key: Word, place: number) => {
    const found = storage.get(space)?.get(key)
    if (found === undefined) stack[place] = 0
    else put(place, found.sources, found.mask)
  }

  /** An operation on two values of which at least one is tainted. */
  const combine = (event: StepEvent, opcode: number, height: number) => {
    const left = stack[height - 1] as number
    const right = stack[height - 2] as number
    const place = height - 2
    const sources = (left | right) & SOURCES
    const leftMask = (left & SOURCES) === 0 ? 0 : (masks[height - 1] as number)
    const rightMask = (right & SOURCES) === 0 ? 0 : (masks[place] as number)
    switch (opcode) {
      case 0x10: // LT
      case 0x11: // GT
      case 0x12: // SLT
      case 0x13: // SGT
      case 0x14: // EQ
        if (leftMask !== 0) putCompared(place, sources, nameOf(opcode), event.stackWord(0), event.stackWord(1))
        else putCompared(place, sources, nameOf(opcode), event.stackWord(1), event.stackWord(0))
        return
      case 0x03: // SUB
      case 0x18: // XOR
        // How compilers write an inequality when the answer goes straight into a branch.
        if (leftMask !== 0) putCompared(place, sources, nameOf(opcode), event.stackWord(0), event.stackWord(1))
        else putCompared(place, sources, nameOf(opcode), event.stackWord(1), event.stackWord(0))
        masks[place] = opcode === 0x18 ? leftMask | rightMask : extendUp(leftMask | rightMask)
        return
      case 0x16: // AND
      case 0x17: {
        // OR
        // Of two answers that are joined, the first that came from a comparison is kept.
        const comparison = left >>> SOURCE_BITS || right >>> SOURCE_BITS
        let mask = leftMask | rightMask
        if (opcode === 0x16 && rightMask === 0) mask = and(leftMask, event.stackWord(1))
        if (opcode === 0x16 && leftMask === 0) mask = and(rightMask, event.stackWord(0))
        put(place, sources | (comparison << SOURCE_BITS), mask)
        return
      }
      case 0x1b: // SHL
        put(place, sources, leftMask !== 0 ? FULL_MASK : shiftLeft(rightMask, event.stackWord(0)))
        return
      case 0x1c: // SHR
      case 0x1d: // SAR
        put(place, sources, leftMask !== 0 ? FULL_MASK : shiftRight(rightMask, event.stackWord(0)))
        return
      case 0x1a: // BYTE
        put(place, sources, leftMask !== 0 ? 1 : shiftRight(rightMask, byteShift(event.stackWord(0))) & 1)
        return
      case 0x02: // MUL: by a power of two it is a shift
        put(place, sources, scaled(leftMask, rightMask, event.stackWord(rightMask === 0 ? 1 : 0), shiftLeft))
        return
      case 0x04: // DIV
        put(place, sources, rightMask !== 0 ? FULL_MASK : scaled(leftMask, 0, event.stackWord(1), shiftRight))
        return
      case 0x06: // MOD
        put(place, sources, extendDown(leftMask | rightMask))
        return
      default:
        put(place, sources, extendUp(leftMask | rightMask))
    }
  }

  /** What is neither stack work nor arithmetic on two values. */
  const handleOther = (event: StepEvent, opcode: number, height: number) => {
    switch (opcode) {
      case 0x08: // ADDMOD
      case 0x09: {
        // MULMOD
        const a = (stack[height - 1] as number) | (stack[height - 2] as number) | (stack[height - 3] as number)
        put(height - 3, a & SOURCES, FULL_MASK)
        return
      }
      case 0x15: // ISZERO
        if ((stack[height - 1] as number) >>> SOURCE_BITS !== 0) masks[height - 1] = 1
        else if (stack[height - 1] !== 0)
          putCompared(height - 1, stack[height - 1] as number, 'ISZERO', event.stackWord(0), 0)
        return
      case 0x20: // KECCAK256
        put(height - 2, frame.readMemory(event.stackWord(0), event.stackWord(1)), FULL_MASK)
        return
      case 0x31: // BALANCE
      case 0x3b: // EXTCODESIZE
      case 0x3f: // EXTCODEHASH
      case 0x40: // BLOCKHASH
        put(height - 1, SOURCE_OF[opcode] as number, MASK_OF[opcode] as number)
        return
      case 0x35: // CALLDATALOAD
        putLoaded(height - 1, frame.loadCalldata(event.stackWord(0)))
        return
      case 0x37: // CALLDATACOPY
        frame.copyCalldata(event.stackWord(0), event.stackWord(1), event.stackWord(2))
        return
      case 0x39: // CODECOPY
        frame.clearMemory(event.stackWord(0), event.stackWord(2))
        return
      case 0x3c: // EXTCODECOPY
        frame.clearMemory(event.stackWord(1), event.stackWord(3))
        return
      case 0x3e: // RETURNDATACOPY
        frame.copyReturnData(event.stackWord(0), event.stackWord(1), event.stackWord(2))
        return
      case 0x51: // MLOAD
        putLoaded(height - 1, frame.loadMemory(event.stackWord(0)))
        return
      case 0x52: // MSTORE
        frame.storeMemory(event.stackWord(0), (stack[height - 2] as number) & SOURCES, masks[height - 2] as number)
        return
      case 0x53: // MSTORE8
        frame.storeByte(event.stackWord(0), masks[height - 2] === 0 ? 0 : (stack[height - 2] as number) & SOURCES)
        return
      case 0x54: // SLOAD
        if (storage.size === 0) stack[height - 1] = 0
        else load(event.address, event.stackWord(0), height - 1)
        return
      case 0x55: // SSTORE
        if (storage.size > 0 || stack[height - 2] !== 0) store(event.address, event.stackWord(0), height - 2)
        return
      case 0x5c: // TLOAD
        load(`${TRANSIENT}${event.address}`, event.stackWord(0), height - 1)
        return
      case 0x5d: // TSTORE
        store(`${TRANSIENT}${event.address}`, event.stackWord(0), height - 2)
        return
      case 0x5e: // MCOPY
        frame.copyMemory(event.stackWord(0), event.stackWord(1), event.stackWord(2))
        return
      case 0xf1: // CALL
      case 0xf2: // CALLCODE
        frame.noteCall(event.stackWord(3), event.stackWord(4), event.stackWord(5), event.stackWord(6))
        stack[height - 7] = 0
        return
      case 0xf4: // DELEGATECALL
      case 0xfa: // STATICCALL
        frame.noteCall(event.stackWord(2), event.stackWord(3), event.stackWord(4), event.stackWord(5))
        stack[height - 6] = 0
        return
      case 0xf0: // CREATE
      case 0xf5: // CREATE2
        frame.noteCall(0, 0, 0, 0)
        stack[height - (opcode === 0xf0 ? 3 : 4)] = 0
        return
      case 0xf3: // RETURN
      case 0xfd: // REVERT
        frame.noteOutput(event.stackWord(0), event.stackWord(1))
        return
    }
  }

  return {
    opcodes: WATCHED,
    onTransaction() {
      for (const space of storage.keys()) if (space.startsWith(TRANSIENT)) storage.delete(space)
    },
    onCall({ kind, depth }) {
      if (kind === 'SELFDESTRUCT') return
      const caller = depth === 0 || kind === 'CREATE' || kind === 'CREATE2' ? undefined : frames[depth - 1]
      show(depth)
      frame.reset(caller)
    },
    onCallEnd({ kind, depth, output, error }) {
      if (kind === 'SELFDESTRUCT' || depth === 0) return
      const callee = frame
      show(depth - 1)
      frame.takeOutput(callee, output.length, error === undefined || error === 'execution reverted')
    },
    onStep(event) {
      const { opcode } = event
      const height = event.stackLength()
      switch (HANDLING[opcode]) {
        case PUSH:
          stack[height] = 0
          return
        case DUP: {
          const from = height - (opcode - 0x7f)
          stack[height] = stack[from] as number
          masks[height] = masks[from] as number
          return
        }
        case SWAP: {
          const top = height - 1
          const below = height - (opcode - 0x8e)
          const value = stack[top] as number
          stack[top] = stack[below] as number
          stack[below] = value
          const mask = masks[top] as number
          masks[top] = masks[below] as number
          masks[below] = mask
          return
        }
        case BINARY:
          if (stack[height - 1] === 0 && stack[height - 2] === 0) return
          combine(event, opcode, height)
          return
        case SOURCE:
          stack[height] = SOURCE_OF[opcode] as number
          masks[height] = MASK_OF[opcode] as number
          return
        case BRANCH:
          if (((stack[height - 2] as number) & SOURCES) !== 0) branch(event, stack[height - 2] as number)
          return
        default:
          handleOther(event, opcode, height)
      }
    },
    finish: () => ({ branches: [...branches.values()], isTruncated }),
  }
}

interface StoredTaint {
  sources: number
  mask: ByteMask
}

const TRANSIENT = 'transient '

const IGNORED = 0
const SOURCE = 1
const PUSH = 2
const DUP = 3
const SWAP = 4
const BINARY = 5
const BRANCH = 6
const OTHER = 7

const SOURCE_OF = new Int32Array(256)
const MASK_OF = new Int32Array(256)
const HANDLING = new Uint8Array(256)

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

function handlingOf(name: string, pops: number, pushes: number, isSource: boolean): number {
  if (isSource && pops === 0) return SOURCE
  if (name === 'JUMPI') return BRANCH
  if (name.startsWith('DUP')) return DUP
  if (name.startsWith('SWAP')) return SWAP
  if (name.startsWith('LOG') || UNTOUCHED.includes(name)) return IGNORED
  if (pops === 0 && pushes === 1) return PUSH
  return pops === 2 && pushes === 1 && name !== 'KECCAK256' ? BINARY : OTHER
}

const WATCHED = opcodes.map(({ code }) => code).filter((code) => HANDLING[code] !== IGNORED)

function nameOf(opcode: number): string {
  return opcodeName(opcode) ?? ''
}

/** BYTE counts from the most significant byte. */
function byteShift(index: Word): Word {
  return typeof index === 'number' && index < 32 ? 248 - index * 8 : 256
}

/** A product or quotient with an untainted factor: a shift if that is a power of two, anything otherwise. */
function scaled(
  left: ByteMask,
  right: ByteMask,
  factor: Word,
  shift: (mask: ByteMask, bits: Word) => ByteMask,
): ByteMask {
  const mask = left | right
  if (left !== 0 && right !== 0) return FULL_MASK
  const bits = BigInt(factor).toString(2)
  return /^10*$/.test(bits) ? shift(mask, bits.length - 1) : extendDown(extendUp(mask))
}
