import { immediateOf, type Program, readPush } from './disassemble.js'
import { type Effect, MAX_CALL_ARGUMENTS } from './effects.js'
import { type Entry, foldInEntry } from './entry.js'
import { foldTerm } from './fold.js'
import {
  loadRegion,
  loadSelector,
  loadWord,
  MAX_REGION_BYTES,
  type Memory,
  own,
  storeUnknown,
  storeWord,
} from './memory.js'
import { OP, opcodes } from './opcodes.js'
import { storageSource } from './storage-key.js'
import { readWrites } from './storage-write.js'
import type { Taint, Term, TermStore } from './term.js'

/** The machine between two instructions. */
export interface MachineState {
  stack: Term[]
  memory: Memory
  /** The call whose return data is at hand. */
  lastCall: Taint
}

/** How a block ends. `next` holds the pc that is reached without a jump. */
export type BlockEnd =
  | { kind: 'next'; next: number }
  | { kind: 'jump'; target: Term; pc: number }
  | { kind: 'branch'; target: Term; condition: Term; next: number; pc: number }
  | { kind: 'success'; pc: number }
  | { kind: 'failure'; pc: number }

export interface BlockResult {
  state: MachineState
  effects: Effect[]
  end: BlockEnd
  steps: number
}

/** The EVM's own bound (Yellow Paper 9.1). */
const MAX_STACK = 1_024

/** Runs the straight piece of code that begins at `pc`. `state.stack` is changed in place. */
export function executeBlock(
  store: TermStore,
  program: Program,
  entry: Entry,
  start: number,
  state: MachineState,
): BlockResult {
  const { code, jumpDestinations } = program
  const { stack } = state
  const effects: Effect[] = []
  let pc = start
  let steps = 0
  for (;;) {
    const opcode = code[pc] ?? OP.STOP
    steps += 1
    if (opcode >= OP.PUSH0 && opcode <= OP.PUSH32) {
      if (stack.length >= MAX_STACK) return { state, effects, end: { kind: 'failure', pc }, steps }
      stack.push(store.constant(readPush(code, pc)))
      pc += 1 + opcode - OP.PUSH0
    } else if (opcode === OP.JUMPDEST) {
      pc += 1
    } else {
      const info = opcodes[opcode]
      if (info === undefined || stack.length < info.pops) return { state, effects, end: { kind: 'failure', pc }, steps }
      if (stack.length - info.pops + info.pushes > MAX_STACK)
        return { state, effects, end: { kind: 'failure', pc }, steps }
      const end = executeOpcode(store, program, entry, opcode, pc, state, effects)
      if (end !== undefined) return { state, effects, end: end, steps }
      pc += 1 + immediateOf(opcode)
    }
    if (jumpDestinations[pc] === 1) return { state, effects, end: { kind: 'next', next: pc }, steps }
  }
}

