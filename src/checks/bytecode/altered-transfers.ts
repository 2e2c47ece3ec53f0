import { type ContractFacts, type FunctionFacts, readFunction } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { interpret } from '../../bytecode/interpret.js'
import { type BalanceChange, readBalanceChanges } from '../../bytecode/read-balance-changes.js'
import { replaceTerm } from '../../bytecode/replace-term.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../bytecode/token-facts.js'
import { assertInTime } from './deadline.js'
import type { Subject } from './subject.js'
import { readBranchFields, type TransferField } from './transfer-gates.js'

/** A stored entry that makes a transfer move something else than what was asked. */
export interface AlteredTransfer extends TransferField {
  /** What the entry does when it is zero and when it is one, where that alone decides. */
  empty: 'alters' | 'passes' | undefined
  set: 'alters' | 'passes' | undefined
}

/**
 * Conditions that are looked at: ordinary transfers have fewer than ten, a loop over holders that
 * was unrolled a hundred of the same kind.
 */
const MAX_CONDITIONS = 32
/**
 * Work units for walking transfers once more, about one for each instruction: one walk of an
 * ordinary transfer needs 2,000, of one that sells its fees 10,000 (measured).
 */
const SPLIT_STEPS = 12_000

interface Comparison {
  altered: AlteredTransfer[]
  /** Conditions of which both sides move what was asked for. */
  alike: ReadonlySet<Term>
}

const cache = new WeakMap<Subject, Comparison>()

/**
 * Every yes-or-no field on whose account a transfer debits more than was asked, credits another
 * account or nothing. What moves on each side of the condition is compared; where amounts of both
 * sides were brought together, the transfer is walked once more for each.
 */
export const readAlteredTransfers = (subject: Subject): AlteredTransfer[] => compare(subject).altered

/** Conditions on stored fields of which both sides were seen to move what was asked for. */
export const readComparedConditions = (subject: Subject): ReadonlySet<Term> => compare(subject).alike

function compare(subject: Subject): Comparison {
  const known = cache.get(subject) ?? find(subject)
  cache.set(subject, known)
  return known
}

function find(subject: Subject): Comparison {
  const { facts } = subject
  const sides = new Map<Term, Side>()
  const split = createSplit(facts)
  const altered = readBranchFields(subject).flatMap((field) => {
    assertInTime(subject)
    const { condition } = field
    if (sides.size >= MAX_CONDITIONS && !sides.has(condition)) return []
    if (!sides.has(condition)) sides.set(condition, findAlteringSide(subject, field, split))
    const side = sides.get(condition)
    if (typeof side !== 'boolean') return []
    const outcome = (value: bigint): AlteredTransfer['empty'] => {
      const { store } = facts
      const result = replaceTerm(store, condition, (part) => (part === field.field ? store.constant(value) : undefined))
      return result.op !== 'const' ? undefined : (result.value !== 0n) === side ? 'alters' : 'passes'
    }
    return [{ ...field, empty: outcome(0n), set: outcome(1n) }]
  })
  return { altered, alike: new Set([...sides].flatMap(([condition, side]) => (side === 'neither' ? [condition] : []))) }
}

/** The outcome after which a transfer is altered; `undefined` where that is not known. */
type Side = boolean | 'neither' | undefined

/** The outcome of the condition after which the transfer is not the one that was asked for. */
function findAlteringSide(subject: Subject, { fn, condition }: TransferField, split: Split): Side {
  const all = readTokenFacts(subject.facts).balanceChanges.filter((change) => change.fn === fn)
  const onSide = (holds: boolean) => {
    const reached = findReachable(fn.run, (edge) => edge.condition !== condition || edge.taken === holds)
    return isAltered(
      fn,
      all.filter(({ effect }) => reached.has(effect.node)),
    )
  }
  const side = findOnlySide(onSide)
  if (typeof side === 'boolean' || !isMerged(fn, all)) return side
  return split.fits(fn) ? findOnlySide((holds) => split.walk(fn, condition, holds)) : undefined
}

function findOnlySide(alters: (holds: boolean) => boolean | undefined): Side {
  const [yes, no] = [alters(true), alters(false)]
  if (yes === undefined || no === undefined) return undefined
  if (yes === no) return yes ? undefined : 'neither'
  return yes
}

/** Whether paths with different amounts, or accounts, have met before a word is written. */
const isMerged = ({ effects }: FunctionFacts, changes: readonly BalanceChange[]) =>
  changes.some(({ account, amount }) => bringsTogether(account) || (amount !== undefined && bringsTogether(amount))) ||
  effects.some((effect) => effect.kind === 'write' && bringsTogether(effect.key))

const bringsTogether = ({ op, args }: Term): boolean => op === 'phi' || args.some((part) => part.op === 'phi')

/** Walks a transfer once more, with one condition taken to come out one way. */
interface Split {
  /** Whether there is work left for both sides of a condition. */
  fits(fn: FunctionFacts): boolean
  walk(fn: FunctionFacts, condition: Term, holds: boolean): boolean | undefined
}

function createSplit(facts: ContractFacts): Split {
  const { store, program, roles } = facts
  const budget = { steps: SPLIT_STEPS }
  return {
    fits: ({ run }) => 2 * run.steps <= budget.steps,
    walk(fn, condition, holds) {
      const assume = (asked: Term) => (asked === condition ? holds : undefined)
      const run = interpret(store, program, fn.entry, budget, fn.run.dispatch, assume)
      // What was not read to its end says nothing.
      return run.gaps.size > 0 ? undefined : isAltered(fn, readBalanceChanges(facts, readFunction(store, run, roles)))
    },
  }
}

/**
 * Whether the changes are another transfer than the one asked for: the sender loses what the amount
 * has no part in, or what grows with his balance; the receiver gets nothing.
 */
function isAltered(fn: FunctionFacts, changes: readonly BalanceChange[]): boolean {
  const { from, to, amount } = transferParties(fn)
  const isOf = (term: Term, party: (term: Term) => boolean) => party(term) || term.args.some(party)
  const debits = changes.filter(({ kind, account }) => kind === 'subtract' && isOf(account, from))
  const takesMore = debits.some(
    (debit) =>
      debit.amount !== undefined &&
      (!hasSource(debit.amount, amount) ||
        (debit.amount.op === 'ADD' && debit.amount.args.some((part) => readsBalance(part, debit)))),
  )
  const paid = changes.some(
    ({ kind, account, amount: credit }) =>
      kind !== 'subtract' && isOf(account, to) && (credit === undefined || hasSource(credit, amount)),
  )
  return takesMore || !paid
}

/** The balance that falls, as it stood. */
const readsBalance = (part: Term, { effect }: BalanceChange): boolean =>
  (part.op === 'sload' && part.args[0] === effect.key) || (part.op === 'field' && part.args[0]?.args[0] === effect.key)
