import { fieldOf, foldTerm } from './fold.js'
import type { Term, TermStore } from './terms.js'

/** The term with parts exchanged, computed anew: "what would this be if that field were zero?" */
export function replaceTerm(
  store: TermStore,
  term: Term,
  exchange: (part: Term) => Term | undefined,
  known = new Map<Term, Term>(),
): Term {
  const done = known.get(term)
  if (done !== undefined) return done
  const replaced = exchange(term) ?? rebuild(store, term, exchange, known)
  known.set(term, replaced)
  return replaced
}

function rebuild(
  store: TermStore,
  term: Term,
  exchange: (part: Term) => Term | undefined,
  known: Map<Term, Term>,
): Term {
  if (term.args.length === 0) return term
  const args = term.args.map((arg) => replaceTerm(store, arg, exchange, known))
  if (args.every((arg, index) => arg === term.args[index])) return term
  const [first] = args
  if (term.op === 'field') {
    if (first?.op === 'const') return store.constant((first.value >> term.value) & ((1n << BigInt(term.width)) - 1n))
    return first?.op === 'sload' ? fieldOf(store, first, Number(term.value), term.width) : term
  }
  if (term.op === 'keccak') return store.make('keccak', args)
  if (term.op === 'choice' || term.op === 'sload') {
    return store.makeTainted(term.op, args, term.value, term.width, term.taint)
  }
  return foldTerm(store, term.op, args)
}
