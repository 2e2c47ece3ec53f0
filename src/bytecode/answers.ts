import type { Term } from './terms.js'

/**
 * What conditions have come out as on every way to a place: true where the term is not zero. A
 * transfer that has refused the zero address never burns by naming it.
 */
export type Answers = ReadonlyMap<Term, boolean>

/** Answers known at one place; none of 9,401 functions of real tokens knows more than 21. */
const MAX_ANSWERS = 32

export const NO_ANSWERS: Answers = new Map()

/** How the condition comes out, where that was asked before; `undefined` where it was not. */
export function answerTo(answers: Answers, condition: Term): boolean | undefined {
  if (answers.size === 0) return undefined
  const { term, holds } = questionOf(condition)
  const known = answers.get(term)
  return known === undefined ? undefined : known === holds
}

/** The answers on that side of a branch. */
export function withAnswer(answers: Answers, condition: Term, taken: boolean): Answers {
  const { term, holds } = questionOf(condition)
  if (term.op === 'const' || !term.steady || answers.size >= MAX_ANSWERS || answers.has(term)) return answers
  return new Map(answers).set(term, holds === taken)
}

/** What is known on both ways; the first itself where the second knows all of it. */
export function answersOnBoth(a: Answers, b: Answers): Answers {
  if (a === b) return a
  const both = [...a].filter(([term, holds]) => b.get(term) === holds)
  return both.length === a.size ? a : new Map(both)
}

export const isSameAnswers = (a: Answers, b: Answers): boolean =>
  a === b || (a.size === b.size && answersOnBoth(a, b) === a)

/** What a branch asks, however often the compiler turned it round. */
function questionOf(condition: Term): { term: Term; holds: boolean } {
  let [term, holds] = [condition, true]
  for (let inner = term.args[0]; term.op === 'ISZERO' && inner !== undefined; inner = term.args[0]) {
    term = inner
    holds = !holds
  }
  return { term, holds }
}
