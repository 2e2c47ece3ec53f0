import type { Address } from '../../hex.js'
import type { Inspector, StepEvent } from '../inspector.js'
import { opcodeByName, opcodeName, opcodes } from '../opcodes.js'
import { createTaintFrame, resetTaintFrame, type TaintFrame } from './taint-frame.js'

/** What code can ask about the world it runs in. */
export const taintSources = [
  'TIMESTAMP',
  'NUMBER',
  'COINBASE',
  'BASEFEE',
  'GASPRICE',
  'ORIGIN',
  'CALLER',
  'PREVRANDAO',
  'GASLIMIT',
  'GAS',
  'BLOCKHASH',
  'BALANCE',
  'EXTCODESIZE',
  'EXTCODEHASH',
  'CHAINID',
  'SELFBALANCE',
  'BLOBBASEFEE',
] as const

export type TaintSource = (typeof taintSources)[number]

/** A branch that depends on the environment. */
export interface TaintedBranch {
  sources: TaintSource[]
  /** Whose storage the frame uses, and whose code runs. */
  address: Address
  codeAddress: Address
  depth: number
  /** Of the JUMPI. */
  pc: number
  /** What the value was compared with the first time: `EQ`, `LT` and the like, or `ISZERO`; absent where it was not compared. */
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

const Handling = {
  ignored: 0,
  source: 1,
  push: 2,
  dup: 3,
  swap: 4,
  compare: 5,
  isZero: 6,
  operate: 7,
  branch: 8,
  other: 9,
} as const

/**
 * Follows environment values from the opcode that reads them to the branches they decide: through the stack, memory, calldata, return data
 * and storage of all frames, also from one transaction to the next. A value looked up under a tainted key is not itself tainted: the
 * balance of the caller is no fact about the caller's address.
 */
export function createTaintInspector(): Inspector<Taint> {
  const frames: TaintFrame[] = []
  const branches = new Map<string, TaintedBranch>()
  const comparisons: NonNullable<TaintedBranch['comparison']>[] = []
  const storage = new Map<string, Map<number | bigint, number>>()
  let isTruncated = false
  let frame = createTaintFrame()
  let shadow = frame.stack

  const enter = (depth: number) => {
    const known = frames[depth]
    frame = known ?? createTaintFrame()
    frames[depth] = frame
    shadow = frame.stack
  }

  /** A shadow value with the comparison noted, if there is room. */
  const compared = (sources: number, operator: string, value: number | bigint, other: number | bigint): number => {
    if (comparisons.length >= MAX_COMPARISONS) {
      isTruncated = true
      return sources
    }
    comparisons.push({ operator, value: BigInt(value), other: BigInt(other) })
    return sources | (comparisons.length << SOURCE_BITS)
  }

  const branch = (event: StepEvent, value: number) => {
    const sources = value & SOURCES
    if (sources === 0) return
    const { address, codeAddress, depth, pc } = event
    const key = `${address} ${codeAddress} ${pc} ${sources}`
    if (branches.has(key)) return
    if (branches.size >= MAX_BRANCHES) {
      isTruncated = true
      return
    }
    const names = taintSources.filter((_, bit) => sources & (1 << bit))
    branches.set(key, {
      sources: names,
      address,
      codeAddress,
      depth,
      pc,
      comparison: comparisons[(value >>> SOURCE_BITS) - 1],
    })
  }

  const slotsOf = (space: string) => {
    const known = storage.get(space)
    if (known !== undefined) return known
    const made = new Map<number | bigint, number>()
    storage.set(space, made)
    return made
  }

  const store = (space: string, key: number | bigint, value: number) => {
    const sources = value & SOURCES
    if (sources !== 0) slotsOf(space).set(key, sources)
    else if (storage.size > 0) storage.get(space)?.delete(key)
  }

  const load = (space: string, key: number | bigint) => (storage.size === 0 ? 0 : (storage.get(space)?.get(key) ?? 0))

  /** Everything that is neither stack work nor arithmetic. */
  const other = (event: StepEvent, height: number) => {
    const top = (index: number) => shadow[height - 1 - index] as number
    const at = (index: number) => event.stackWord(index)
    switch (event.opcode) {
      case 0x20: // KECCAK256
        shadow[height - 2] = frame.readMemory(at(0), at(1))
        return
      case 0x31: // BALANCE
      case 0x3b: // EXTCODESIZE
      case 0x3f: // EXTCODEHASH
      case 0x40: // BLOCKHASH
        shadow[height - 1] = SOURCE_OF[event.opcode] as number
        return
      case 0x35: // CALLDATALOAD
        shadow[height - 1] = frame.readCalldata(at(0), 32)
        return
      case 0x37: // CALLDATACOPY
        frame.copyCalldata(at(0), at(1), at(2))
        return
      case 0x39: // CODECOPY
        frame.writeMemory(at(0), at(2), 0)
        return
      case 0x3c: // EXTCODECOPY
        frame.writeMemory(at(1), at(3), 0)
        return
      case 0x3e: // RETURNDATACOPY
        frame.copyReturnData(at(0), at(1), at(2))
        return
      case 0x51: // MLOAD
        shadow[height - 1] = frame.readMemory(at(0), 32)
        return
      case 0x52: // MSTORE
        frame.writeMemory(at(0), 32, top(1) & SOURCES)
        return
      case 0x53: // MSTORE8
        frame.addMemory(at(0), 1, top(1) & SOURCES)
        return
      case 0x54: // SLOAD
        shadow[height - 1] = load(event.address, at(0))
        return
      case 0x55: // SSTORE
        store(event.address, at(0), top(1))
        return
      case 0x5c: // TLOAD
        shadow[height - 1] = load(`transient ${event.address}`, at(0))
        return
      case 0x5d: // TSTORE
        store(`transient ${event.address}`, at(0), top(1))
        return
      case 0x5e: // MCOPY
        frame.copyMemory(at(0), at(1), at(2))
        return
      case 0xf1: // CALL
      case 0xf2: // CALLCODE
        frame.noteCall(at(3), at(4), at(5), at(6))
        shadow[height - 7] = 0
        return
      case 0xf4: // DELEGATECALL
      case 0xfa: // STATICCALL
        frame.noteCall(at(2), at(3), at(4), at(5))
        shadow[height - 6] = 0
        return
      case 0xf0: // CREATE
      case 0xf5: // CREATE2
        frame.noteCall(0, 0, 0, 0)
        shadow[height - (event.opcode === 0xf0 ? 3 : 4)] = 0
        return
      case 0xf3: // RETURN
      case 0xfd: // REVERT
        frame.noteReturn(at(0), at(1))
        return
    }
  }

  return {
    opcodes: WATCHED,
    onTransaction() {
      for (const space of storage.keys()) if (space.startsWith('transient')) storage.delete(space)
    },
    onCall({ kind, depth }) {
      if (kind === 'SELFDESTRUCT') return
      const caller = depth === 0 ? undefined : frames[depth - 1]
      enter(depth)
      resetTaintFrame(frame, kind === 'CREATE' || kind === 'CREATE2' ? undefined : caller)
    },
    onCallEnd({ kind, depth, output, error }) {
      if (kind === 'SELFDESTRUCT' || depth === 0) return
      const callee = frame
      enter(depth - 1)
      frame.takeReturn(callee, output.length, error === undefined || error === 'execution reverted')
    },
    onStep(event) {
      const { opcode } = event
      const height = event.stackLength()
      switch (HANDLING[opcode]) {
        case Handling.push:
          shadow[height] = 0
          return
        case Handling.dup:
          shadow[height] = shadow[height - (opcode - 0x7f)] as number
          return
        case Handling.swap: {
          const below = height - (opcode - 0x8e)
          const value = shadow[height - 1] as number
          shadow[height - 1] = shadow[below] as number
          shadow[below] = value
          return
        }
        case Handling.operate: {
          let sources = 0
          const pops = POPS[opcode] as number
          for (let index = 1; index <= pops; index += 1) sources |= (shadow[height - index] as number) & SOURCES
          shadow[height - pops] = sources
          return
        }
        case Handling.compare: {
          const left = shadow[height - 1] as number
          const right = shadow[height - 2] as number
          shadow[height - 2] = 0
          if (((left | right) & SOURCES) === 0) return
          // Of two answers joined by AND, OR or the like, the first that came from a comparison is kept.
          const known = JOINS.has(opcode) ? left >>> SOURCE_BITS || right >>> SOURCE_BITS : 0
          const sources = (left | right) & SOURCES
          if (known !== 0) {
            shadow[height - 2] = sources | (known << SOURCE_BITS)
            return
          }
          const isLeft = (left & SOURCES) !== 0
          const [value, against] = [event.stackWord(isLeft ? 0 : 1), event.stackWord(isLeft ? 1 : 0)]
          shadow[height - 2] = compared(sources, opcodeName(opcode) ?? '', value, against)
          return
        }
        case Handling.isZero: {
          const value = shadow[height - 1] as number
          if (value !== 0 && value >>> SOURCE_BITS === 0) {
            shadow[height - 1] = compared(value, 'ISZERO', event.stackWord(0), 0)
          }
          return
        }
        case Handling.source:
          shadow[height] = SOURCE_OF[opcode] as number
          return
        case Handling.branch:
          branch(event, shadow[height - 2] as number)
          return
        default:
          other(event, height)
      }
    },
    finish: () => ({ branches: [...branches.values()], isTruncated }),
  }
}

const SOURCE_OF = new Int32Array(256)
const HANDLING = new Uint8Array(256)
const POPS = new Uint8Array(256)

/** AND, OR and XOR join conditions; compilers also write inequality as SUB or XOR. */
const JOINS = new Set(['AND', 'OR', 'XOR'].map(opcodeByName))
const COMPARING = ['LT', 'GT', 'SLT', 'SGT', 'EQ', 'SUB', 'AND', 'OR', 'XOR']
const UNTOUCHED = ['STOP', 'POP', 'JUMP', 'JUMPDEST', 'INVALID', 'SELFDESTRUCT']
const OPERATING = 'ADD MUL DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND NOT BYTE SHL SHR SAR CLZ BLOBHASH'.split(' ')

for (const { code, name, pops, pushes } of opcodes) {
  POPS[code] = pops
  const source = taintSources.indexOf(name as TaintSource)
  if (source >= 0) SOURCE_OF[code] = 1 << source
  HANDLING[code] = handlingOf(name, pops, pushes, source >= 0)
}

function handlingOf(name: string, pops: number, pushes: number, isSource: boolean): number {
  if (UNTOUCHED.includes(name) || name.startsWith('LOG')) return Handling.ignored
  if (isSource && pops === 0) return Handling.source
  if (name.startsWith('DUP')) return Handling.dup
  if (name.startsWith('SWAP')) return Handling.swap
  if (pops === 0 && pushes === 1) return Handling.push
  if (name === 'ISZERO') return Handling.isZero
  if (name === 'JUMPI') return Handling.branch
  if (COMPARING.includes(name)) return Handling.compare
  return OPERATING.includes(name) ? Handling.operate : Handling.other
}

const WATCHED = opcodes.map(({ code }) => code).filter((code) => HANDLING[code] !== Handling.ignored)