/** One instruction other than PUSH and JUMPDEST. Returns an end where control leaves the straight line. */
function executeOpcode(
  store: TermStore,
  program: Program,
  entry: Entry,
  opcode: number,
  pc: number,
  state: MachineState,
  effects: Effect[],
): BlockEnd | undefined {
  const { stack } = state
  if (opcode >= 0x80 && opcode <= 0x8f) {
    stack.push(stack[stack.length - 1 - (opcode - 0x80)] ?? store.constant(0n))
    return undefined
  }
  if (opcode >= 0x90 && opcode <= 0x9f) {
    swap(stack, opcode - 0x8f)
    return undefined
  }
  const name = opcodes[opcode]?.name ?? ''
  switch (name) {
    case 'STOP':
      effects.push({ kind: 'return', pc, words: [] })
      return { kind: 'success', pc }
    case 'RETURN': {
      const offset = pop(store, stack)
      effects.push({ kind: 'return', pc, words: loadRegion(store, state.memory, offset, sizeOf(pop(store, stack))) })
      return { kind: 'success', pc }
    }
    case 'REVERT':
    case 'INVALID':
      return { kind: 'failure', pc }
    case 'SELFDESTRUCT':
      effects.push({ kind: 'destruct', pc, beneficiary: pop(store, stack) })
      return { kind: 'success', pc }
    case 'JUMP':
      return { kind: 'jump', target: pop(store, stack), pc }
    case 'JUMPI': {
      const target = pop(store, stack)
      return { kind: 'branch', target, condition: pop(store, stack), next: pc + 1, pc }
    }
    case 'POP':
      pop(store, stack)
      return undefined
    case 'PC':
      stack.push(store.constant(BigInt(pc)))
      return undefined
    case 'CODESIZE':
      stack.push(store.constant(BigInt(program.code.length)))
      return undefined
    case 'RETURNDATASIZE':
      stack.push(store.make('RETURNDATASIZE', [], 0n, 256, state.lastCall))
      return undefined
    case 'CALLDATALOAD':
      stack.push(loadCallData(store, pop(store, stack)))
      return undefined
    case 'CALLDATACOPY': {
      const [to, from, size] = [pop(store, stack), pop(store, stack), pop(store, stack)]
      copyIn(store, ownMemory(state), to, sizeOf(size), store.union(from.taint, store.taint('arg:*')), (offset) =>
        loadCallData(store, foldTerm(store, 'ADD', [from, store.constant(BigInt(offset))])),
      )
      return undefined
    }
    case 'CODECOPY': {
      const [to, from, size] = [pop(store, stack), pop(store, stack), pop(store, stack)]
      const at = from.op === 'const' ? Number(from.value) : undefined
      copyIn(store, ownMemory(state), to, sizeOf(size), from.taint, (offset) =>
        at === undefined ? undefined : store.constant(readWord(program.code, at + offset)),
      )
      return undefined
    }
    case 'EXTCODECOPY': {
      const [address, to, from, size] = [pop(store, stack), pop(store, stack), pop(store, stack), pop(store, stack)]
      storeUnknown(store, ownMemory(state), to, sizeOf(size), store.union(address.taint, from.taint))
      return undefined
    }
    case 'RETURNDATACOPY': {
      const [to, from, size] = [pop(store, stack), pop(store, stack), pop(store, stack)]
      const bytes = sizeOf(size)
      storeUnknown(store, ownMemory(state), to, bytes, store.union(state.lastCall, from.taint))
      if (bytes === undefined || bytes >= 32)
        storeWord(store, state.memory, to, store.makeTainted('returned', [], 0n, 256, state.lastCall))
      return undefined
    }
    case 'MCOPY': {
      const [to, from, size] = [pop(store, stack), pop(store, stack), pop(store, stack)]
      const source = state.memory
      const bytes = sizeOf(size)
      const words = bytes !== undefined && bytes <= MAX_REGION_BYTES ? readWords(store, source, from, bytes) : []
      const taint = words.reduce((all, { taint }) => store.union(all, taint), store.union(source.rest, from.taint))
      copyIn(store, ownMemory(state), to, bytes, taint, (offset) => words[offset / 32])
      return undefined
    }
    case 'MLOAD':
      stack.push(loadWord(store, state.memory, pop(store, stack)))
      return undefined
    case 'MSTORE': {
      const to = pop(store, stack)
      storeWord(store, ownMemory(state), to, pop(store, stack))
      return undefined
    }
    case 'MSTORE8': {
      const to = pop(store, stack)
      storeUnknown(store, ownMemory(state), to, 1, pop(store, stack).taint)
      return undefined
    }
    case 'SLOAD': {
      const key = pop(store, stack)
      effects.push({ kind: 'read', pc, key })
      stack.push(store.make('sload', [key], 0n, 256, store.taint(storageSource(key))))
      return undefined
    }
    case 'SSTORE': {
      const key = pop(store, stack)
      effects.push(...readWrites(store, pc, key, pop(store, stack)))
      return undefined
    }
    case 'TSTORE':
      pop(store, stack)
      pop(store, stack)
      return undefined
    case 'KECCAK256': {
      const offset = pop(store, stack)
      stack.push(store.make('keccak', loadRegion(store, state.memory, offset, sizeOf(pop(store, stack)))))
      return undefined
    }
    case 'LOG0':
    case 'LOG1':
    case 'LOG2':
    case 'LOG3':
    case 'LOG4': {
      const offset = pop(store, stack)
      const data = loadRegion(store, state.memory, offset, sizeOf(pop(store, stack)))
      effects.push({ kind: 'log', pc, topics: Array.from({ length: opcode - 0xa0 }, () => pop(store, stack)), data })
      return undefined
    }
    case 'CREATE':
    case 'CREATE2': {
      const [value, offset, size] = [pop(store, stack), pop(store, stack), pop(store, stack)]
      const salt = name === 'CREATE2' ? pop(store, stack) : value
      const codeTaint = taintOf(store, loadRegion(store, state.memory, offset, sizeOf(size)))
      effects.push({ kind: 'create', pc, op: name, codeTaint, value })
      state.lastCall = store.union(store.taint(`call:${pc}`), salt.taint)
      stack.push(store.makeTainted('created', [], BigInt(pc), 256, state.lastCall))
      return undefined
    }
    case 'CALL':
    case 'CALLCODE':
    case 'DELEGATECALL':
    case 'STATICCALL':
      executeCall(store, name, pc, state, effects)
      return undefined
    default: {
      const args: Term[] = []
      for (let n = opcodes[opcode]?.pops ?? 0; n > 0; n -= 1) args.push(pop(store, stack))
      stack.push(foldInEntry(store, entry, name, args))
      return undefined
    }
  }
}

