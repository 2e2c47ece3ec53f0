import { evaluatorOf } from '../evm/inspectors/evaluator-of.js'
import { isSmall, type Leaf, type Term, valueIf } from '../evm/inspectors/term.js'

const WORD = 2n ** 256n
/** Steps of a counter that are looked at one by one: remainders, as in every fiftieth sale. */
const LINEAR_STEPS = 256n
/** Halvings between two powers of two. */
const MAX_HALVINGS = 256
/** Values that one leaf is given. */
const MAX_SOLUTIONS = 3

/**
 * Values of one leaf with which a branch goes the other way, the nearest first; empty where none
 * was found. All leaves for which `isLeaf` holds get the value, all others keep theirs.
 *
 * The formula is undone from each of its comparisons down to the leaf, which finds magic words; a
 * search by doubling and halving finds both borders of what rises or falls, small steps find
 * remainders, single bits masks. At most about 2,000 evaluations; each answer was evaluated.
 */
export function solveLeaf(condition: Term, isLeaf: (leaf: Leaf) => boolean, current: bigint): bigint[] {
  if (!isSmall(condition)) return []
  const truth = condition.value !== 0n
  // A formula that does not even yield what the machine computed says nothing about other values.
  if (valueIf(condition, () => undefined) !== condition.value) return []
  const valueAt = evaluatorOf(condition, isLeaf)
  const flips = (value: bigint) => value >= 0n && value < WORD && (valueAt(value) !== 0n) !== truth
  const found = new Set<bigint>(border(current, flips))
  const add = (value: bigint) => flips(value) && found.add(value)
  for (const value of undoComparisons(condition, isLeaf)) add(value)
  // Nothing is compared where a remainder itself is asked whether it is zero.
  for (const value of undoAsked(condition, isLeaf)) add(value)
  const isOpen = () => found.size < MAX_SOLUTIONS
  for (let step = 1n; step <= LINEAR_STEPS && isOpen(); step += 1n) {
    add(current + step)
    if (isOpen()) add(current - step)
  }
  for (let bit = 0n; bit < 256n && isOpen(); bit += 1n) add(current ^ (1n << bit))
  const distance = (value: bigint) => (value > current ? value - current : current - value)
  return [...found].toSorted((a, b) => (distance(a) < distance(b) ? -1 : 1)).slice(0, MAX_SOLUTIONS)
}

/** The nearest flip above and below, where doubling the distance meets one. */
const border = (current: bigint, flips: (value: bigint) => boolean): bigint[] => [
  ...borderTowards(1n, current, flips),
  ...borderTowards(-1n, current, flips),
]

function borderTowards(sign: bigint, current: bigint, flips: (value: bigint) => boolean): bigint[] {
  let [same, distance] = [0n, 1n]
  for (; distance < WORD; [same, distance] = [distance, distance * 2n]) if (flips(current + sign * distance)) break
  if (distance >= WORD) return []
  for (let halvings = 0; halvings < MAX_HALVINGS && distance - same > 1n; halvings += 1) {
    const middle = (same + distance) / 2n
    if (flips(current + sign * middle)) distance = middle
    else same = middle
  }
  return [current + sign * distance]
}

/** Terms of a formula that are looked at. */
const MAX_TERMS = 256
/**
 * Steps back from comparisons to leaves; formulas share their parts, so that ways down multiply.
 */
const MAX_UNDONE = 4_000
const COMPARISONS: ReadonlySet<string> = new Set(['EQ', 'LT', 'GT', 'SLT', 'SGT', 'SUB', 'XOR'])

/**
 * Values of the leaf with which the two sides of one of the comparisons are equal, and their
 * neighbours.
 */
function undoComparisons(condition: Term, isLeaf: (leaf: Leaf) => boolean): bigint[] {
  const found: bigint[] = []
  const budget = { steps: MAX_UNDONE }
  const open: Term[] = [condition]
  for (let term = open.pop(), seen = 0; term !== undefined && seen < MAX_TERMS; term = open.pop(), seen += 1) {
    if (term.kind !== 'operation') continue
    open.push(...term.operands)
    const [a, b] = term.operands
    if (!COMPARISONS.has(term.name) || !a || !b) continue
    for (const nearby of [0n, 1n, -1n])
      found.push(...undo(a, b.value + nearby, isLeaf, budget), ...undo(b, a.value + nearby, isLeaf, budget))
  }
  return found
}

/** Values of the leaf with which what is asked comes to nothing. */
function undoAsked(condition: Term, isLeaf: (leaf: Leaf) => boolean): bigint[] {
  const [inner] = condition.kind === 'operation' && condition.name === 'ISZERO' ? condition.operands : []
  return inner ? undoAsked(inner, isLeaf) : undo(condition, 0n, isLeaf, { steps: MAX_UNDONE })
}

/**
 * Values of the leaf with which the term comes to `target`, where the way down to it is one of
 * steps that can be undone.
 */
function undo(term: Term, target: bigint, isLeaf: (leaf: Leaf) => boolean, budget: { steps: number }): bigint[] {
  budget.steps -= 1
  if (term.kind === 'constant' || budget.steps < 0) return []
  if (term.kind !== 'operation') return isLeaf(term) ? [target] : []
  const [a, b] = term.operands
  if (!a) return []
  if (term.name === 'NOT') return undo(a, WORD - 1n - target, isLeaf, budget)
  if (!b) return []
  const [left, right] = UNDONE[term.name] ?? []
  return [
    ...(left ? undo(a, modulo(left(target, b.value, a.value)), isLeaf, budget) : []),
    ...(right ? undo(b, modulo(right(target, a.value, b.value)), isLeaf, budget) : []),
  ]
}

const modulo = (value: bigint) => ((value % WORD) + WORD) % WORD
const shift = (value: bigint, by: bigint) => (by < 256n ? value << by : 0n)
/**
 * What an operand has to be for the result to be `target`, by the other operand and by what it is
 * now.
 */
type Undo = (target: bigint, other: bigint, now: bigint) => bigint
/** For the first operand, and for the second. */
const UNDONE: Record<string, readonly [Undo | undefined, Undo | undefined]> = {
  ADD: [(target, other) => target - other, (target, other) => target - other],
  SUB: [(target, other) => target + other, (target, other) => other - target],
  XOR: [(target, other) => target ^ other, (target, other) => target ^ other],
  MUL: [
    (target, other) => (other === 0n ? 0n : target / other),
    (target, other) => (other === 0n ? 0n : target / other),
  ],
  DIV: [(target, other) => target * other, undefined],
  MOD: [(target, other, now) => (other === 0n ? now : now - (now % other) + target), undefined],
  AND: [(target, mask, now) => (now & ~mask) | (target & mask), (target, mask, now) => (now & ~mask) | (target & mask)],
  OR: [(target, other) => target & ~other, (target, other) => target & ~other],
  SHL: [undefined, (target, by) => (by < 256n ? target >> by : 0n)],
  SHR: [undefined, (target, by, now) => shift(target, by) | (by < 256n ? now & ((1n << by) - 1n) : 0n)],
  SIGNEXTEND: [undefined, (target) => target],
}
