import { FULL_BPS } from '../../dex/tax.js'
import { onBranch } from '../on-branch.js'
import { type Acted, actAs } from './act.js'
import { openBooks } from './ledger.js'
import { type Effect, lookAtBooks } from './look.js'
import type { EffectKind, Power, ProofStep } from './power.js'
import type { Stage } from './stage.js'
import { GRAVE_BPS, keepWorst, type Tried } from './try-plan.js'

/** What a call takes a part of, so that the next one takes a part of the rest. */
const TAKEN: ReadonlySet<EffectKind> = new Set(['burns-balance', 'moves-balance', 'pulls-liquidity'])
/** Half of it, by one percent each time; what takes less is no loss that is told. */
const MOST_CALLS = 70
/** Functions that are made to do so again. */
const MAX_FUNCTIONS = 4
/** Calls that show whether it goes on. */
const FIRST_CALLS = 3

/** A part that calls took, the last of which is made again. */
interface Loss {
  kind: EffectKind
  lossBps: number
  steps: readonly ProofStep[]
}

/**
 * Calls that took a small part of what others have are made again in the same hands, until half of
 * it is gone: two percent of a balance are no bound where the call costs nothing but gas. A share
 * that is taken once, or once a day, does not grow by it.
 */
export function tryLossesAgain(
  stage: Stage,
  all: readonly Tried[],
  shown: readonly Power[],
  hasBudget: () => boolean,
): Power[] {
  let left = MAX_FUNCTIONS
  const again = (loss: Loss) => {
    if (left <= 0 || !hasBudget() || !isSmall(loss)) return undefined
    left -= 1
    const few = make(stage, loss, FIRST_CALLS)
    return few && few.effect.lossBps >= 2 * loss.lossBps ? (make(stage, loss, callsToHalf(loss)) ?? few) : undefined
  }
  for (const tried of all)
    for (const found of tried.found.filter(({ moves }) => moves.length === 1 && !moves[0]?.holder.assumed)) {
      const made = again(found)
      if (made) keepWorst(tried, { ...found, ...made.effect, steps: made.steps })
    }
  return shown.map((power) => {
    const { effect: kind, lossBps, proof, isShownBySetting } = power
    const made =
      proof && !proof.settings && !isShownBySetting ? again({ kind, lossBps, steps: proof.steps }) : undefined
    return made ? { ...power, ...toPower(made) } : power
  })
}

const isSmall = ({ kind, lossBps, steps }: Loss) =>
  TAKEN.has(kind) && lossBps < GRAVE_BPS && steps.length > 0 && steps.every(({ waitSeconds = 0 }) => waitSeconds === 0)

interface Made {
  effect: Effect
  steps: ProofStep[]
}

/** What came of the calls where the last of them was made so often. */
function make(stage: Stage, { kind, steps }: Loss, calls: number): Made | undefined {
  const last = steps.at(-1)
  if (last === undefined) return undefined
  const made = [...steps, ...Array.from({ length: calls - 1 }, () => last)]
  return onBranch(stage, () => {
    const books = openBooks(stage, last.from)
    let acted: Acted | undefined
    for (const step of made) {
      stage.effort.calls += 1
      acted = actAs(stage.fork, step, stage.operator)
      if (!acted.success) return undefined
    }
    const effects = acted ? lookAtBooks(stage, books.before, books.read(), acted) : []
    const effect = effects.find((each) => each.kind === kind)
    return effect && { effect: { ...effect, outcome: `after ${calls} such calls ${effect.outcome}` }, steps: made }
  })
}

/** After how many calls half is gone, where each takes such a part of the rest. */
function callsToHalf({ lossBps }: Loss): number {
  const calls = Math.ceil(Math.log(1 / 2) / Math.log(1 - lossBps / FULL_BPS)) + 1
  return Math.min(calls, MOST_CALLS)
}

const toPower = ({ effect: { lossBps, outcome }, steps }: Made): Partial<Power> => ({
  lossBps,
  worstCase: outcome,
  isBounded: lossBps < GRAVE_BPS,
  proof: { steps, outcome },
})
