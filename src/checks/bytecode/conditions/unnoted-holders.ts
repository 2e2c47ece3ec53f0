import { needsConsent } from '../../../bytecode/consent.js'
import type { DecidingBranch } from '../../../bytecode/deciding-branches.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { findReachable } from '../../../bytecode/graph.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { inputsOf } from '../../../bytecode/join.js'
import { replaceTerm } from '../../../bytecode/replace-term.js'
import { storageSource, UNKNOWN_VARIABLE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import type { Term } from '../../../bytecode/terms.js'
import { type FieldWrite, readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import type { Subject } from '../subject.js'
import { canBeOpened, isOpenNow } from '../ways.js'

/**
 * What a branch of a transfer asks of a holder that the token knew nothing of when it was created,
 * and `undefined` where it decides nothing for him: entries of the sender that no function writes
 * (any more) are zero for all who came later, as the locks of a team are, and so are those that
 * only he has written, or agreed to. Those that have one are asked by acting as holders.
 */
export function createUnnoted(
  subjects: readonly Subject[],
  { facts: { store } }: Subject,
  fn: FunctionFacts,
): (branch: DecidingBranch) => DecidingBranch | undefined {
  const { from, to } = transferParties(fn)
  const all = subjects.map(({ facts }) => facts)
  const isWritten = (id: string) =>
    subjects.some((each) =>
      readTokenFacts(each.facts)
        .writesOf(storageSource(id))
        .some((write) => !needsConsent(each.facts, write, all) && isStillMade(each, write)),
    )
  const isAgreedOn = (id: string) => all.some((facts) => readTokenFacts(facts).writesOf(storageSource(id)).length > 0)
  const isAnywhere = isWritten(UNKNOWN_VARIABLE)
  const isNote = (term: Term) => {
    const key = storageKeyOf(term)
    if (isAnywhere || key === undefined) return false
    const { id, keys } = classifyKey(key)
    const [account] = keys
    if (account === undefined || keys.length !== 1 || isWritten(id)) return false
    // A list of pools that only the constructor wrote is asked of receivers in each sale.
    return from(account) || (to(account) && isAgreedOn(id))
  }
  if (![...notesAsked(fn)].some(isNote)) return (branch) => branch
  const known = new Map<Term, Term>()
  const open = new Set<Term>()
  const unnoted = (term: Term): Term =>
    replaceTerm(store, term, (part) => (isNote(part) ? store.constant(0n) : joinedAs(part)), known)

  /** What ways bring together, where it is the same on each of them. */
  function joinedAs(part: Term): Term | undefined {
    if (part.op !== 'phi' || open.has(part) || open.size > MAX_JOINS) return undefined
    open.add(part)
    // Earlier states of the same join are among its inputs.
    const inputs = [...inputsOf(fn.run, part)].filter(({ join }) => join !== part.join)
    const [only, second] = new Set(inputs.map(unnoted))
    open.delete(part)
    return second === undefined ? only : undefined
  }

  const reached = findReachable(fn.run, ({ condition, taken }) => {
    const truth = condition && truthOf(unnoted(condition))
    return truth === undefined || truth === taken
  })
  return (branch) => {
    if (!reached.has(branch.node)) return undefined
    const term = unnoted(branch.term)
    const truth = truthOf(term)
    return truth === undefined || truth === branch.hostile ? { ...branch, term } : undefined
  }
}

/** Whether some call comes to the write, now or after others: a list may be closed for good. */
const isStillMade = (subject: Subject, { fn, effect: { node } }: FieldWrite): boolean =>
  isOpenNow(subject, fn, node) || canBeOpened(subject, fn, node)

/** How a condition comes out, where that is certain: nothing is more than itself. */
function truthOf({ op, value, args: [a, b] }: Term): boolean | undefined {
  if (op === 'const') return value !== 0n
  if (op === 'ISZERO' && a) {
    const inner = truthOf(a)
    return inner === undefined ? undefined : !inner
  }
  return (op === 'LT' || op === 'GT') && a !== undefined && a === b ? false : undefined
}

/** Values that wait for the parts of others, one within the other. */
const MAX_JOINS = 24

/** The stored parts of all conditions. */
function* notesAsked({ conditions }: FunctionFacts): Generator<Term> {
  const seen = new Set<Term>()
  const open = conditions.map(({ term }) => term)
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (seen.has(term)) continue
    seen.add(term)
    if (storageKeyOf(term) !== undefined) yield term
    else open.push(...term.args)
  }
}
