import { onBranch } from '../on-branch.js'
import type { Plan } from './plans.js'
import { type Found, type Move, perform, play } from './play.js'
import type { Stage } from './stage.js'

/** Harmless announcements, functions that may exchange one, and calls of each. */
const MAX_HARMLESS = 4
const MAX_CORRECTORS = 12
const MAX_CORRECTIONS = 3

/** What passes between the first call of a chain, which buyers can see, and the last. Seconds. */
export const noticeOf = (moves: readonly Move[]): number =>
  moves.some(({ isUnannounced }) => isUnannounced)
    ? 0
    : moves.slice(1).reduce((sum, { waitSeconds = 0 }) => sum + waitSeconds, 0)

/**
 * A wait is a notice to buyers where what comes after it was told before it: by an event, and so
 * that nothing else can be put in its place when the time has come. What else it does is found
 * again without the notice.
 */
export function withoutFalseNotice(
  stage: Stage,
  plans: readonly Plan[],
  effects: readonly Found[],
  hasBudget: () => boolean,
): readonly Found[] {
  const [first] = effects
  if (first === undefined || noticeOf(first.moves) === 0) return effects
  const { moves } = first
  const at = moves.findIndex(({ waitSeconds }, index) => index > 0 && waitSeconds !== undefined)
  // Read on the branch, for the logs go with it.
  const isTold = onBranch(stage, () => (perform(stage, moves.slice(0, at)).acted?.logs.length ?? 0) > 0)
  if (!isTold) return effects.map((effect) => ({ ...effect, moves: unannounced(effect.moves) }))
  return findExchange(stage, plans, moves, at, hasBudget) ?? effects
}

const unannounced = (moves: readonly Move[]): Move[] => moves.map((move) => ({ ...move, isUnannounced: true }))

/** A harmless announcement in whose place something harmful is put after the wait. */
function findExchange(
  stage: Stage,
  plans: readonly Plan[],
  moves: readonly Move[],
  at: number,
  hasBudget: () => boolean,
): readonly Found[] | undefined {
  const look = (way: readonly Move[]) => play(stage, way, { skip: new Set(), mayLook: true })
  const harmless = otherAnnouncements(moves, at)
    .slice(0, MAX_HARMLESS)
    .find((way) => {
      const { accepted, effects } = look(way)
      return accepted && effects.length === 0
    })
  if (harmless === undefined) return undefined
  const [waiting, ...rest] = harmless.slice(at)
  if (waiting === undefined) return undefined
  const { waitSeconds = 0, ...hasty } = waiting
  const correctors = plans.filter(
    (plan) =>
      plan.contract === hasty.plan.contract && !plan.isConventional && !moves.some((move) => move.plan === plan),
  )
  for (const plan of correctors.slice(0, MAX_CORRECTORS)) {
    const holder = plan.holders.find(({ address }) => address !== undefined)
    if (holder === undefined) continue
    for (const choice of plan.choices.slice(0, MAX_CORRECTIONS)) {
      if (!hasBudget()) return undefined
      const way = [...harmless.slice(0, at), { plan, holder, choice, waitSeconds }, hasty, ...rest]
      const { effects } = look(unannounced(way))
      if (effects.length > 0) return effects
    }
  }
  return undefined
}

/** The same with other words in one of the calls before the wait. */
const otherAnnouncements = (moves: readonly Move[], at: number): (readonly Move[])[] =>
  moves
    .slice(0, at)
    .flatMap((move, index) =>
      move.plan.choices
        .filter(({ flag, number }) => flag !== move.choice.flag || number !== move.choice.number)
        .map((choice) => [...moves.slice(0, index), { ...move, choice }, ...moves.slice(index + 1)]),
    )
