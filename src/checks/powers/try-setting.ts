import { FULL_BPS } from '../../dex/tax.js'
import { type Slot, sources, sourcesOf } from '../../evm/inspectors/term.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { onBranch } from '../on-branch.js'
import type { DecisiveWords } from './decisive-words.js'
import { gravityOf } from './gravity.js'
import { type Effect, lookAtTrade } from './look.js'
import type { Plan, PlannedWrite } from './plans.js'
import type { Holder, Power } from './power.js'
import type { Stage } from './stage.js'
import { isOver } from './try-chains.js'
import type { Tried } from './try-plan.js'
import { writesOf, written } from './writers.js'

/** Words that are set, and values of each. */
const MAX_WORDS = 12
const MAX_VALUES = 6
/**
 * What fees and divisors that no branch asks for are set to: percent, thousandths, hundredths of a
 * percent.
 */
const FEES = [0n, 99n, 990n, 9_900n]

/**
 * What no call could bring about, shown by setting it: a word that a sale depends on, that some
 * function may write whose guard could not be passed, is changed on the fork, and the sale is
 * measured. Words whose writer was seen at work, or has no holder any more, need no showing.
 */
export function trySetting(
  stage: Stage,
  plans: readonly Plan[],
  all: readonly Tried[],
  { words, conditions }: DecisiveWords,
  hasBudget: () => boolean,
): Power[] {
  const found = new Map<string, Power>()
  for (const word of words.slice(0, MAX_WORDS)) {
    const writer = findUntried(stage, plans, all, word)
    if (writer === undefined) continue
    for (const value of valuesFor(writer, word, conditions)) {
      if (!hasBudget()) return [...found.values()]
      const effect = onBranch(stage, () => {
        stage.fork.evm.setStorage(word.address, word.slot, value)
        return worstOf(lookAtTrade(stage, { hasNumber: false }, false))
      })
      if (effect === undefined) continue
      const name = `${writer.plan.contract} ${writer.plan.selector}`
      const known = found.get(name)
      const isWorse =
        known === undefined || gravityOf(effect.kind, effect.lossBps) > gravityOf(known.effect, known.lossBps)
      if (isWorse) found.set(name, toPower(writer, effect, word))
    }
  }
  return [...found.values()]
}

interface Writer {
  plan: Plan
  writes: readonly PlannedWrite[]
  holder: Holder
  calls: number
}

const DEAD: ReadonlySet<Holder['kind']> = new Set(['renounced', 'unset'])

/**
 * A function that may write the word and was not seen to do what it can; `undefined` where each
 * was, or has no caller any more.
 */
function findUntried(stage: Stage, plans: readonly Plan[], all: readonly Tried[], word: Slot): Writer | undefined {
  for (const plan of plans) {
    const writes = writesOf(plan, word)
    if (writes.length === 0) continue
    const tried = all.filter((each) => each.plan === plan)
    const isKnown = tried.some(({ found, harmless }) => found.length > 0 || harmless.length > 0)
    const living = tried.find(({ holder }) => holder !== undefined && !DEAD.has(holder.kind))
    if (isKnown || living?.holder === undefined || isOver(stage, living)) continue
    const { assumed: _, ...holder } = living.holder
    return { plan, writes, holder, calls: living.calls }
  }
  return undefined
}

/** What the writer can make of the word. */
function valuesFor({ writes }: Writer, word: Slot, conditions: DecisiveWords['conditions']): bigint[] {
  const isWord = (leaf: { kind: string; slot?: bigint; address?: string }) =>
    leaf.kind === 'slot' && leaf.slot === word.slot && leaf.address === word.address
  const solved = conditions
    .filter(({ condition }) => (sourcesOf(condition) & sources.slot) !== 0)
    .flatMap(({ condition }) => solveLeaf(condition, isWord, word.value).slice(0, 2))
  const values = (solved.length > 0 ? solved : FEES).flatMap((value) =>
    writes.map((write) => written(write, word.value, solved.length > 0 ? value : value << BigInt(write.shift))),
  )
  return [...new Set(values)].filter((value) => value !== word.value).slice(0, MAX_VALUES)
}

const worstOf = (effects: readonly Effect[]): Effect | undefined =>
  effects.toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))[0]

function toPower({ plan, holder, calls }: Writer, effect: Effect, { address, slot }: Slot): Power {
  const place = `slot 0x${slot.toString(16)} of ${address}`
  return {
    ...{ contract: plan.contract, selector: plan.selector, argumentTypes: plan.argumentTypes, holder },
    effect: effect.kind,
    lossBps: effect.lossBps,
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    worstCase: `shown by setting what it may write (${place}), since no call of it went through: ${effect.outcome}`,
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    isShownBySetting: true,
    tried: calls,
    proof: undefined,
  }
}
