import type { Decision } from '../../evm/inspectors/decisions.js'
import { type Leaf, type Term, valueIf } from '../../evm/inspectors/term.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { isFollowed, keyOf, leavesOf, truthsIn } from '../conditions/conditions.js'
import { asksSellersCode, otherAccounts } from './account-kinds.js'
import type { Candidate, Circumstance, Setting } from './circumstance.js'
import { BROUGHT_ABOUT, clearOfGas } from './environment-circumstances.js'
import { otherSellers, sellOther } from './seller-circumstances.js'
import { deedsForWord } from './seller-words.js'
import { candidatesForWord } from './word-circumstances.js'

/** For one condition. */
const MAX_CIRCUMSTANCES = 6
/** Comparisons within one condition, and pairs of candidates that are tried on it. */
const MAX_TRUTHS = 8
const MAX_PAIRS = 400

/**
 * Circumstances in which a condition answers otherwise, each worked out from its formula for one
 * leaf, and for two together where none alone is enough; within what wallets, markets and chains
 * do.
 */
export function circumstancesOf(setting: Setting, decision: Decision): Circumstance[] {
  const { condition } = decision
  if (!isFollowed(condition)) return []
  const leaves = leavesOf(condition)
  const alone = leaves.flatMap((leaf) => candidatesFor(setting, decision, leaf, condition))
  const found = alone.length > 0 ? alone.map(({ circumstance }) => circumstance) : inPairs(setting, decision, leaves)
  return found.slice(0, MAX_CIRCUMSTANCES)
}

/** Code that joins conditions without a branch between them asks for two things at once. */
function inPairs(setting: Setting, decision: Decision, leaves: readonly Leaf[]): Circumstance[] {
  const { condition } = decision
  const parts = truthsIn(condition, MAX_TRUTHS)
  if (parts.length < 2 || leaves.length < 2) return []
  const candidates = parts.flatMap((part) => leaves.flatMap((leaf) => candidatesFor(setting, decision, leaf, part)))
  const truth = condition.value !== 0n
  const found: Circumstance[] = []
  let left = MAX_PAIRS
  for (const [i, a] of candidates.entries())
    for (const b of candidates.slice(i + 1)) {
      left -= 1
      if (left < 0) return found
      if (a.leaf === b.leaf) continue
      const value = valueIf(condition, (leaf) => (a.is(leaf) ? a.value : b.is(leaf) ? b.value : undefined))
      if ((value !== 0n) !== truth) found.push(together(a.circumstance, b.circumstance))
    }
  return found
}

/** One after the other. */
export function together(first: Circumstance, second: Circumstance): Circumstance {
  return {
    name: first.name === 'later' ? second.name : first.name,
    key: `${first.key} and ${second.key}`,
    enter(sale) {
      const entered = first.enter(sale)
      return entered && second.enter(entered)
    },
    comesAbout: (context) => (first.comesAbout?.(context) ?? true) && (second.comesAbout?.(context) ?? true),
  }
}

function candidatesFor(setting: Setting, decision: Decision, leaf: Leaf, formula: Term): Candidate[] {
  const { context, held } = setting
  const truth = formula.value !== 0n
  if (valueIf(formula, () => undefined) !== formula.value) return []
  if (leaf.value === BigInt(context.trader.address)) return otherSellers(setting, formula)
  if (leaf.kind === 'slot') {
    const isWord = (each: Leaf) => keyOf(each) === keyOf(leaf)
    const own = deedsForWord(context, leaf, formula).map((deed) => ({ leaf: keyOf(leaf), is: isWord, ...deed }))
    return own.length > 0 ? own : candidatesForWord(setting, leaf, formula)
  }
  if (asksSellersCode(context, leaf)) return otherAccounts(setting, leaf, formula)
  const isAmount = leaf.kind === 'argument' && leaf.value === held
  const bringAbout =
    leaf.kind === 'environment'
      ? (value: bigint) => BROUGHT_ABOUT[leaf.name]?.(value, leaf, setting, decision)
      : (value: bigint) => (isAmount ? sellOther(setting, value) : undefined)
  if (leaf.kind === 'environment' ? !(leaf.name in BROUGHT_ABOUT) : !isAmount) return []
  const is = (each: Leaf) => (isAmount ? each.kind === 'argument' && each.value === held : keyOf(each) === keyOf(leaf))
  const turns = (value: bigint) => (valueIf(formula, (each) => (is(each) ? value : undefined)) !== 0n) !== truth
  const values = clearOfGas(context, { leaf, values: solveLeaf(formula, is, leaf.value), turns })
  return [...new Set(values)].flatMap((value) => {
    const circumstance = bringAbout(value)
    return circumstance ? [{ leaf: keyOf(leaf), is, value, circumstance }] : []
  })
}
