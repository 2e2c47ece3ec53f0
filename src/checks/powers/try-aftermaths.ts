import type { Decision } from '../../evm/inspectors/decisions.js'
import { type DecisiveWords, readConditionsAfter } from './decisive-words.js'
import type { HolderFinder } from './holders.js'
import type { Move } from './play.js'
import type { Stage } from './stage.js'
import { tryArguments } from './try-arguments.js'
import { tryBehind } from './try-behind.js'
import { isGrave, type Tried } from './try-plan.js'
import { tryRepeats, wordsMovedBy } from './try-repeats.js'

/** Calls of one function, and of all, that are followed. */
const MAX_OF_FUNCTION = 3
const MAX_FOLLOWED = 24

/**
 * What calls that did little harm at once lead to: where they are made again, or with the argument
 * that turns the sale, and where what the sale asks for since then comes about.
 */
export function tryAftermaths(
  stage: Stage,
  { all, decisive, finder }: { all: readonly Tried[]; decisive: DecisiveWords; finder: HolderFinder },
  hasBudget: () => boolean,
): void {
  const look = tryBehind(stage, decisive, finder, hasBudget)
  let left = MAX_FOLLOWED
  for (const tried of all)
    for (const move of movesOf(tried)) {
      if (left <= 0 || !hasBudget()) return
      if (isGrave(tried)) break
      const after = tryAgain(stage, tried, move, decisive)
      if (after === undefined) continue
      left -= 1
      if (!isGrave(tried)) tryArguments(stage, tried, move, decisive)
      if (!isGrave(tried)) look(tried, move, after)
    }
}

/**
 * Makes the call again and again. What decides a sale once it was made; `undefined` where it moves
 * nothing that sales ask for.
 */
export function tryAgain(stage: Stage, tried: Tried, move: Move, decisive: DecisiveWords): Decision[] | undefined {
  const moved = wordsMovedBy(stage, tried, [move], decisive.words)
  if (moved.length === 0) return undefined
  const after = readConditionsAfter(stage, [move])
  tryRepeats(stage, tried, move, moved, [...decisive.conditions, ...after])
  return after
}

/** Those that went through alone, the worse first. */
export const movesOf = ({ found, harmless }: Tried): Move[] =>
  [...found.flatMap(({ moves }) => (moves.length === 1 ? moves : [])), ...harmless].slice(0, MAX_OF_FUNCTION)
