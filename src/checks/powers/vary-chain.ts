import { encodeChoice } from './choices.js'
import type { Move } from './play.js'
import type { Stage } from './stage.js'

/** Variations of a chain that went through and did no harm. */
const MAX_VARIATIONS = 10

/**
 * The chain, and the same with another flag, number or address in one of its calls, and in those
 * that say just what that one does: what is announced is what is done later.
 */
export function vary(stage: Stage, moves: readonly Move[]): (readonly Move[])[] {
  const inputOf = ({ plan, holder, choice }: Move) =>
    encodeChoice(stage, holder.address ?? stage.fresh, plan.selector, plan.parameters, choice)
  const others = moves.flatMap((move, at) => {
    // What refusals asked for stays.
    const varied = move.plan.choices.map(({ fixed: _, ...choice }) => ({
      ...move,
      choice: { ...choice, ...(move.choice.fixed && { fixed: move.choice.fixed }) },
    }))
    const different = new Map(varied.map((each) => [inputOf(each), each]))
    different.delete(inputOf(move))
    return [...different.values()]
      .slice(0, MAX_VARIATIONS / 2)
      .map((each) =>
        moves.map((other, i) =>
          i === at ? each : other.choice === move.choice ? { ...other, choice: each.choice } : other,
        ),
      )
  })
  return [moves, ...others].slice(0, MAX_VARIATIONS)
}
