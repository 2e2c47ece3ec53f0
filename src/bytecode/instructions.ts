import { DEEP_PLACES, FAR_PLACES, NEAR_PLACES } from '../instructions/deep-stack.js'
import { opcodeTable } from '../instructions/opcodes.js'
import type { Handler, Running } from './abstract-machine.js'
import { executeCall, executeCreate } from './call-instructions.js'
import { foldInEntry } from './entry.js'
import { foldTerm } from './fold.js'
import { loadRegion, loadWord, MAX_REGION_BYTES, type Memory, storeUnknown, storeWord } from './memory.js'
import { charge, ownMemory, pop, popThree, sizeOf } from './operands.js'
import { argumentSource, SOURCE } from './source.js'
import { sourceOfKey } from './storage-key.js'
import { readWrites } from './storage-write.js'
import type { Taint, Term, TermStore } from './terms.js'

/**
 * What each opcode does, by its number; `undefined` where the byte means nothing. PUSHes and
 * JUMPDEST are not asked for.
 */
export function createHandlers(): (Handler | undefined)[] {
  return opcodeTable.map((info, opcode) => {
    if (info === undefined) return undefined
    if (info.immediate === 1 && DEEP[info.name]) return DEEP[info.name]
    if (info.name.startsWith('DUP')) return duplicate(opcode - 0x7f)
    if (info.name.startsWith('SWAP')) return exchange(opcode - 0x8f)
    if (info.name.startsWith('LOG')) return log(opcode - 0xa0)
    return HANDLERS[info.name] ?? compute(info.name, info.pops)
  })
}

const duplicate =
  (depth: number): Handler =>
  ({ state: { stack }, store }) =>
    void stack.push(stack[stack.length - depth] ?? store.constant(0n))

const exchange =
  (distance: number): Handler =>
  ({ state: { stack } }) =>
    swap(stack, distance)

const log =
  (topics: number): Handler =>
  ({ store, state, effects }, pc) => {
    const { stack } = state
    const offset = pop(store, stack)
    const data = loadRegion(store, state.memory, offset, sizeOf(pop(store, stack)))
    effects.push({ kind: 'log', pc, topics: Array.from({ length: topics }, () => pop(store, stack)), data })
    return undefined
  }

/** Arithmetic, comparisons and what the environment says. */
function compute(name: string, pops: number): Handler {
  if (pops === 1) {
    return ({ store, entry, state: { stack } }) => {
      stack.push(foldInEntry(store, entry, name, [pop(store, stack)]))
      return undefined
    }
  }
  if (pops === 2) {
    return ({ store, entry, state: { stack } }) => {
      const a = pop(store, stack)
      stack.push(foldInEntry(store, entry, name, [a, pop(store, stack)]))
      return undefined
    }
  }
  return ({ store, entry, state: { stack } }) => {
    const args: Term[] = []
    for (let n = pops; n > 0; n -= 1) args.push(pop(store, stack))
    stack.push(foldInEntry(store, entry, name, args))
    return undefined
  }
}

/** The opcodes whose operand is a place of the stack (EIP-8024); they halt where it is refused. */
const DEEP: Record<string, Handler | undefined> = {
  DUPN: deep(DEEP_PLACES, 0, ({ state: { stack } }, place) => {
    stack.push(stack[stack.length - place] as Term)
  }),
  SWAPN: deep(DEEP_PLACES, 1, ({ state: { stack } }, place) => swap(stack, place)),
  EXCHANGE: deep(FAR_PLACES, 1, ({ state: { stack } }, place, operand) =>
    swap(stack, place, NEAR_PLACES[operand] as number),
  ),
}

function deep(
  places: Uint8Array,
  below: number,
  work: (running: Running, place: number, operand: number) => void,
): Handler {
  return (running, pc) => {
    const operand = running.program.code[pc + 1] ?? 0
    const place = places[operand] as number
    if (place === 0 || place + below > running.state.stack.length) return { kind: 'failure', pc }
    work(running, place, operand)
    return undefined
  }
}

