import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import { type Move, play } from './play.js'
import type { Stage } from './stage.js'
import { keepWorst, MATTERS, type Tried } from './try-plan.js'
import { DEAD } from './try-setting.js'

/**
 * Calls by which a stranger may become a holder, those of them that are gone on with, and what is
 * then tried.
 */
const MAX_CANDIDATES = 12
const MAX_TAKEOVERS = 3
const CHOICES_PER_FUNCTION = 4
const MAX_FUNCTIONS = 12

/**
 * Tries whether any address can become a holder: an open function that writes the stranger's
 * address, and then, by the same stranger, what only holders may do. What works in this way is a
 * power of any address, whatever its present holder. The same for one who gave a privilege away and
 * can take it back: what no address may do now, the former holder may then.
 */
export function tryTakeovers(stage: Stage, plans: readonly Plan[], hasBudget: () => boolean): Tried[] {
  const guarded = plans.filter(
    ({ holders, isConventional, kinds }) =>
      !isConventional && !holders.some(isAnyone) && MATTERS.some((kind) => kinds.has(kind)),
  )
  const abandoned = guarded.filter(({ holders }) => holders.every(({ kind }) => DEAD.has(kind)))
  const takeovers = plans
    .flatMap(candidatesOf)
    .filter(({ holder }) => isAnyone(holder) || abandoned.length > 0)
    .toSorted((a, b) => Number(isAnyone(b.holder)) - Number(isAnyone(a.holder)))
    .slice(0, MAX_CANDIDATES)
    .filter((move) => writesCaller(stage, move))
    .slice(0, MAX_TAKEOVERS)
  const found: Tried[] = []
  for (const first of takeovers) {
    for (const plan of (isAnyone(first.holder) ? guarded : abandoned).slice(0, MAX_FUNCTIONS)) {
      const tried: Tried = { plan, holder: first.holder, calls: 0, found: [], harmless: [], wrote: new Set() }
      const seen = new Set<string>()
      for (const choice of plan.choices.slice(0, CHOICES_PER_FUNCTION)) {
        if (!hasBudget()) return found
        const { effects } = play(stage, [first, { ...first, plan, choice }], { skip: seen, mayLook: true })
        tried.calls += 2
        for (const effect of effects) keepWorst(tried, effect)
      }
      if (tried.found.length > 0) found.push(tried)
    }
  }
  return found
}

const isAnyone = ({ kind }: ActingHolder) => kind === 'anyone'

/** Calls that may name the caller: without an address, or with the caller's own. */
function candidatesOf(plan: Plan): Move[] {
  const holder = plan.holders.find(isAnyone) ?? plan.holders.find(({ address }) => address !== undefined)
  if (holder === undefined || plan.isConventional) return []
  // A holder who names itself as the code becomes no holder by that.
  if (!isAnyone(holder) && plan.kinds.has('code')) return []
  const takesAddress = plan.parameters.some(({ type }) => type === 'address')
  const choice = plan.choices.find(({ address }) => !takesAddress || address === 'holder')
  return choice === undefined ? [] : [{ plan, holder, choice }]
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** Where an address may stand in a word, beside flags. */
const PLACES = Array.from({ length: 13 }, (_, byte) => BigInt(8 * byte))

/** Whether a word of the token's storage names the caller afterwards, alone or beside a flag. */
function writesCaller(stage: Stage, move: Move): boolean {
  const { writes } = play(stage, [move], { skip: new Set(), mayLook: false })
  const changed = [...(writes.get(stage.token)?.values() ?? [])].filter(({ before, after }) => before !== after)
  const words = changed.map(({ after }) => after)
  const caller = BigInt(move.holder.address ?? 0)
  return words.some((word) => PLACES.some((bits) => ((word >> bits) & ADDRESS_MASK) === caller))
}
