import type { MachineState, Running } from './abstract-machine.js'
import { countWords, MAX_REGION_BYTES, type Memory, own } from './memory.js'
import { plainOf, type Term, type TermStore } from './terms.js'

/** The top of the stack. Blocks are only run where the stack is high enough. */
export function pop(store: TermStore, stack: Term[]): Term {
  const term = stack.pop()
  return term === undefined ? store.constant(0n) : plainOf(store, term)
}

export const popThree = (store: TermStore, stack: Term[]): [Term, Term, Term] => [
  pop(store, stack),
  pop(store, stack),
  pop(store, stack),
]

export function ownMemory(state: MachineState): Memory {
  state.memory = own(state.memory)
  return state.memory
}

/** Words that one unit of work goes through when memory is searched. */
const WORDS_PER_UNIT = 16

/**
 * Counts the work of copying bytes word by word, each of which is put among the words that are
 * known.
 */
export function charge(running: Running, bytes: number | undefined): void {
  if (bytes === undefined || bytes > MAX_REGION_BYTES) return
  running.extra += Math.floor(((bytes / 32) * countWords(running.state.memory)) / WORDS_PER_UNIT)
}

/** Bytes, where the code says how many; more than any memory has is unknown. */
export const sizeOf = (size: Term): number | undefined =>
  size.op === 'const' && size.value <= 1n << 32n ? Number(size.value) : undefined
