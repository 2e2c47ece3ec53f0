import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import { type Found, type Move, play } from './play.js'
import type { EffectKind, Recipe } from './power.js'
import type { Stage } from './stage.js'
import { noteWritten, type Tried } from './try-plan.js'

/** What is remembered of all functions, each thing once. */
export function toRecipes(all: readonly Tried[]): Recipe[] {
  const found = all.flatMap(toRecipe)
  const nameOf = ({ selector, effect, contractHash, steps }: Recipe) =>
    `${contractHash}:${selector}:${effect}:${steps.map((step) => step.selector).join()}`
  return [...new Map(found.toReversed().map((recipe) => [nameOf(recipe), recipe])).values()].reverse()
}

/** What is remembered of a function, so that a clone is judged in one try. */
function toRecipe({ plan, found, calls, harmless }: Tried): Recipe[] {
  const { contractHash, selector, fingerprint } = plan
  if (calls === 0) return []
  const base = { contractHash, selector, fingerprint }
  if (found.length === 0) {
    // A call that was accepted tells "harmless" from "refused every call".
    const choice = harmless[0]?.choice ?? plan.choices[0]
    const effect = harmless.length === 0 ? 'untried' : 'none'
    return choice === undefined ? [] : [{ ...base, effect, steps: [{ selector, choice }] }]
  }
  // A count that many calls lead to is each token's own.
  if (found.some(({ moves }) => moves.some(({ holder }) => holder.kind === 'anyone' && holder.assumed))) return []
  return found.map(({ kind, moves }) => ({
    ...base,
    effect: kind,
    steps: moves.map(({ plan: { selector }, holder: _, ...call }) => ({ selector, ...call })),
  }))
}

/** What worked on a clone whose state decided the same branches in the same way. */
export const recipesFor = (recipes: readonly Recipe[], { contractHash, selector, fingerprint }: Plan): Recipe[] =>
  recipes.filter(
    (recipe) =>
      recipe.contractHash === contractHash && recipe.selector === selector && recipe.fingerprint === fingerprint,
  )

/**
 * Makes the remembered calls again; they are measured like any other. Where one does not do what it
 * did on the clone, or something was quiet then and is not now, there is no answer, and the
 * function has to be tried in full.
 */
export function replay(
  stage: Stage,
  plans: readonly Plan[],
  plan: Plan,
  holder: ActingHolder,
  known: readonly Recipe[],
): Tried | undefined {
  const tried: Tried = { plan, holder, calls: 0, found: [], harmless: [], wrote: new Set() }
  for (const { steps, effect } of known) {
    const moves: Move[] = []
    for (const { selector, ...call } of steps) {
      const of = selector === plan.selector ? plan : plans.find((each) => each.selector === selector)
      const by = of === plan ? holder : of?.holders.find(({ address }) => address !== undefined)
      if (of !== undefined && by !== undefined) moves.push({ plan: of, holder: by, ...call })
    }
    if (moves.length !== steps.length) return undefined
    const { accepted, effects, writes } = play(stage, moves, { skip: new Set(), mayLook: true })
    tried.calls += moves.length
    noteWritten(tried, writes)
    tried.found.push(...effects.filter(({ kind }) => !tried.found.some((other) => other.kind === kind)))
    const last = moves.at(-1)
    if (accepted && effects.length === 0 && last !== undefined) tried.harmless.push(last)
    if (!didAgain(effect, accepted, effects)) return undefined
  }
  return tried
}

/** Whether a call did what is remembered of it. */
function didAgain(effect: EffectKind, accepted: boolean, effects: readonly Found[]): boolean {
  if (effect === 'none') return accepted && effects.length === 0
  if (effect === 'untried') return !accepted
  return effects.some(({ kind }) => kind === effect)
}
