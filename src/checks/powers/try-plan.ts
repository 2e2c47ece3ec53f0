import { listBeyond } from './beyond-bounds.js'
import { findBorders, numberOf, searchBorder } from './borders.js'
import { gravityOf, reachOf } from './gravity.js'
import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import { type Found, type Move, type Played, play } from './play.js'
import type { Choice } from './power.js'
import type { Stage } from './stage.js'

/** What trying a function showed. */
export interface Tried {
  plan: Plan
  holder: ActingHolder | undefined
  calls: number
  found: Found[]
  /** Calls that went through and did no harm. */
  harmless: Move[]
  /** Words that calls which went through wrote: address and slot. */
  wrote: Set<string>
}

/** Trades after which a function is known well enough. */
const MAX_LOOKS = 10
/**
 * Calls in a row that went through, or were refused, without any sign that more of them would tell
 * more.
 */
const MAX_IDLE = 6
const MAX_REFUSED = 16

/**
 * Tries one function as one holder with every choice, then looks for the borders of what it
 * accepts.
 */
export function tryPlan(stage: Stage, plan: Plan, holder: ActingHolder, hasBudget: () => boolean): Tried {
  const tried: Tried = { plan, holder, calls: 0, found: [], harmless: [], wrote: new Set() }
  const seen = new Set<string>()
  const accepted = new Map<Choice, boolean>()
  const matters = MATTERS.some((kind) => plan.kinds.has(kind))
  let [looks, idle, refused] = [0, 0, 0]
  const attempt = (choice: Choice, as = plan) => {
    const outcome = play(stage, [{ plan: as, holder, choice }], { skip: seen, mayLook: looks < MAX_LOOKS })
    tried.calls += 1
    accepted.set(choice, outcome.accepted)
    if (outcome.looked) looks += 1
    noteWritten(tried, outcome.writes)
    for (const effect of outcome.effects) keepWorst(tried, effect)
    if (outcome.accepted && outcome.effects.length === 0 && tried.harmless.length < MAX_HARMLESS)
      tried.harmless.push({ plan, holder, choice })
    return outcome
  }
  for (const choice of plan.choices) {
    if (!hasBudget() || looks >= MAX_LOOKS) break
    const { accepted: passed, looked } = attempt(choice)
    idle = looked ? 0 : idle + (passed ? 1 : 0)
    refused = passed ? 0 : refused + 1
    if (idle >= MAX_IDLE && looks === 0 && !matters) break
    if (refused >= MAX_REFUSED) break
  }
  // A convention says what is tried, and nothing else.
  if (plan.isConventional) return tried
  looks = Math.min(looks, MAX_LOOKS - LOOKS_AT_BORDERS)
  for (const [inside, outside] of findBorders(stage, plan, accepted)) {
    if (!hasBudget()) break
    const move = { plan, holder, choice: inside }
    const isAccepted = (number: bigint) => accepts(stage, { ...move, choice: { ...inside, number } }, tried)
    attempt({ ...inside, number: searchBorder(numberOf(stage, inside), outside, isAccepted) })
  }
  if (matters && !tried.found.some(({ kind, lossBps }) => reachOf(kind, lossBps) === 'total')) {
    looks = Math.min(looks, MAX_LOOKS - LOOKS_AT_BORDERS)
    for (const { plan: wide, choice } of listBeyond(stage, plan, holder, accepted)) {
      if (!hasBudget()) break
      if (attempt(choice, wide).effects.length > 0) break
    }
  }
  searchHighestTax(stage, tried)
  return tried
}

/**
 * What buyers depend on. A function that writes none of it is tried a few times, in case that the
 * analysis is mistaken.
 */
export const MATTERS = ['transfer', 'balance', 'allowance', 'supply', 'code', 'destruct'] as const
const MAX_HARMLESS = 4
const LOOKS_AT_BORDERS = 2

export function noteWritten({ wrote }: Tried, writes: Played['writes']): void {
  for (const [address, slots] of writes) for (const slot of slots.keys()) wrote.add(`${address} ${slot}`)
}

/** Whether a function was seen to do as much that nothing needs to be looked for any more. */
export const isGrave = ({ found }: Pick<Tried, 'found'>): boolean => found.some(({ lossBps }) => lossBps >= GRAVE_BPS)
export const GRAVE_BPS = 5_000

/** Of each kind of effect, the worst is kept; the gravest first. */
export function keepWorst(tried: Tried, effect: Found): void {
  const at = tried.found.findIndex(({ kind }) => kind === effect.kind)
  const known = tried.found[at]
  if (known === undefined) tried.found.push(effect)
  else if (known.lossBps < effect.lossBps) tried.found[at] = effect
  tried.found.sort((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))
}

/** Whether the call goes through; nothing is looked at. */
function accepts(stage: Stage, move: Move, tried: Tried): boolean {
  tried.calls += 1
  return play(stage, [move], { skip: new Set(), mayLook: false }).accepted
}

/** Sells that the search for the highest tax may cost. */
const MAX_TAX_SEARCH = 14

/**
 * Where a larger number blocks sells and a smaller one taxes them, the largest that still lets them
 * through shows the highest tax.
 */
function searchHighestTax(stage: Stage, tried: Tried): void {
  const taxed = tried.found.find(({ kind }) => kind === 'raises-tax')?.moves.at(-1)
  const blocked = tried.found.find(({ kind }) => kind === 'blocks-sells')?.moves.at(-1)
  if (taxed === undefined || blocked === undefined) return
  let [works, fails] = [numberOf(stage, taxed.choice), numberOf(stage, blocked.choice)]
  for (let step = 0; step < MAX_TAX_SEARCH && fails > works + 1n; step += 1) {
    const middle = fails > works * 256n ? works * 16n + 1n : (works + fails) / 2n
    const move = { ...taxed, choice: { ...taxed.choice, number: middle } }
    const { effects } = play(stage, [move], { skip: new Set(), mayLook: true })
    tried.calls += 1
    for (const effect of effects) keepWorst(tried, effect)
    if (effects.some(({ kind }) => kind === 'raises-tax')) works = middle
    else fails = middle
  }
}