/** The top of the stack. Blocks are only run where the stack is high enough. */
const pop = (store: TermStore, stack: Term[]): Term => stack.pop() ?? store.constant(0n)

function ownMemory(state: MachineState): Memory {
  state.memory = own(state.memory)
  return state.memory
}

function swap(stack: Term[], distance: number): void {
  const top = stack.length - 1
  const [a, b] = [stack[top], stack[top - distance]]
  if (a === undefined || b === undefined) return
  stack[top] = b
  stack[top - distance] = a
}

const sizeOf = (size: Term): number | undefined =>
  size.op === 'const' && size.value <= 1n << 32n ? Number(size.value) : undefined

function readWord(code: Uint8Array, at: number): bigint {
  let value = 0n
  for (let i = 0; i < 32; i += 1) value = (value << 8n) | BigInt(code[at + i] ?? 0)
  return value
}

function loadCallData(store: TermStore, offset: Term): Term {
  if (offset.op !== 'const') return store.unknown(store.union(offset.taint, store.taint('arg:*')))
  return store.makeTainted(
    'calldata',
    [],
    offset.value,
    256,
    store.taint(offset.value === 0n ? 'selector' : `arg:${offset.value}`),
  )
}

/** Copies words into memory where `word` knows them, and their taint where it does not. The memory must be owned. */
function copyIn(
  store: TermStore,
  memory: Memory,
  to: Term,
  bytes: number | undefined,
  taint: Taint,
  word: (offset: number) => Term | undefined,
): void {
  storeUnknown(store, memory, to, bytes, taint)
  if (bytes === undefined || bytes > MAX_REGION_BYTES) return
  for (let offset = 0; offset + 32 <= bytes; offset += 32) {
    const term = word(offset)
    if (term === undefined) return
    storeWord(store, memory, foldTerm(store, 'ADD', [to, store.constant(BigInt(offset))]), term)
  }
}

function readWords(store: TermStore, memory: Memory, from: Term, bytes: number): Term[] {
  const words: Term[] = []
  for (let offset = 0; offset < bytes; offset += 32) {
    words.push(loadWord(store, memory, foldTerm(store, 'ADD', [from, store.constant(BigInt(offset))])))
  }
  return words
}

const taintOf = (store: TermStore, terms: readonly Term[]): Taint =>
  terms.reduce((all, { taint }) => store.union(all, taint), store.noTaint)

function executeCall(
  store: TermStore,
  op: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL',
  pc: number,
  state: MachineState,
  effects: Effect[],
): void {
  const { stack } = state
  const [gas, target] = [pop(store, stack), pop(store, stack)]
  const value = op === 'CALL' || op === 'CALLCODE' ? pop(store, stack) : store.constant(0n)
  const [offset, size, outOffset, outSize] = [
    pop(store, stack),
    pop(store, stack),
    pop(store, stack),
    pop(store, stack),
  ]
  const region = loadRegion(store, state.memory, offset, sizeOf(size))
  const inputTaint = store.union(taintOf(store, region), size.taint)
  const args: Term[] = []
  for (let at = 4; at < Math.min(sizeOf(size) ?? 4 + 32 * MAX_CALL_ARGUMENTS, 4 + 32 * MAX_CALL_ARGUMENTS); at += 32) {
    args.push(loadWord(store, state.memory, foldTerm(store, 'ADD', [offset, store.constant(BigInt(at))])))
  }
  const selector = sizeOf(size) === 0 ? store.unknown(store.noTaint) : loadSelector(store, state.memory, offset)
  effects.push({ kind: 'call', pc, op, target, value, gas, selector, args, inputTaint, inputSize: size })
  const result = store.taint(`call:${pc}`)
  state.lastCall = store.union(store.union(result, inputTaint), target.taint)
  const outBytes = sizeOf(outSize)
  if (outBytes !== 0) {
    state.memory = own(state.memory)
    storeUnknown(store, state.memory, outOffset, outBytes, state.lastCall)
    for (let at = 0; at + 32 <= Math.min(outBytes ?? 0, MAX_REGION_BYTES); at += 32) {
      const word = store.makeTainted('returned', [target], (BigInt(at) << 32n) | BigInt(pc), 256, state.lastCall)
      storeWord(store, state.memory, foldTerm(store, 'ADD', [outOffset, store.constant(BigInt(at))]), word)
    }
  }
  stack.push(store.makeTainted('call', [target], BigInt(pc), 256, result))
}
