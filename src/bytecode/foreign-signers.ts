import { type Equality, readEquality } from './entry.js'
import type { Condition, ContractFacts, FunctionFacts } from './facts.js'
import { findReachable } from './graph.js'
import { isShapeCheck } from './shape-check.js'
import { callSource, fromCall, type Source } from './source.js'
import { classifyKey } from './storage-key.js'
import { hasSource, type Term, walkTerm } from './terms.js'

/** A branch that lets a signature count which the account that it speaks for did not give. */
export interface ForeignSigner {
  condition: Condition
  /** What the recovered address, or its hash, is compared with or looked up in. */
  holder: Term
}

/** The precompile that recovers who signed. */
const ECRECOVER = 1n
/** Smaller numbers are errors and versions, no addresses. */
const LEAST_ADDRESS = 1n << 96n

/**
 * Comparisons of a recovered signer with something else than `owner`, an argument of the call. Zero
 * is what an invalid signature gives, and is left out.
 */
export function findForeignSigners({ store }: ContractFacts, fn: FunctionFacts, owner: Source): ForeignSigner[] {
  const recovered = fn.effects.flatMap((effect) =>
    effect.kind === 'call' && effect.target.op === 'const' && effect.target.value === ECRECOVER
      ? [callSource(effect.pc)]
      : [],
  )
  if (recovered.length === 0) return []
  const isRecovered = (term: Term) => recovered.some((source) => hasSource(term, source))
  const gates = fn.conditions.filter((condition) => isGate(store, condition, isRecovered, owner))
  // What lies under a signer that has to be the owner by then is the owner's: its nonces.
  const isOwners = ({ node }: Condition) =>
    gates.some((gate) => node !== gate.node && !findReachable(fn.run, (_, from) => from !== gate.node).has(node))
  return fn.conditions.flatMap((condition): ForeignSigner[] => {
    if (!isRecovered(condition.term) || isShapeCheck(condition.term)) return []
    let holder: Term | undefined
    for (const question of questionsIn(condition.term)) {
      const equality = readEquality(store, question)
      if (equality) holder ??= otherSide(equality, isRecovered, owner)
    }
    walkTerm(condition.term, (part) => {
      if (part.op === 'sload' && classifyKey(part.args[0] ?? part).keys.some(isRecovered) && !isOwners(condition))
        holder ??= part
      return holder === undefined
    })
    return holder === undefined ? [] : [{ condition, holder }]
  })
}

/** Joins answers to questions. */
const CONNECTIVES: ReadonlySet<string> = new Set(['ISZERO', 'AND', 'OR', 'XOR', 'EQ', 'SHL', 'SHR', 'MUL', 'choice'])

/**
 * What is asked within a condition: itself, what answers are joined, and a difference that is
 * compared with next to nothing. Places in memory are differences and sums as well, and ask
 * nothing.
 */
function questionsIn(condition: Term): ReadonlySet<Term> {
  const found = new Set([condition])
  for (const { op, args } of found) {
    const [a, b] = args
    const isNearZero = ({ op, value }: Term) => op === 'const' && value <= 1n
    if (CONNECTIVES.has(op)) for (const arg of args) found.add(arg)
    else if ((op === 'LT' || op === 'GT') && a && b) {
      if (isNearZero(b)) found.add(a)
      if (isNearZero(a)) found.add(b)
    }
  }
  return found
}

/** Whether the call can only go through where the recovered signer is the owner. */
function isGate(
  store: ContractFacts['store'],
  { term, fails }: Condition,
  isRecovered: (term: Term) => boolean,
  owner: Source,
): boolean {
  const equality = readEquality(store, term)
  if (equality === undefined || fails === undefined || equality.when === fails) return false
  const { a, b } = equality
  const other = isRecovered(a) ? b : a
  const { sources } = other.taint
  return isRecovered(a) !== isRecovered(b) && sources.length === 1 && sources[0] === owner
}

function otherSide({ a, b }: Equality, isRecovered: (term: Term) => boolean, owner: Source): Term | undefined {
  if (isRecovered(a) === isRecovered(b)) return undefined
  const other = isRecovered(a) ? b : a
  if (other.op === 'const') return other.value >= LEAST_ADDRESS ? other : undefined
  const { sources } = other.taint
  // An entry of the owner's own, and what another contract says of him, are his affair.
  if (sources.includes(owner) || sources.some(fromCall)) return undefined
  return sources.some((source) => /^(store:|arg:|env:(CALLER|ORIGIN)$)/.test(source)) ? other : undefined
}
