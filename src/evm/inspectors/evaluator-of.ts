import { wordArithmetic } from '../../instructions/arithmetic.js'
import { toWord, type Word } from '../../instructions/word.js'
import { keepCompiled } from '../../keep-compiled.js'
import { hashWords, type Leaf, type Term, valueIf } from './term.js'

/** A part of a formula that follows from what is supposed. */
interface Step {
  compute: (a: Word, b: Word, c: Word) => Word
  /** Places of what it is computed of, and of what comes of it. */
  operands: readonly [number, number, number]
  result: number
}

/**
 * As {@link valueIf} for the same leaves and one value after the other: what does not follow from
 * them is computed once. Throws a `RangeError` on a name of no operation.
 */
export function evaluatorOf(formula: Term, isSupposed: (leaf: Leaf) => boolean): (supposed: bigint) => bigint {
  /** The supposed value, and behind it what is computed once and what comes of the steps. */
  const values: Word[] = [0]
  const steps: Step[] = []
  const places = new Map<Term, number>()
  const known = new Map<Term, bigint>()
  const follows = new Map<Term, boolean>()
  const followsFrom = (term: Term): boolean => {
    const before = follows.get(term)
    if (before !== undefined) return before
    const found =
      term.kind === 'operation' ? term.operands.some(followsFrom) : term.kind !== 'constant' && isSupposed(term)
    follows.set(term, found)
    return found
  }
  const place = (term: Term): number => {
    const before = places.get(term)
    if (before !== undefined) return before
    let at = 0
    if (!followsFrom(term)) at = values.push(toWord(valueIf(term, () => undefined, known))) - 1
    else if (term.kind === 'operation') {
      const operands = term.operands.map(place)
      at = values.push(0) - 1
      steps.push(stepOf(term.name, operands, at, values))
    }
    places.set(term, at)
    return at
  }
  const last = place(formula)
  return keepCompiled('evaluator', (supposed: bigint) => {
    values[0] = toWord(supposed)
    for (const { compute, operands, result } of steps)
      values[result] = compute(values[operands[0]] as Word, values[operands[1]] as Word, values[operands[2]] as Word)
    return BigInt(values[last] as Word)
  })
}

/**
 * A hash has any number of operands, and all else three at most: the place of the first stands for
 * none.
 */
function stepOf(name: string, operands: readonly number[], result: number, values: readonly Word[]): Step {
  const [a = 0, b = 0, c = 0] = operands
  const compute =
    name === 'KECCAK256'
      ? () => toWord(hashWords(operands.map((at) => BigInt(values[at] as Word))))
      : wordArithmetic.get(name)
  if (compute === undefined) throw new RangeError(`${name} computes nothing`)
  return { compute, operands: [a, b, c], result }
}
