import { gravityOf } from './gravity.js'
import { type Found, type Move, play } from './play.js'
import type { Stage } from './stage.js'
import { isGrave, MATTERS, type Tried } from './try-plan.js'

/** Calls that open the way for others, and what they are tried with. */
const MAX_SWITCHES = 4
const MAX_PAIRS = 60
const CHOICES_PER_PAIR = 3

/**
 * Tries pairs: first a call that changed something and did no harm, then a function that did no
 * harm, or none worth the name, alone.
 */
export function tryPairs(stage: Stage, all: readonly Tried[], hasBudget: () => boolean): void {
  const switches = all
    .filter(({ plan }) => plan.parameters.length <= 1)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .flatMap(({ harmless }) => harmless.slice(0, 2))
    .slice(0, MAX_SWITCHES)
  const seen = new Set<string>()
  let pairs = 0
  for (const tried of all) {
    const { holder, plan } = tried
    if (holder?.address === undefined || isGrave(tried) || !MATTERS.some((kind) => plan.kinds.has(kind))) continue
    for (const first of switches) {
      if (first.plan === plan) continue
      for (const choice of plan.choices.slice(0, CHOICES_PER_PAIR)) {
        if (pairs >= MAX_PAIRS || !hasBudget()) return
        pairs += 1
        const moves: Move[] = [first, { plan, holder, choice }]
        const { effects } = play(stage, moves, { skip: seen, mayLook: true })
        tried.calls += 2
        for (const effect of effects) addWorst(tried.found, effect)
      }
    }
  }
}

/**
 * What a holder sets comes before who else becomes a holder, and both before what each holder
 * does for itself.
 */
function rankOf({ plan: { kinds }, holder }: Tried): number {
  if (holder?.kind === 'anyone') return 2
  return kinds.size === 1 && kinds.has('holder') ? 1 : 0
}

function addWorst(found: Found[], effect: Found): void {
  const known = found.find(({ kind }) => kind === effect.kind)
  if (known !== undefined && known.lossBps >= effect.lossBps) return
  if (known !== undefined) found.splice(found.indexOf(known), 1)
  found.push(effect)
  found.sort((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))
}
