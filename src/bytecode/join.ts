import { readEquality } from './entry.js'
import type { Node, Run } from './interpret.js'
import { joinMemory } from './join-memory.js'
import { type Memory, share } from './memory.js'
import type { Taint, Term, TermStore } from './terms.js'

/** Alternatives of booleans or constants that are kept apart when paths meet. */
const MAX_CHOICE = 4

/** Takes what is true on another way into the node. Returns whether that taught something. */
export function join(store: TermStore, node: Node, stack: readonly Term[], memory: Memory, lastCall: Taint): boolean {
  let changed = false
  let joined: Term[] | undefined
  for (let i = 0; i < stack.length; i += 1) {
    const [a, b] = [node.stack[i], stack[i]]
    if (a === b || a === undefined || b === undefined) continue
    const term = joinTerm(store, node, a, b, `${i}`)
    if (term === a) continue
    joined ??= [...node.stack]
    joined[i] = term
    changed = true
  }
  if (joined !== undefined) node.stack = joined
  if (node.memory !== memory) {
    const both = joinMemory(store, node.memory, memory, (a, b, place) => joinTerm(store, node, a, b, place))
    if (both !== node.memory) {
      node.memory = share(both)
      changed = true
    }
  }
  const call = store.union(node.lastCall, lastCall)
  if (call !== node.lastCall) {
    node.lastCall = call
    changed = true
  }
  return changed
}

function joinTerm(store: TermStore, node: Node, a: Term, b: Term, place: string): Term {
  if (a === b) return a
  node.joined ??= new Map()
  const inputs = node.joined.get(place)
  if (inputs === undefined) node.joined.set(place, new Set([a, b]))
  else inputs.add(b)
  if (isPlain(a) && isPlain(b)) {
    const options = uniteOptions(alternatives(a), alternatives(b))
    if (options === a.args) return a
    if (options.length <= MAX_CHOICE) return store.make('choice', options)
  }
  return store.phi(node.id, place, store.union(a.taint, b.taint))
}

/** What was brought together in a term of this run: none where it is no `phi`. */
export const inputsOf = ({ nodes }: Run, { join: at }: Term): ReadonlySet<Term> =>
  (at && nodes[at.node]?.joined?.get(at.place)) ?? NO_INPUTS

const NO_INPUTS: ReadonlySet<Term> = new Set()

/** The options of both by age, without those that are there twice; the first where it has all. */
function uniteOptions(a: readonly Term[], b: readonly Term[]): readonly Term[] {
  if (b.every((option) => a.includes(option))) return a
  return [...a, ...b.filter((option) => !a.includes(option))].sort((x, y) => x.id - y.id)
}

const alternatives = (term: Term): readonly Term[] => (term.op === 'choice' ? term.args : [term])

/** A boolean, a constant, or a choice of them: worth keeping apart. */
const isPlain = (term: Term): boolean =>
  term.boolean || term.op === 'const' || (term.op === 'choice' && term.args.every(isPlain))

/** What the stack holds once the branch's outcome is known. */
export function refine(store: TermStore, stack: readonly Term[], condition: Term, taken: boolean): readonly Term[] {
  if (condition.op === 'const') return stack
  let refined = stack
  const equality = readEquality(store, condition)
  if (equality?.when === taken && equality.b.op === 'const') refined = replaceIn(refined, equality.a, equality.b)
  // The opposite may lie below: of `a && b`, what is left of `a` where it was asked the other way
  // round.
  const opposite = refined.find(({ op, args }) => op === 'ISZERO' && args[0] === condition)
  if (opposite) refined = replaceIn(refined, opposite, store.constant(taken ? 0n : 1n))
  let holds = taken
  for (let term: Term | undefined = condition; term !== undefined; holds = !holds) {
    if (!holds) refined = replaceIn(refined, term, store.constant(0n))
    else if (term.boolean) refined = replaceIn(refined, term, store.constant(1n))
    term = term.op === 'ISZERO' ? term.args[0] : undefined
  }
  return refined
}

/**
 * The caller stays the caller, whichever address was found to be his: contexts are told apart by
 * it, and one question about him would have all that follows read twice.
 */
const replaceIn = (stack: readonly Term[], term: Term, by: Term): readonly Term[] =>
  term.op !== 'CALLER' && stack.includes(term) ? stack.map((item) => (item === term ? by : item)) : stack
