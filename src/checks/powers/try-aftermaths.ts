import type { DecisiveWords } from './decisive-words.js'
import type { HolderFinder } from './holders.js'
import type { Move } from './play.js'
import type { Stage } from './stage.js'
import { tryArguments } from './try-arguments.js'
import { tryBehind } from './try-behind.js'
import { isGrave, type Tried } from './try-plan.js'
import { tryRepeats } from './try-repeats.js'

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
      if (!tryRepeats(stage, tried, move, decisive)) continue
      left -= 1
      if (!isGrave(tried)) tryArguments(stage, tried, move, decisive)
      if (!isGrave(tried)) look(tried, move)
    }
}

/** Those that went through alone, the worse first. */
const movesOf = ({ found, harmless }: Tried): Move[] =>
  [...found.flatMap(({ moves }) => (moves.length === 1 ? moves : [])), ...harmless].slice(0, MAX_OF_FUNCTION)
