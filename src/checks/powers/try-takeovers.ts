import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import { type Move, play } from './play.js'
import type { Stage } from './stage.js'
import { keepWorst, MATTERS, type Tried } from './try-plan.js'

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
 * power of any address, whatever its present holder.
 */
export function tryTakeovers(stage: Stage, plans: readonly Plan[], hasBudget: () => boolean): Tried[] {
  const takeovers = plans
    .flatMap(candidatesOf)
    .slice(0, MAX_CANDIDATES)
    .filter((move) => writesCaller(stage, move))
    .slice(0, MAX_TAKEOVERS)
  const guarded = plans.filter(
    ({ holders, isConventional, kinds }) =>
      !isConventional && !holders.some(isAnyone) && MATTERS.some((kind) => kinds.has(kind)),
  )
  const found: Tried[] = []
  for (const first of takeovers) {
    for (const plan of guarded.slice(0, MAX_FUNCTIONS)) {
      const tried: Tried = { plan, holder: first.holder, calls: 0, found: [], harmless: [] }
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
  const holder = plan.holders.find(isAnyone)
  if (holder === undefined || plan.isConventional) return []
  const takesAddress = plan.parameters.some(({ type }) => type === 'address')
  const choice = plan.choices.find(({ address }) => !takesAddress || address === 'holder')
  return choice === undefined ? [] : [{ plan, holder, choice }]
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** Whether a word of the token's storage names the caller afterwards, alone or beside a flag. */
function writesCaller(stage: Stage, move: Move): boolean {
  const { writes } = play(stage, [move], { skip: new Set(), mayLook: false })
  const words = [...(writes.get(stage.token)?.values() ?? [])].map(({ after }) => after)
  const caller = BigInt(move.holder.address ?? 0)
  return words.some((word) => [word, word >> 8n, word >> 96n].some((part) => (part & ADDRESS_MASK) === caller))
}
