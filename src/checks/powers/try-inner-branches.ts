import { createDecisionsInspector, type Decision } from '../../evm/inspectors/decisions.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import { isSmall, type Slot } from '../../evm/inspectors/term.js'
import { holds, readLedger } from '../conditions/balance-words.js'
import { conditionsOf, keyOf, leavesOf, slotsIn } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { type Move, perform, play } from './play.js'
import type { Stage } from './stage.js'
import { isGrave, keepWorst, MATTERS, type Tried } from './try-plan.js'
import { wantedOf } from './try-setting.js'
import { writesOf } from './writers.js'

/** Functions whose own branches are looked at, words of each, branches and values of a word. */
const MAX_FUNCTIONS = 8
const MAX_WORDS = 4
const MAX_BRANCHES = 4
const MAX_VALUES = 2
/** Calls in a row that another function is given to move a word. */
const MOST_CALLS = 8
/** What is counted by days counts once in so many seconds. */
const A_DAY_SECONDS = 24 * 3_600 + 60

/**
 * What a function does only once a branch of its own answers otherwise, as one that burns the
 * pool's tokens after checkpoints on three days: the word that the branch asks for is set, and
 * where the call does harm then, calls of another function that move it there are made, days apart.
 */
export function tryInnerBranches(stage: Stage, all: readonly Tried[], hasBudget: () => boolean): void {
  let left = MAX_FUNCTIONS
  for (const tried of all) {
    const [move] = tried.harmless
    const matters = MATTERS.some((kind) => tried.plan.kinds.has(kind))
    if (move === undefined || !matters || tried.plan.isConventional || isGrave(tried)) continue
    if (left <= 0 || !hasBudget()) return
    left -= 1
    const conditions = conditionsWithin(stage, move)
    for (const word of wordsOf(stage, conditions)) {
      const writer = writerOf(all, tried, word)
      if (writer === undefined) continue
      const turned = turnedBy(stage, move, { word, writer, conditions })
      if (turned === undefined || isGrave(tried) || !hasBudget()) continue
      const calls = callsUntil(stage, writer, word, turned)
      if (calls === undefined) continue
      // All calls but the last may have been made before a buyer came: the days are no notice.
      const counted = { ...writer, waitSeconds: A_DAY_SECONDS, isUnannounced: true }
      const way = [...Array.from({ length: calls }, (): Move => counted), move]
      const { effects } = play(stage, way, { skip: new Set(), mayLook: true })
      tried.calls += way.length
      for (const effect of effects) keepWorst(tried, effect)
    }
  }
}

/** What decides in the function itself. */
function conditionsWithin(stage: Stage, move: Move): Decision[] {
  const decisions = createDecisionsInspector()
  onBranch(stage, () => perform(stage, [move], () => [decisions]))
  return conditionsOf(stage.buyer.context, decisions.finish()).filter(({ condition }) => isSmall(condition))
}

/** Words that these ask for, and that are no balance. */
function wordsOf({ buyer, market, exchange }: Stage, conditions: readonly Decision[]): Slot[] {
  const ledgers = [buyer.context.trader.address, market.pool.address].map((each) => readLedger(buyer.context, each))
  const isBook = ({ address, slot }: Slot) => ledgers.some((ledger) => holds(ledger, address, slot))
  return slotsIn(conditions)
    .filter((word) => !exchange.has(word.address) && !isBook(word))
    .slice(0, MAX_WORDS)
}

/** A call of another function that went through, did no harm, and wrote the word. */
function writerOf(all: readonly Tried[], { plan }: Tried, { address, slot }: Slot): Move | undefined {
  const writing = all.find((each) => each.plan !== plan && each.wrote.has(`${address} ${slot}`))
  return writing?.harmless[0]
}

interface Turning {
  word: Slot
  writer: Move
  conditions: readonly Decision[]
}

/** The branch that turns where the word is set to what makes the call do harm. */
function turnedBy(stage: Stage, move: Move, { word, writer, conditions }: Turning): Decision | undefined {
  const writes = writesOf(writer.plan, word)
  const asking = conditions.filter(({ condition }) => leavesOf(condition).some((leaf) => keyOf(leaf) === keyOf(word)))
  return asking.slice(0, MAX_BRANCHES).find((each) =>
    wantedOf({ writes, isHidden: true }, word, [each])
      .slice(0, MAX_VALUES)
      .some((value) => {
        const assumed = { account: word.address, slot: word.slot, value }
        const set = { ...move, holder: { ...move.holder, assumed } }
        return play(stage, [set], { skip: new Set(), mayLook: true }).effects.length > 0
      }),
  )
}

/** How many calls of the writer turn the branch; `undefined` if more than are made. */
function callsUntil(stage: Stage, writer: Move, word: Slot, { condition }: Decision): number | undefined {
  const valueAt = evaluatorOf(condition, (leaf) => keyOf(leaf) === keyOf(word))
  const isTurned = () => (valueAt(stage.fork.evm.storage(word.address, word.slot)) !== 0n) !== (condition.value !== 0n)
  return onBranch(stage, () => {
    for (let calls = 1; calls <= MOST_CALLS; calls += 1) {
      if (perform(stage, [{ ...writer, waitSeconds: A_DAY_SECONDS }]).acted === undefined) return undefined
      if (isTurned()) return calls
    }
    return undefined
  })
}
