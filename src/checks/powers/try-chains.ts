import { createAskedPlans } from './asked-plans.js'
import { attempt, findWay, type WaySearch } from './find-way.js'
import type { HolderFinder } from './holders.js'
import { withoutFalseNotice } from './notice.js'
import type { Plan } from './plans.js'
import { type Move, play } from './play.js'
import type { Stage } from './stage.js'
import { keepWorst, MATTERS, type Tried } from './try-plan.js'
import { vary } from './vary-chain.js'

/** Calls that are put before another one, waits included. */
const MAX_DEPTH = 5
/** Functions that a way is looked for to, and tries of it, each of some calls. */
const MAX_GOALS = 8
const MAX_TRIES = 160
/** Each goal gets so many in its turn, and where no way was found, what is left by all. */
const FIRST_TRIES = 40

/**
 * Looks for a way to each function whose every call was refused: the refusal's own branch tells
 * what it asks for. What another function writes is written first, by calls that may need others
 * before them; what the clock decides is waited for; what an argument decides is passed. So
 * two-step ownership, unlocking, commit and reveal, queue and execute open themselves.
 */
export function tryChains(
  stage: Stage,
  { plans, finder, all }: { plans: readonly Plan[]; finder: HolderFinder; all: readonly Tried[] },
  hasBudget: () => boolean,
): void {
  const plansOf = createAskedPlans(stage, plans, finder)
  const goals = all.filter(isRefused).slice(0, MAX_GOALS)
  const turns = [FIRST_TRIES, MAX_TRIES].flatMap((most) => goals.map((tried) => ({ tried, most })))
  const done = new Set<Tried>()
  let left = MAX_TRIES
  for (const { tried, most } of turns) {
    const { plan, holder } = tried
    const [choice] = plan.choices
    if (holder === undefined || choice === undefined || done.has(tried) || left <= 0) continue
    const budget = { tries: Math.min(left, most) }
    left -= budget.tries
    const search: WaySearch = { stage, finder, plans, plansOf, budget, hasBudget }
    const moves = findWay(search, [{ plan, holder, choice }], MAX_DEPTH)
    left += Math.max(budget.tries, 0)
    if (moves === undefined) continue
    done.add(tried)
    for (const way of vary(stage, shorten(stage, withoutWait(search, moves) ?? moves))) {
      if (!hasBudget()) return
      const { effects: seen, accepted } = play(stage, way, { skip: new Set(), mayLook: true })
      tried.calls += way.length
      const effects = withoutFalseNotice(stage, plans, seen, hasBudget)
      for (const effect of effects) keepWorst(tried, effect)
      if (effects.length > 0) break
      if (accepted) tried.harmless.push(...way.slice(-1))
    }
  }
}

const isRefused = ({ plan, holder, calls, found, harmless }: Tried) =>
  holder?.address !== undefined &&
  calls > 0 &&
  found.length === 0 &&
  harmless.length === 0 &&
  // Who lacks an allowance needs no way to it.
  !(plan.isConventional && plan.kinds.has('allowance')) &&
  MATTERS.some((kind) => plan.kinds.has(kind))

/** The same without the calls that were of no use. */
function shorten(stage: Stage, moves: readonly Move[]): readonly Move[] {
  let way = moves
  for (let at = 0; at < way.length - 1; ) {
    const shorter = way.filter((_, i) => i !== at)
    if (attempt(stage, shorter).at === shorter.length) way = shorter
    else at += 1
  }
  return way
}

/** Functions by which a delay may be shortened. */
const MAX_SHORTENERS = 12

/**
 * The same without any wait, after a call that sets a delay to nothing. `undefined` where none is
 * needed, or none helps.
 */
function withoutWait(search: WaySearch, moves: readonly Move[]): readonly Move[] | undefined {
  if (moves.every(({ waitSeconds }) => waitSeconds === undefined)) return undefined
  const [first] = moves
  const hasty = moves.map(({ waitSeconds: _, ...move }) => move)
  const setters = search.plans.filter(
    ({ contract, parameters }) =>
      contract === first?.plan.contract && parameters.some(({ type }) => /^u?int/.test(type)),
  )
  for (const plan of setters.slice(0, MAX_SHORTENERS)) {
    const [holder, choice] = [plan.holders.find(({ address }) => address !== undefined), plan.choices[0]]
    if (holder === undefined || choice === undefined || moves.some((move) => move.plan === plan)) continue
    if (search.budget.tries <= 0 || !search.hasBudget()) return undefined
    search.budget.tries -= 1
    const way = [{ plan, holder, choice: { ...choice, number: 0n } }, ...hasty]
    if (attempt(search.stage, way).at === way.length) return way
  }
  return undefined
}