const HANDLERS: Record<string, Handler> = {
  STOP({ effects }, pc) {
    effects.push({ kind: 'return', pc, words: [] })
    return { kind: 'success', pc }
  },
  RETURN({ store, state, effects }, pc) {
    const offset = pop(store, state.stack)
    const words = loadRegion(store, state.memory, offset, sizeOf(pop(store, state.stack)))
    effects.push({ kind: 'return', pc, words })
    return { kind: 'success', pc }
  },
  REVERT: (_running, pc) => ({ kind: 'failure', pc }),
  INVALID: (_running, pc) => ({ kind: 'failure', pc }),
  SELFDESTRUCT({ store, state, effects }, pc) {
    effects.push({ kind: 'destruct', pc, beneficiary: pop(store, state.stack) })
    return { kind: 'success', pc }
  },
  JUMP: ({ store, state }, pc) => ({ kind: 'jump', target: pop(store, state.stack), pc }),
  JUMPI({ store, state }, pc) {
    const target = pop(store, state.stack)
    return { kind: 'branch', target, condition: pop(store, state.stack), next: pc + 1, pc }
  },
  POP({ state }) {
    state.stack.pop()
    return undefined
  },
  PC({ store, state }, pc) {
    state.stack.push(store.constant(BigInt(pc)))
    return undefined
  },
  CODESIZE({ store, state, program }) {
    state.stack.push(store.constant(BigInt(program.code.length)))
    return undefined
  },
  RETURNDATASIZE({ store, state }) {
    state.stack.push(store.make('RETURNDATASIZE', [], 0n, 256, state.lastCall))
    return undefined
  },
  CALLDATALOAD({ store, state: { stack } }) {
    stack.push(loadCallData(store, pop(store, stack)))
    return undefined
  },
  CALLDATACOPY(running) {
    const { store, state } = running
    const [to, from, size] = popThree(store, state.stack)
    charge(running, sizeOf(size))
    copyIn(
      store,
      ownMemory(state),
      to,
      sizeOf(size),
      store.union(from.taint, store.taint(SOURCE.anyArgument)),
      (offset) => loadCallData(store, foldTerm(store, 'ADD', [from, store.constant(BigInt(offset))])),
    )
    return undefined
  },
  CODECOPY(running) {
    const { store, state, program } = running
    const [to, from, size] = popThree(store, state.stack)
    charge(running, sizeOf(size))
    const at = from.op === 'const' ? Number(from.value) : undefined
    const entry = readTableEntry(running, to, from, size)
    copyIn(store, ownMemory(state), to, sizeOf(size), from.taint, (offset) =>
      at === undefined ? undefined : store.constant(readWord(program.code, at + offset)),
    )
    if (entry !== undefined) storeWord(store, state.memory, entry.place, entry.word)
    return undefined
  },
  EXTCODECOPY({ store, state }) {
    const address = pop(store, state.stack)
    const [to, from, size] = popThree(store, state.stack)
    storeUnknown(store, ownMemory(state), to, sizeOf(size), store.union(address.taint, from.taint))
    return undefined
  },
  RETURNDATACOPY({ store, state }) {
    const [to, from, size] = popThree(store, state.stack)
    const bytes = sizeOf(size)
    storeUnknown(store, ownMemory(state), to, bytes, store.union(state.lastCall, from.taint))
    if (bytes === undefined || bytes >= 32)
      storeWord(store, state.memory, to, store.makeTainted('returned', [], 0n, 256, state.lastCall))
    return undefined
  },
  MCOPY(running) {
    const { store, state } = running
    const [to, from, size] = popThree(store, state.stack)
    charge(running, sizeOf(size))
    const source = state.memory
    const bytes = sizeOf(size)
    const words = bytes !== undefined && bytes <= MAX_REGION_BYTES ? readWords(store, source, from, bytes) : []
    const taint = words.reduce((all, { taint }) => store.union(all, taint), store.union(source.rest, from.taint))
    copyIn(store, ownMemory(state), to, bytes, taint, (offset) => words[offset / 32])
    return undefined
  },
  MLOAD({ store, state }) {
    state.stack.push(loadWord(store, state.memory, pop(store, state.stack)))
    return undefined
  },
  MSTORE({ store, state }) {
    const to = pop(store, state.stack)
    // What a branch found out about the word stays with it in memory.
    storeWord(store, ownMemory(state), to, state.stack.pop() ?? store.constant(0n))
    return undefined
  },
  MSTORE8({ store, state }) {
    const to = pop(store, state.stack)
    storeUnknown(store, ownMemory(state), to, 1, pop(store, state.stack).taint)
    return undefined
  },
  SLOAD({ store, state, effects }, pc) {
    const key = pop(store, state.stack)
    effects.push({ kind: 'read', pc, key })
    state.stack.push(store.make('sload', [key], 0n, 256, store.taint(sourceOfKey(key))))
    return undefined
  },
  SSTORE({ store, state, effects }, pc) {
    const key = pop(store, state.stack)
    effects.push(...readWrites(store, pc, key, pop(store, state.stack)))
    return undefined
  },
  TSTORE({ store, state, effects }, pc) {
    const key = pop(store, state.stack)
    effects.push({ kind: 'transient', pc, key, value: pop(store, state.stack) })
    return undefined
  },
  KECCAK256({ store, state }) {
    const offset = pop(store, state.stack)
    state.stack.push(store.make('keccak', loadRegion(store, state.memory, offset, sizeOf(pop(store, state.stack)))))
    return undefined
  },
  CREATE: (running, pc) => executeCreate(running, 'CREATE', pc),
  CREATE2: (running, pc) => executeCreate(running, 'CREATE2', pc),
  CALL: (running, pc) => executeCall(running, 'CALL', pc),
  CALLCODE: (running, pc) => executeCall(running, 'CALLCODE', pc),
  DELEGATECALL: (running, pc) => executeCall(running, 'DELEGATECALL', pc),
  STATICCALL: (running, pc) => executeCall(running, 'STATICCALL', pc),
}

