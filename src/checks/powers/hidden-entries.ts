import type { FunctionFacts } from '../../bytecode/facts.js'
import type { Node } from '../../bytecode/interpret.js'
import { fromArgument, UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { Term } from '../../bytecode/terms.js'
import { isArgumentOf } from '../../bytecode/token-facts.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { Hex } from '../../hex.js'
import { type PlannedWrite, toWrite, type WritingEntry } from './plans.js'
import type { TokenCode } from './read-contracts.js'
import { ANY_SLOT, writesOf } from './writers.js'

/** A way into the code, with what it writes besides balances and allowances. */
export interface CodeEntry extends WritingEntry {
  code: TokenCode
  fn: FunctionFacts
  /** Each write beside the nodes of the code that make it. */
  places: readonly Place[]
  /** The same of balances and allowances. */
  books: readonly Place[]
}

/** An instruction that writes, in each of the ways that lead there. */
export interface Place {
  pc: number
  nodes: readonly Node[]
  writes: WritingEntry['writes']
  /** The call says whose entry it is. */
  isNamed: boolean
}

/** Calls without a selector that any function has. */
export const NO_SELECTOR: Hex = '0x00000000'
export const APPROVE: Hex = '0x095ea7b3'
export const TRANSFER: Hex = '0xa9059cbb'
export const TRANSFER_FROM: Hex = '0x23b872dd'
const STANDARD: readonly Hex[] = [APPROVE, TRANSFER, TRANSFER_FROM]

/** Neither the fallback nor what every token has. */
export const isOwnFunction = (selector: Hex): boolean => selector !== NO_SELECTOR && !STANDARD.includes(selector)

/**
 * Entries that are no functions of their own: the fallback, and the standard functions, which do
 * something else with special arguments.
 */
export const hiddenEntries = (code: TokenCode): CodeEntry[] =>
  code.facts.functions.flatMap((fn) => {
    if (fn.selector !== undefined && !STANDARD.includes(fn.selector)) return []
    return entryOf(code, fn) ?? []
  })

/** `undefined` where it writes nothing. */
export function entryOf(code: TokenCode, fn: FunctionFacts, argumentTypes = ''): CodeEntry | undefined {
  const { account, facts } = code
  const all = new Map<string, Place & { isOfBooks: boolean }>()
  for (const effect of fn.effects) {
    if (effect.kind !== 'write') continue
    const variable = isNamedByCaller(effect.key) ? ANY_SLOT : classifyKey(effect.key).id
    const name = `${effect.pc} ${variable}`
    const { nodes = [], writes = [] } = all.get(name) ?? {}
    const isNamed = classifyKey(effect.key).keys.some(isArgumentOf)
    const more = toWrite(code, { effect, variable }).filter(
      (write) => !writes.some((known) => isSameWrite(known, write)),
    )
    const isOfBooks = facts.roles.holdings.has(variable)
    all.set(name, { pc: effect.pc, nodes: [...nodes, effect.node], writes: [...writes, ...more], isNamed, isOfBooks })
  }
  if (all.size === 0) return undefined
  const books = [...all.values()].filter(({ isOfBooks }) => isOfBooks)
  const places = [...all.values()].filter(({ isOfBooks }) => !isOfBooks)
  const writes = places.flatMap((place) => place.writes)
  const selector = fn.selector ?? NO_SELECTOR
  return { ...{ code, fn, places, books, writes, argumentTypes }, contract: account, selector }
}

const isSameWrite = (a: PlannedWrite, b: PlannedWrite) =>
  a.shift === b.shift && a.width === b.width && a.constant === b.constant && a.adds === b.adds

/** A slot that is nothing but what the call says: a back door to all storage. */
const isNamedByCaller = (key: Term) =>
  classifyKey(key).id === UNKNOWN_VARIABLE && key.taint.sources.length > 0 && key.taint.sources.every(fromArgument)

/** Writes of the entry that can be of the word for certain. */
export const hiddenWritesOf = (entry: WritingEntry, word: Slot) =>
  writesOf(entry, word).filter(({ variable }) => variable !== UNKNOWN_VARIABLE)
