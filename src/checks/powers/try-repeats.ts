import type { Decision } from '../../evm/inspectors/decisions.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import { isSmall, type Slot } from '../../evm/inspectors/term.js'
import { keyOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { type Move, perform, play } from './play.js'
import { freshBeside, type Stage } from './stage.js'
import { isGrave, keepWorst, type Tried } from './try-plan.js'

/** A word as it is, and what calls add to it; less than nothing where they take from it. */
export interface Moved {
  word: Slot
  step: bigint
}

/** Which of the words that a sale asks for the calls move. */
export function wordsMovedBy(stage: Stage, tried: Tried, moves: readonly Move[], words: readonly Slot[]): Moved[] {
  const read = ({ address, slot }: Slot) => stage.fork.evm.storage(address, slot)
  tried.calls += moves.length
  return onBranch(stage, () => {
    const before = words.map((word) => ({ ...word, value: read(word) }))
    if (perform(stage, moves).acted === undefined) return []
    return before.flatMap((word) => {
      const step = read(word) - word.value
      return step === 0n ? [] : [{ word, step }]
    })
  })
}

/** Calls in a row that are made; of more, the last one is, on the word that the others lead to. */
const MOST_MADE = 8
/** More of them cost their caller more than they bring. */
const MOST_CALLS = 1_000
/** Of a word that no branch asks for, and that the sale computes with. */
const CALLS_WITHOUT_BRANCH = 20

/**
 * Makes a call that did little harm again: it may count something about a holder, which decides his
 * sale once it is enough. `conditions` are those of the sale, as it is and after one such call:
 * what a list is asked for once it is not empty stands behind whether it is.
 */
export function tryRepeats(
  stage: Stage,
  tried: Tried,
  move: Move,
  moved: readonly Moved[],
  conditions: readonly Decision[],
): void {
  const words = moved.map(({ word }) => word)
  const twice = wordsMovedBy(stage, tried, [byAnother(stage, move, 0), byAnother(stage, move, 1)], words)
  for (const { word, step } of moved) {
    const isCount = twice.some((later) => keyOf(later.word) === keyOf(word) && later.step === 2n * step)
    for (const calls of isCount ? callsThatTurn({ word, step }, conditions) : []) {
      if (isGrave(tried)) break
      const moves = callsInARow(stage, move, { word, step }, calls)
      const { effects } = play(stage, moves, { skip: new Set(), mayLook: true })
      tried.calls += moves.length
      for (const effect of effects)
        keepWorst(tried, { ...effect, outcome: `after ${calls} such calls ${effect.outcome}` })
    }
  }
}

/** Numbers of calls that are tried for one word. */
const MAX_COUNTS = 4

/**
 * How often the call has to be made for each branch of the sale to go the other way, and four times
 * the fewest: what begins there may be a small fee, which grows.
 */
function callsThatTurn({ word, step }: Moved, conditions: readonly Decision[]): number[] {
  const isWord = (leaf: Parameters<typeof keyOf>[0]) => keyOf(leaf) === keyOf(word)
  const asking = conditions.filter(({ condition }) => isSmall(condition) && leavesOf(condition).some(isWord))
  if (asking.length === 0) return [CALLS_WITHOUT_BRANCH]
  const turning = asking.flatMap(({ condition }) => {
    const valueAt = evaluatorOf(condition, isWord)
    const now = valueAt(word.value) !== 0n
    for (let calls = 2; calls <= MOST_CALLS; calls += 1) {
      const value = word.value + step * BigInt(calls)
      if (value < 0n || value >= WORD) return []
      if ((valueAt(value) !== 0n) !== now) return [calls]
    }
    return []
  })
  const [fewest, ...more] = [...new Set(turning)].toSorted((a, b) => a - b)
  if (fewest === undefined) return []
  return [...new Set([fewest, 4 * fewest, ...more])].slice(0, MAX_COUNTS)
}

const WORD = 2n ** 256n

function callsInARow(stage: Stage, move: Move, { word, step }: Moved, calls: number): Move[] {
  if (calls <= MOST_MADE || move.holder.assumed)
    return Array.from({ length: Math.min(calls, MOST_MADE) }, (_, i) => byAnother(stage, move, i))
  const value = word.value + step * BigInt(calls - 1)
  return [{ ...move, holder: { ...move.holder, assumed: { account: word.address, slot: word.slot, value } } }]
}

/** The same call by another stranger, where any address may make it. */
function byAnother(stage: Stage, move: Move, index: number): Move {
  if (move.holder.kind !== 'anyone' || move.holder.address !== stage.fresh || index === 0) return move
  return { ...move, holder: { ...move.holder, address: freshBeside(stage, index) } }
}
