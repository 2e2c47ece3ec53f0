import { DEEP_PLACES, DUPN, lowerPlace, upperPlace } from '../../instructions/deep-stack.js'
import { type Opcode, opcodeTable } from '../../instructions/opcodes.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { CallEvent, Inspector, StepEvent } from '../inspector.js'
import type { Decision, Decisions, DecisionsOptions, FollowedFrame } from './decision.js'
import { enteredFrame, NOTHING } from './decision.js'
import {
  ARITHMETIC,
  BRANCH,
  DECISION_HANDLING,
  DECISION_OPCODES,
  DEEP,
  DUP,
  DUP1,
  ENVIRONMENT,
  LOAD,
  PUSH,
  STORE,
  SWAP,
  SWAP1,
} from './decision-handling.js'
import { DecisionLog } from './decision-log.js'
import {
  betweenWords,
  leaveForCall,
  moveWords,
  offsetAt,
  placeLast,
  readWords,
  takeAnswer,
  wordsAsPassed,
} from './followed-memory.js'
import { MAX_KEY_BYTES, MappingEntries } from './mapping-entries.js'
import { hashed, isCut, operation, type Term } from './term.js'
import { WordTerms } from './word-terms.js'

export type { AskedCall, Decision, Decisions, Stored } from './decision.js'

/**
 * Follows values from storage, the environment and the calldata through the stack, memory,
 * arguments and answers of calls to the branches that they decide, and keeps how they were
 * computed: what a branch would do at another time can be worked out without running anything.
 */
export function createDecisionsInspector({ isRaw = false }: DecisionsOptions = {}): Inspector<Decisions> {
  const log = new DecisionLog()
  /** How often the transaction met a branch, by code and place. */
  const met = new Map<string, Map<number, number>>()
  const entries = new MappingEntries()
  const frames: FollowedFrame[] = []
  let frame: FollowedFrame | undefined
  /** What this transaction has stored: read again, it is no word of the state before. */
  const stored = new WordTerms()
  /** The same of transient storage (EIP-1153); at most as many words as gas pays for. */
  const transient = new WordTerms()
  let blocking: Decision | undefined
  /** Of the running frame: what every step reads. */
  let stack: (Term | undefined)[] = []
  /** Makes a term of the value that an opcode is putting on the stack, and where it lies then. */
  let unsettled: ((value: bigint) => Term) | undefined
  let unsettledAt = 0
  const exchange = (upper: number, lower: number) => {
    const value = stack[upper]
    stack[upper] = stack[lower]
    stack[lower] = value
  }

  const put = (place: number, term: Term) => {
    log.countTerm()
    stack[place] = log.isTruncated ? undefined : term
  }
  const source = (place: number, make: (value: bigint) => Term) => {
    stack[place] = undefined
    unsettled = make
    unsettledAt = place
  }
  /** Of the value that the last opcode but jumps has put on the stack; a jump may have taken it. */
  const settle = (event: StepEvent, make: (value: bigint) => Term, height: number) => {
    unsettled = undefined
    if (unsettledAt === height - 1 && !log.isTruncated) stack[unsettledAt] = make(event.stack(0))
    log.countTerm()
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
    log.addBranch(decision, frame.kept)
  }

  const store = (event: StepEvent, height: number) => {
    if (!frame) return
    const slot = event.stack(0)
    const { address, codeAddress, selector } = frame
    const value = termAt(event, 1, height)
    const kept = log.addStore({ address, codeAddress, selector, pc: event.pc, slot, entry: entries.at(slot), value })
    if (kept) stored.set(address, slot, kept.value)
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
        const own = stored.get(address, slot)
        source(place, (value) => {
          if (own?.value === value) return own
          const entry = entries.at(slot)
          const member = entry === undefined ? entries.around(slot) : undefined
          return { kind: 'slot', address, slot, value, entry, ...(member && { member }) }
        })
        return
      }
      case 'TSTORE':
        transient.set(event.address, event.stack(0), termAt(event, 1, height))
        return
      case 'TLOAD': {
        const own = transient.get(event.address, event.stack(0))
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
        const bytes = length <= MAX_KEY_BYTES ? event.memory(at, length) : undefined
        const key = isRaw ? memory.get(at) : undefined
        source(place, (hash) => {
          if (bytes) entries.add(hash, bytes, key)
          return hashed(words, length, hash)
        })
        return
      }
      case 'CALLDATACOPY':
      case 'RETURNDATACOPY':
      case 'MCOPY':
      case 'RETURN':
      case 'REVERT':
        moveWords(frame, event, name, isRaw)
        return
      case 'CALL':
      case 'CALLCODE':
      case 'DELEGATECALL':
      case 'STATICCALL': {
        leaveForCall(frame, event, name)
        frame.callee = termAt(event, 1, height)
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

  return keepCompiled('decisions', {
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
      if (caller?.callee) {
        const words = wordsAsPassed(caller.leaving, input)
        const asked = { to, runs: codeAddress, inputSize: input.length }
        log.addCall({ from, codeAddress: caller.codeAddress, ...asked, target: caller.callee, words })
      }
      stack = []
      const calldata = caller?.leaving ?? NOTHING
      const kept = log.branchesOf(code)
      frame = enteredFrame({ address, codeAddress, input, stack, met: branchesMet, kept, calldata })
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
      takeAnswer(frame, callee, began)
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
        case SWAP:
          exchange(height - 1, height - 2 - (opcode - SWAP1))
          return
        case DEEP: {
          const { operand } = event
          if (opcode === DUPN) stack[height] = stack[height - (DEEP_PLACES[operand] as number)]
          else exchange(height - 1 - upperPlace(opcode, operand), height - 1 - lowerPlace(opcode, operand))
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
          const { memory } = frame
          const at = offsetAt(event, 0)
          const kept = memory.get(at)
          // Whatever else has written there since is told by the value.
          if (kept) source(height - 1, (value) => (kept.value === value ? kept : { kind: 'constant', value }))
          else if (isRaw) source(height - 1, (value) => betweenWords(memory, at, value) ?? { kind: 'constant', value })
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
    finish: () => ({
      branches: log.branches,
      stores: log.stores,
      blocking,
      calls: log.calls,
      isTruncated: log.isTruncated,
    }),
  })
}