function swap(stack: Term[], distance: number, from = 0): undefined {
  const [upper, lower] = [stack.length - 1 - from, stack.length - 1 - distance]
  const [a, b] = [stack[upper], stack[lower]]
  if (a === undefined || b === undefined) return undefined
  stack[upper] = b
  stack[lower] = a
  return undefined
}

function readWord(code: Uint8Array, at: number): bigint {
  let value = 0n
  for (let i = 0; i < 32; i += 1) value = (value << 8n) | BigInt(code[at + i] ?? 0)
  return value
}

/**
 * Some bytes of code put at the end of a word that is known before: how Vyper takes an entry from a
 * jump table, and from a second one that the first names (its documentation, "selector tables").
 * Gives the word and its place.
 */
function readTableEntry(
  { store, state: { memory }, program: { code } }: Running,
  { place: to }: Term,
  { place: from }: Term,
  { place: size }: Term,
): { place: Term; word: Term } | undefined {
  if (from < 0 || size < 1 || size > 31 || to + size < 32) return undefined
  const place = store.constant(BigInt(to + size - 32))
  const before = memory.fresh ? store.constant(0n) : loadWord(store, memory, place)
  if (before.op !== 'const') return undefined
  let value = 0n
  for (let i = 0; i < size; i += 1) value = (value << 8n) | BigInt(code[from + i] ?? 0)
  const kept = (before.value >> BigInt(8 * size)) << BigInt(8 * size)
  return { place, word: store.constant(kept | value) }
}

function loadCallData(store: TermStore, offset: Term): Term {
  if (offset.op !== 'const') {
    const taint = store.union(offset.taint, store.taint(SOURCE.anyArgument))
    return store.makeTainted('element', [offset], 0n, 256, taint)
  }
  return store.makeTainted(
    'calldata',
    [],
    offset.value,
    256,
    store.taint(offset.value === 0n ? SOURCE.selector : argumentSource(offset.value)),
  )
}

/**
 * Copies words into memory where `word` knows them, and their taint where it does not. The memory
 * must be owned.
 */
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
