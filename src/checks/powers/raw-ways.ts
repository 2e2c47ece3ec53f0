import type { Decision, Decisions, Stored } from '../../evm/inspectors/decisions.js'
import {
  isSmall,
  type MappingEntry,
  operation,
  type Slot,
  sources,
  sourcesOf,
  type Term,
  termsIn,
} from '../../evm/inspectors/term.js'
import { leavesOf } from '../conditions/conditions.js'
import type { DecisiveWords } from './decisive-words.js'
import { findWay, movesThatWrite, type WaySearch } from './find-way.js'
import { type Goal, isPast, storesOf } from './raw-goals.js'
import { otherwise, type RawInput } from './raw-input.js'
import { wantedOf } from './try-setting.js'
import { keysOfWord, writesOf } from './writers.js'

/** Accounts with a say that a call is made as, where its sender was asked for. */
const MAX_SENDERS = 4
/** Calls that come before one, words that one refusal asks for, and ways to write one of them. */
const MAX_BEFORE = 4
const MAX_WORDS = 2
const MAX_WAYS = 2

/** A search that calls of functions may be put before. */
export interface RawWays {
  goal: Goal
  decisive: DecisiveWords
  ways: WaySearch
}

/** Inputs that may come nearer to the goal than this one did, the most promising first. */
export function nextInputs(
  the: RawWays,
  input: RawInput,
  decisions: Decisions,
  strayed: Decision | undefined,
): RawInput[] {
  const { goal } = the
  if (strayed !== undefined)
    return [
      ...otherwise(input, strayed.condition),
      ...asOthers(the, input, strayed),
      ...afterOthers(the, input, strayed),
    ]
  return [...ofVictims(the, input, decisions), ...(isPast(goal, decisions) ? wishes(the, input, decisions) : [])]
}

/** Whether a hash of what the caller chooses decides: no search finds what it asks for. */
export const isSecret = ({ condition }: Decision): boolean =>
  isSmall(condition) &&
  [...termsIn(condition)].some(
    (term) =>
      term.kind === 'operation' &&
      term.name === 'KECCAK256' &&
      (sourcesOf(term) & (sources.argument | sources.environment)) !== 0,
  )

/** The same by accounts with a say, where lists or hashes decide who may. */
function asOthers({ ways: { finder } }: RawWays, input: RawInput, { condition }: Decision): RawInput[] {
  if (!isSmall(condition) || !leavesOf(condition).some((leaf) => isAboutSender(leaf, input))) return []
  const others = finder.candidates.filter((each) => each !== input.from)
  return others.slice(0, MAX_SENDERS).map((from) => ({ ...input, from }))
}

const isAboutSender = (leaf: Term, { from }: RawInput) =>
  (leaf.kind === 'environment' && (leaf.name === 'CALLER' || leaf.name === 'ORIGIN')) ||
  (leaf.kind === 'slot' && keysOfWord(leaf).includes(BigInt(from)))

/** The same after calls of functions that write what the refusal asks for. */
function afterOthers({ ways }: RawWays, input: RawInput, { condition }: Decision): RawInput[] {
  const before = input.before ?? []
  if (!isSmall(condition) || before.length >= MAX_BEFORE) return []
  const words = leavesOf(condition).filter((leaf): leaf is Slot => leaf.kind === 'slot' && !isAboutSender(leaf, input))
  return words.slice(0, MAX_WORDS).flatMap((word) =>
    movesThatWrite(ways, before, before.length, word, condition, ways.finder.describe(input.from, true))
      .slice(0, MAX_WAYS)
      .map((move) => findWay(ways, [...before, move], MAX_BEFORE - before.length))
      .filter((way) => way !== undefined)
      .map((way) => ({ ...input, before: way })),
  )
}

/** The same about one who has bought, or the pool, where the call says whose entry it writes. */
function ofVictims({ goal, ways: { stage } }: RawWays, input: RawInput, decisions: Decisions): RawInput[] {
  const traders = [stage.buyer.context.trader.address, stage.market.pool.address].map(BigInt)
  const wanted = goal.words.length === 0 ? traders.map((each) => [each]) : goal.words.map(keysOfWord)
  return storesOf(goal, decisions).flatMap((stored) =>
    wanted.flatMap((keys) => keysOf(stored).flatMap((key, at) => named(input, key, keys[at]))),
  )
}

/** How each key of the word was computed, the outer first. */
function keysOf({ entry }: Stored): Term[] {
  const keys: Term[] = []
  for (let at: MappingEntry | undefined = entry; at?.term !== undefined; at = at.within) keys.unshift(at.term)
  return keys
}

const named = (input: RawInput, key: Term, wanted: bigint | undefined): RawInput[] =>
  wanted === undefined || key.value === wanted
    ? []
    : otherwise(input, operation('EQ', [key, { kind: 'constant', value: wanted }])).slice(0, 1)

/** Inputs with which the call writes what turns a condition of the sale. */
function wishes({ goal, decisive }: RawWays, input: RawInput, { stores }: Decisions): RawInput[] {
  return goal.words.flatMap((word) => {
    const stored = stores.find(({ address, slot }) => word.address === address && word.slot === slot)
    if (stored === undefined) return []
    const writer = { writes: writesOf(goal.entry, word), isHidden: true }
    return wantedOf(writer, word, decisive.conditions).flatMap((value) =>
      otherwise(input, operation('EQ', [stored.value, { kind: 'constant', value }])).slice(0, 1),
    )
  })
}
