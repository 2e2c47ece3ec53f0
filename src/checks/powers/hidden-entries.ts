import type { FunctionFacts } from '../../bytecode/facts.js'
import type { Node } from '../../bytecode/interpret.js'
import { fromArgument } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { Term } from '../../bytecode/terms.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { Hex } from '../../hex.js'
import { toWrite, type WritingEntry } from './plans.js'
import type { TokenCode } from './read-contracts.js'
import { ANY_SLOT, writesOf } from './writers.js'

/** A way into the code, with what it writes besides balances and allowances. */
export interface CodeEntry extends WritingEntry {
  code: TokenCode
  fn: FunctionFacts
  /** Each write beside the node of the code that makes it. */
  places: readonly { node: Node; writes: WritingEntry['writes'] }[]
}

/** Calls without a selector that any function has. */
export const NO_SELECTOR: Hex = '0x00000000'
export const APPROVE: Hex = '0x095ea7b3'
export const TRANSFER: Hex = '0xa9059cbb'
export const TRANSFER_FROM: Hex = '0x23b872dd'
const STANDARD: readonly Hex[] = [APPROVE, TRANSFER, TRANSFER_FROM]

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
  const places = fn.effects.flatMap((effect) => {
    if (effect.kind !== 'write') return []
    const variable = isNamedByCaller(effect.key) ? ANY_SLOT : classifyKey(effect.key).id
    if (facts.roles.holdings.has(variable)) return []
    return [{ node: effect.node, writes: toWrite({ effect, variable }) }]
  })
  if (places.length === 0) return undefined
  const writes = places.flatMap((place) => place.writes)
  return { ...{ code, fn, places, writes, argumentTypes }, contract: account, selector: fn.selector ?? NO_SELECTOR }
}

/** A slot that is nothing but what the call says: a back door to all storage. */
const isNamedByCaller = (key: Term) =>
  classifyKey(key).id === '?' && key.taint.sources.length > 0 && key.taint.sources.every(fromArgument)

/** Writes of the entry that can be of the word for certain. */
export const hiddenWritesOf = (entry: WritingEntry, word: Slot) =>
  writesOf(entry, word).filter(({ variable }) => variable !== '?')
