import { computesWithAccounts } from '../../bytecode/computed-accounts.js'
import { standardFunctions } from '../../bytecode/deciding-branches.js'
import type { CallEffect } from '../../bytecode/effects.js'
import type { ContractFacts, FunctionFacts, Located } from '../../bytecode/facts.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { isComputedSlot } from '../../bytecode/named-slots.js'
import { ERC20, returnedTerms } from '../../bytecode/roles.js'
import { toSelectorHex } from '../../bytecode/selectors.js'
import { fromArgument, fromStorage, SOURCE, UNKNOWN_VARIABLE, variableOf } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { type Term, walkTerm } from '../../bytecode/terms.js'
import { findFunction } from '../../bytecode/token-facts.js'
import type { Address } from '../../hex.js'
import type { Subject } from './subject.js'

/** Another contract that keeps the balances of a token, as it stands on the chain. */
export interface Book {
  address: Address
  facts: ContractFacts
  /** What a term of its code is now. */
  value(term: Term): bigint | undefined
}

/** The only contract that `balanceOf` asks, where it is always the same. */
export function findBook(facts: ContractFacts): Term | undefined {
  const asked = callsOf(findFunction(facts, ERC20.balanceOf))
  const [only, second] = new Set(asked.map(({ target }) => target))
  return second === undefined && only !== undefined && isFixed(facts, only) ? only : undefined
}

/** Whether a book is asked that the token's own transfers alone write, and that asks no more. */
export function asksOwnBook(subject: Subject, { target }: CallEffect): boolean {
  const { book } = subject
  return book !== undefined && target === findBook(subject.facts) && isOwn(subject, book)
}

const known = new WeakMap<Subject, boolean>()

function isOwn(subject: Subject, book: Book): boolean {
  const found = known.get(subject) ?? (isWrittenByTransfers(subject, book) && asksForMoneyAlone(subject, book))
  known.set(subject, found)
  return found
}

/** Nothing but this token writes there, and it does so in its standard functions. */
function isWrittenByTransfers({ address, facts, delegations }: Subject, book: Book): boolean {
  if (delegations.length > 0 || book.facts.gaps.length > 0) return false
  const target = findBook(facts)
  const standard = new Set(standardFunctions(facts))
  const reachesBook = facts.functions.some((fn) =>
    callsOf(fn).some((call) => {
      if (call.op === 'DELEGATECALL' || call.op === 'CALLCODE') return true
      // Another fixed contract is none that the book obeys.
      if (call.target !== target) return !isFixed(facts, call.target)
      return !standard.has(fn) && (askedOf(book, call)?.effects.some(({ kind }) => kind === 'write') ?? true)
    }),
  )
  if (reachesBook) return false
  return book.facts.functions.every((fn) =>
    fn.effects.every((effect) => {
      if (effect.kind !== 'write') return HARMLESS.has(effect.kind)
      const guards = fn.guardsOf(effect.node)
      return (
        guards.length > 0 &&
        guards.every(({ holder }) => isFixed(book.facts, holder) && book.value(holder) === BigInt(address))
      )
    }),
  )
}

const HARMLESS: ReadonlySet<string> = new Set(['read', 'transient', 'log', 'return'])

/**
 * What decides in the book, and what it writes, is computed from the call, from balances and
 * allowances of accounts that the call names, and from what nothing writes.
 */
function asksForMoneyAlone({ facts }: Subject, book: Book): boolean {
  const money = new Set([ERC20.balanceOf, ERC20.allowance].flatMap((selector) => answersOf(facts, book, selector)))
  const written = new Set(
    book.facts.functions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === 'write' ? [classifyKey(effect.key).id] : [])),
    ),
  )
  const asked = new Set(
    standardFunctions(facts)
      .flatMap(callsOf)
      .flatMap((call) => (call.target === findBook(facts) ? [askedOf(book, call)] : [])),
  )
  return [...asked].every((fn) => {
    if (fn === undefined) return false
    const accounts = accountsOf(fn, money)
    const isPlain = (term: Term) =>
      term.taint.sources.every((source) => {
        if (!fromStorage(source)) return fromArgument(source) || OF_CALL.has(source)
        const variable = variableOf(source)
        return (
          money.has(variable) || !(written.has(variable) || written.has(UNKNOWN_VARIABLE) || isComputedSlot(variable))
        )
      }) &&
      !computesWithAccounts(term, (part) => accounts.has(part)) &&
      isOfNamed(term, money)
    return (
      fn.conditions.every(({ term }) => isPlain(term)) &&
      fn.effects.every((effect) => effect.kind !== 'write' || isPlain(effect.value))
    )
  })
}

const OF_CALL: ReadonlySet<string> = new Set(['selector', SOURCE.caller, SOURCE.callValue])

/** Mappings that the book answers the token's function from. */
const answersOf = (facts: ContractFacts, book: Book, selector: number): string[] =>
  callsOf(findFunction(facts, selector)).flatMap((call) =>
    returnedTerms(askedOf(book, call)?.run).flatMap(({ taint }) =>
      taint.sources.flatMap((source) => (fromStorage(source) ? [variableOf(source)] : [])),
    ),
  )

/** Whose entries the function looks up. */
function accountsOf({ effects }: FunctionFacts, money: ReadonlySet<string>): Set<Term> {
  const found = new Set<Term>()
  for (const effect of effects) {
    if (effect.kind !== 'read' && effect.kind !== 'write') continue
    const { id, keys } = classifyKey(effect.key)
    if (money.has(id)) for (const key of keys) found.add(key)
  }
  return found
}

/** Whether no entry of an account is asked for that the call does not name. */
function isOfNamed(term: Term, money: ReadonlySet<string>): boolean {
  let isNamed = true
  walkTerm(term, (part) => {
    const key = storageKeyOf(part)
    if (key === undefined) return true
    const { id, keys } = classifyKey(key)
    if (money.has(id) && !keys.every(({ op }) => op === 'calldata')) isNamed = false
    return false
  })
  return isNamed
}

const callsOf = (fn: FunctionFacts | undefined): Located<CallEffect>[] =>
  fn?.effects.flatMap((effect) => (effect.kind === 'call' ? [effect] : [])) ?? []

/** The function of the book that is called, where that is certain. */
const askedOf = ({ facts }: Book, { selector }: CallEffect): FunctionFacts | undefined =>
  selector.op === 'const'
    ? facts.functions.find((fn) => fn.selector === toSelectorHex(Number(selector.value)))
    : undefined

/** A constant, or a word that no function writes. */
function isFixed({ functions }: ContractFacts, term: Term): boolean {
  if (term.op === 'const') return true
  const key = storageKeyOf(term)
  if (key?.op !== 'const') return false
  const { id } = classifyKey(key)
  return !functions.some(({ effects }) =>
    effects.some((effect) => effect.kind === 'write' && [id, UNKNOWN_VARIABLE].includes(classifyKey(effect.key).id)),
  )
}
