import { findReachable } from './graph.js'
import type { Edge, Node, Run } from './interpret.js'
import { someTerm, type Term } from './terms.js'

/** Questions looked at of one function: libraries repeat some five. */
const MAX_QUESTIONS = 24

/** Whether a call can take this side of the branch at the end of `from`. */
export type Passes = (edge: Edge, from: Node) => boolean

const known = new WeakMap<Run, Passes>()

/**
 * Leaves out the sides of branches that no call takes, for what is asked there was answered on
 * every way that leads to it: a transfer that refuses the zero address never burns by naming it.
 */
export function createConsistentWays(run: Run): Passes {
  const found = known.get(run)
  if (found !== undefined) return found
  const asking = new Map<Term, Node[]>()
  for (const node of run.nodes) {
    const question = questionOf(node.edges[0])
    if (question && isFixed(question.term)) asking.set(question.term, [...(asking.get(question.term) ?? []), node])
  }
  const answers = new Map(
    [...asking]
      .filter(([, nodes]) => nodes.length > 1)
      .slice(0, MAX_QUESTIONS)
      .map(([term]) => [term, [true, false].map((holds) => ({ holds, nodes: findWithAnswer(run, term, holds) }))]),
  )
  const passes: Passes = (edge, from) => {
    const question = questionOf(edge)
    const ways = question && answers.get(question.term)
    return ways?.every(({ holds, nodes }) => holds !== question?.holds || nodes.has(from)) !== false
  }
  known.set(run, passes)
  return passes
}

/** Whether the term is one number all the time: what ways bring together changes in a loop. */
const isFixed = (term: Term) => term.exact && !someTerm(term, ({ op }) => op === 'phi')

/** The nodes of all ways on which the question is answered so, wherever it is asked. */
const findWithAnswer = (run: Run, term: Term, holds: boolean): ReadonlySet<Node> =>
  findReachable(run, (edge) => {
    const question = questionOf(edge)
    return question?.term !== term || question.holds === holds
  })

/** What decides the branch, however often the compiler turned it round. */
function questionOf(edge: Edge | undefined): { term: Term; holds: boolean } | undefined {
  if (edge?.condition === undefined || edge.taken === undefined) return undefined
  let [term, holds] = [edge.condition, edge.taken]
  for (let inner = term.args[0]; term.op === 'ISZERO' && inner !== undefined; inner = term.args[0]) {
    term = inner
    holds = !holds
  }
  return { term, holds }
}
