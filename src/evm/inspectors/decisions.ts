import { bytesToHex } from '../../hex.js'
import { type Opcode, opcodeTable } from '../../instructions/opcodes.js'
import type { CallEvent, Inspector, StepEvent } from '../inspector.js'
import type { AskedCall, Decision, Decisions, FollowedFrame as Frame, Stored } from './decision.js'
import {
  ARITHMETIC,
  BRANCH,
  DECISION_HANDLING,
  DECISION_OPCODES,
  DUP,
  ENVIRONMENT,
  LOAD,
  PUSH,
  STORE,
  SWAP,
} from './decision-handling.js'
import { copy, copyRaw, placeLast, readWords, toOffset, WORD, wordsAsPassed } from './followed-memory.js'
import { hashed, isCut, type MappingEntry, operation, type Term } from './term.js'

export type { AskedCall, Decision, Decisions, Stored } from './decision.js'

/** A trade takes some hundreds of branches; loops repeat the same ones. */
const MAX_BRANCHES = 2_000
/**
 * A helper that refuses the sender and the receiver is one branch, which answers for each of them.
 */
const MAX_OCCURRENCES = 4
/** What one sell makes, several times over. */
const MAX_TERMS = 200_000

export interface DecisionsOptions {
  /** Follows the size of the call data as well, and words that are copied out of them at once. */
  isRaw?: boolean
}

/**
 * Follows values from storage, the environment and the calldata through the stack, memory,
 * arguments and answers of calls to the branches that they decide, and keeps how they were
 * computed: what a branch would do at another time can be worked out without running anything.
 */
