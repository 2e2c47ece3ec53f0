import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, operation, type Slot, type Term } from '../../evm/inspectors/term.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { keyOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { fixArgument, isOneWord } from './choices.js'
import type { DecisiveWords } from './decisive-words.js'
import { type Move, perform, play } from './play.js'
import type { Stage } from './stage.js'
import { isGrave, keepWorst, type Tried } from './try-plan.js'

/** Arguments that one call is tried with. */
const MAX_ARGUMENTS = 6

/**
 * Makes a call that did little harm with an argument that turns the sale: what it computes from the
 * argument and stores is put in the place of the word that a condition of the sale asks for.
 */
export function tryArguments(
  stage: Stage,
  tried: Tried,
  move: Move,
  { words, conditions }: Pick<DecisiveWords, 'words' | 'conditions'>,
): void {
  const decisions = createDecisionsInspector()
  onBranch(stage, () => perform(stage, [move], () => [decisions]))
  tried.calls += 1
  const stores = decisions.finish().stores.filter(({ value }) => isSmall(value))
  const wanted = words.flatMap((word) => {
    const stored = stores.findLast(({ address, slot }) => address === word.address && slot === word.slot)
    const asking = conditions.filter(({ condition }) => isSmall(condition) && leavesOf(condition).some(isWord(word)))
    return stored ? asking.flatMap(({ condition }) => solved(replaceWord(condition, word, stored.value))) : []
  })
  for (const [offset, value] of wanted.slice(0, MAX_ARGUMENTS)) {
    const index = (offset - 4) / 32
    if (isGrave(tried) || !isOneWord(move.plan.parameters[index]?.type)) continue
    const same = { ...move, choice: fixArgument(move.choice, index, value) }
    tried.calls += 1
    const { effects } = play(stage, [same], { skip: new Set(), mayLook: true })
    for (const effect of effects) keepWorst(tried, effect)
  }
}

const isWord = (word: Slot) => (leaf: Leaf) => keyOf(leaf) === keyOf(word)

const solved = (formula: Term) =>
  leavesOf(formula).flatMap((leaf) =>
    leaf.kind === 'argument'
      ? solveLeaf(formula, (each) => each === leaf, leaf.value).map((value) => [leaf.offset, value] as const)
      : [],
  )

/** The formula with `value` in the place of the word; parts that formulas share stay shared. */
function replaceWord(formula: Term, word: Slot, value: Term): Term {
  const known = new Map<Term, Term>()
  const replace = (term: Term): Term => {
    if (term.kind === 'constant') return term
    if (term.kind !== 'operation') return isWord(word)(term) ? value : term
    const found = known.get(term) ?? operation(term.name, term.operands.map(replace))
    known.set(term, found)
    return found
  }
  return replace(formula)
}