export function createDecisionsInspector({ isRaw = false }: DecisionsOptions = {}): Inspector<Decisions> {
  const branches: Decision[] = []
  /** How often a branch was kept, by place and way; and how often the transaction met it. */
  const kept = new Map<string, number>()
  const met = new Map<string, Map<number, number>>()
  const hashes = new Map<bigint, MappingEntry>()
  const frames: Frame[] = []
  let frame: Frame | undefined
  const stores = new Map<string, Stored>()
  const calls: AskedCall[] = []
  /** What this transaction has stored: read again, it is no word of the state before. */
  const stored = new Map<string, Term>()
  /** The same of transient storage (EIP-1153); at most as many words as gas pays for. */
  const transient = new Map<string, Term>()
  let blocking: Decision | undefined
  let isTruncated = false
  let termsLeft = MAX_TERMS
  /** Of the running frame: what every step reads. */
  let stack: (Term | undefined)[] = []
  /** Makes a term of the value that an opcode is putting on the stack, and where it lies then. */
  let unsettled: ((value: bigint) => Term) | undefined
  let unsettledAt = 0

  const nested = (key: bigint, place: bigint): MappingEntry => {
    const within = hashes.get(place)
    return { key, place, ...(within && { within }) }
  }
  const put = (place: number, term: Term) => {
    termsLeft -= 1
    if (termsLeft < 0) isTruncated = true
    stack[place] = isTruncated ? undefined : term
  }
  const source = (place: number, make: (value: bigint) => Term) => {
    stack[place] = undefined
    unsettled = make
    unsettledAt = place
  }
  /** Of the value that the last opcode but jumps has put on the stack; a jump may have taken it. */
  const settle = (event: StepEvent, make: (value: bigint) => Term, height: number) => {
    unsettled = undefined
    if (unsettledAt === height - 1 && !isTruncated) stack[unsettledAt] = make(event.stack(0))
    termsLeft -= 1
    if (termsLeft < 0) isTruncated = true
  }
  const termAt = (event: StepEvent, index: number, height: number): Term =>
    stack[height - 1 - index] ?? { kind: 'constant', value: event.stack(index) }

  const compute = (event: StepEvent, { name, pops }: Opcode, height: number) => {
    const isFollowed =
      stack[height - 1] !== undefined ||
      (pops > 1 && stack[height - 2] !== undefined) ||
      (pops > 2 && stack[height - 3] !== undefined)
    if (!isFollowed) return
    const operands = [termAt(event, 0, height)]
    for (let i = 1; i < pops; i += 1) operands.push(termAt(event, i, height))
    put(height - pops, operation(name, operands))
  }

  const ask = (event: StepEvent, { name, pops }: Opcode, height: number) => {
    const about = pops > 0 ? { about: event.stack(0) } : {}
    source(height - pops, (value) => ({ kind: 'environment', name, value, ...about }))
  }

  const branch = (event: StepEvent, height: number) => {
    if (!frame) return
    const condition = stack[height - 2]
    const { address, codeAddress, selector } = frame
    const { pc } = event
    const occurrence = frame.met.get(pc) ?? 0
    frame.met.set(pc, occurrence + 1)
    if (!condition || (condition.kind === 'constant' && !isCut(condition))) return
    const decision = { address, codeAddress, selector, pc, occurrence, condition }
    if (!isCut(condition)) frame.last = decision
    const key = `${address} ${codeAddress} ${pc} ${condition.value === 0n}`
    const times = kept.get(key) ?? 0
    if (times >= MAX_OCCURRENCES) return
    if (branches.length >= MAX_BRANCHES) {
      isTruncated = true
      return
    }
    kept.set(key, times + 1)
    branches.push(decision)
  }

  const store = (event: StepEvent, height: number) => {
    if (!frame) return
    const slot = event.stack(0)
    const { address, codeAddress, selector } = frame
    const key = `${address} ${slot}`
    if (stores.size >= MAX_STORES && !stores.has(key)) isTruncated = true
    else {
      const value = termAt(event, 1, height)
      stores.set(key, { address, codeAddress, selector, pc: event.pc, slot, entry: hashes.get(slot), value })
    }
    const kept = stores.get(key)
    if (kept) stored.set(key, kept.value)
  }

  /** What the less frequent opcodes do. */
  const step = (event: StepEvent, opcode: Opcode, height: number) => {
    if (!frame) return
    const { name, pops, pushes } = opcode
    const { memory } = frame
    const place = height - pops
    switch (name) {
      case 'SSTORE':
        store(event, height)
        return
      case 'CALLDATASIZE':
        if (isRaw) ask(event, opcode, height)
        else stack[place] = undefined
        return
      case 'SLOAD': {
        const { address } = event
        const slot = event.stack(0)
        const own = stored.get(`${address} ${slot}`)
        source(place, (value) =>
          own?.value === value ? own : { kind: 'slot', address, slot, value, entry: hashes.get(slot) },
        )
        return
      }
      case 'TSTORE':
        transient.set(`${event.address} ${event.stack(0)}`, termAt(event, 1, height))
        return
      case 'TLOAD': {
        const own = transient.get(`${event.address} ${event.stack(0)}`)
        source(place, (value) => (own?.value === value ? own : { kind: 'constant', value }))
        return
      }
      case 'CALLDATALOAD': {
        const offset = offsetAt(event, 0)
        const passed = frame.calldata.get(offset)
        source(place, (value) => (passed?.value === value ? passed : { kind: 'argument', offset, value }))
        return
      }
      case 'KECCAK256': {
        const [at, length] = [offsetAt(event, 0), offsetAt(event, 1)]
        const words = readWords(memory, at, length)
        const [key, base] = [memory.get(at), memory.get(at + WORD)]
        source(place, (hash) => {
          if (length === 2 * WORD && key && base && hashes.size < MAX_HASHES)
            hashes.set(hash, nested(key.value, base.value))
          return hashed(words, length, hash)
        })
        return
      }
      case 'CALLDATACOPY': {
        const [target, from, length] = [offsetAt(event, 0), offsetAt(event, 1), offsetAt(event, 2)]
        if (isRaw) copyRaw(frame.input, from, memory, target, length)
        copy(frame.calldata, from, memory, target, length)
        return
      }
      case 'RETURNDATACOPY':
        copy(frame.returned, offsetAt(event, 1), memory, offsetAt(event, 0), offsetAt(event, 2))
        return
      case 'MCOPY':
        copy(new Map(memory), offsetAt(event, 1), memory, offsetAt(event, 0), offsetAt(event, 2))
        return
      case 'RETURN':
      case 'REVERT':
        frame.leaving = copy(memory, offsetAt(event, 0), new Map(), 0, offsetAt(event, 1))
        return
      case 'CALL':
      case 'CALLCODE':
      case 'DELEGATECALL':
      case 'STATICCALL': {
        const first = name === 'CALL' || name === 'CALLCODE' ? 3 : 2
        frame.leaving = copy(memory, offsetAt(event, first), new Map(), 0, offsetAt(event, first + 1))
        frame.callee = termAt(event, 1, height)
        frame.outputAt = offsetAt(event, first + 2)
        frame.outputSize = offsetAt(event, first + 3)
        stack[place] = undefined
        return
      }
      case 'CREATE':
      case 'CREATE2':
        frame.outputSize = 0
        stack[place] = undefined
        return
      default:
        if (pushes > 0) stack[place] = undefined
    }
  }

  return {
    opcodes: DECISION_OPCODES,
    onTransaction() {
      frames.length = 0
      frame = undefined
      blocking = undefined
      unsettled = undefined
      met.clear()
      stored.clear()
      transient.clear()
    },
    onCall({ kind, depth, from, to, input, codeAddress }: CallEvent) {
      unsettled = undefined
      if (kind === 'SELFDESTRUCT') return
      const isCreation = kind === 'CREATE' || kind === 'CREATE2'
      const keepsStorage = kind === 'DELEGATECALL' || kind === 'CALLCODE'
      const address = keepsStorage ? from : to
      const code = `${address} ${codeAddress}`
      const branchesMet = met.get(code) ?? new Map<number, number>()
      met.set(code, branchesMet)
      const caller = depth === 0 || isCreation ? undefined : frames[depth - 1]
      if (caller?.callee && calls.length < MAX_CALLS) {
        const words = wordsAsPassed(caller.leaving, input)
        calls.push({ from, codeAddress: caller.codeAddress, to, target: caller.callee, words })
      }
      stack = []
      frame = {
        met: branchesMet,
        stack,
        memory: new Map(),
        input,
        calldata: caller?.leaving ?? NOTHING,
        returned: NOTHING,
        outputAt: 0,
        outputSize: 0,
        address,
        codeAddress,
        selector: bytesToHex(input.subarray(0, 4)),
        last: undefined,
        ofCallee: undefined,
        leaving: NOTHING,
        callee: undefined,
      }
      frames[depth] = frame
    },
    onCallEnd({ kind, depth, error }) {
      unsettled = undefined
      if (kind === 'SELFDESTRUCT') return
      const callee = frames[depth]
      const began = error === undefined ? undefined : (callee?.ofCallee ?? callee?.last)
      if (depth === 0) {
        blocking = began
        frame = undefined
        return
      }
      frame = frames[depth - 1]
      if (!frame || !callee) return
      stack = frame.stack
      // A failure that the caller survives is not why it fails later, but a later one may be.
      frame.ofCallee = began ?? frame.ofCallee
      frame.returned = callee.leaving
      copy(callee.leaving, 0, frame.memory, frame.outputAt, frame.outputSize)
    },
    onStep(event) {
      if (!frame) return
      const { opcode } = event
      const height = event.stackLength()
      if (unsettled !== undefined) settle(event, unsettled, height)
      switch (DECISION_HANDLING[opcode]) {
        case PUSH:
          stack[height] = undefined
          return
        case DUP:
          stack[height] = stack[height - 1 - (opcode - DUP1)]
          return
        case SWAP: {
          const below = height - 2 - (opcode - SWAP1)
          const top = stack[height - 1]
          stack[height - 1] = stack[below]
          stack[below] = top
          return
        }
        case ARITHMETIC:
          compute(event, opcodeTable[opcode] as Opcode, height)
          return
        case BRANCH:
          branch(event, height)
          return
        case STORE:
          placeLast(frame.memory, offsetAt(event, 0), termAt(event, 1, height))
          return
        case LOAD: {
          const kept = frame.memory.get(offsetAt(event, 0))
          // Whatever else has written there since is told by the value.
          if (kept) source(height - 1, (value) => (kept.value === value ? kept : { kind: 'constant', value }))
          else stack[height - 1] = undefined
          return
        }
        case ENVIRONMENT:
          ask(event, opcodeTable[opcode] as Opcode, height)
          return
        default:
          step(event, opcodeTable[opcode] as Opcode, height)
      }
    },
    finish: () => ({ branches, stores: [...stores.values()], blocking, calls, isTruncated }),
  }
}

/** Equal for the same branch of the same code in the same account's name. */
export const placeOf = ({ address, codeAddress, pc }: Pick<Decision, 'address' | 'codeAddress' | 'pc'>): string =>
  `${address} ${codeAddress} ${pc}`

const DUP1 = 0x80
const SWAP1 = 0x90
/** Preimages of mapping slots that are remembered. */
const MAX_HASHES = 10_000
/** Words of storage that one trade writes. */
const MAX_STORES = 1_000
/** Calls that are kept; a batch of transfers makes some dozens. */
const MAX_CALLS = 256
const offsetAt = (event: StepEvent, index: number): number => toOffset(event.stackWord(index))
const NOTHING: ReadonlyMap<number, Term> = new Map()
