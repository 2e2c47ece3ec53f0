import { ADDRESS_MASK, type Address } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { PERMIT2 } from './assets.js'
import { dataOf, renamedFrom } from './call-data.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { Victim } from './victim.js'

/** Tries the same call in the name of another victim. */
export type Again = (victim: Victim) => Outcome | undefined

/** A word that a contract keeps of one account alone. */
export interface Book {
  account: Address
  slot: bigint
  before: bigint
  after: bigint
}

/**
 * What contracts keep of the victim: storage outside the tokens that another victim's same call
 * writes elsewhere, or that holds the victim's address. It needs no knowledge of layouts.
 */
export function booksOf(stage: Stage, outcome: Outcome, again: Again): Book[] {
  const named = namingBooks(stage, outcome)
  return named.length > 0 ? named : differingBooks(stage, outcome, again)
}

/** Those that hold the victim's address, and those that another's call writes elsewhere. */
export function allBooksOf(stage: Stage, outcome: Outcome, again: Again): Book[] {
  const differing = differingBooks(stage, outcome, again)
  const isNew = ({ account, slot }: Book) => !differing.some((each) => each.account === account && each.slot === slot)
  return [...namingBooks(stage, outcome).filter(isNew), ...differing]
}

const namingBooks = (stage: Stage, outcome: Outcome): Book[] =>
  kept(outcome, tokensOf(stage)).filter(({ after }) => contains(after, stage.victim.address))

function differingBooks(stage: Stage, outcome: Outcome, again: Again): Book[] {
  const other = again(stage.twin())
  if (other === undefined || !other.success) return []
  const tokens = tokensOf(stage)
  const others = new Set(kept(other, tokens).map(({ account, slot }) => `${account}:${slot}`))
  return kept(outcome, tokens).filter(({ account, slot }) => !others.has(`${account}:${slot}`))
}

const tokensOf = (stage: Stage): Set<Address> =>
  new Set([...stage.victim.holdings, ...stage.twin().holdings].map(({ account }) => account))

/** Whether a book says how much was paid: by what it grew, or in a part of its word. */
export function saysAmount({ before, after }: Book, amount: bigint): boolean {
  if (after - before === amount) return true
  const wanted = bytesOf(amount)
  const isTold = (word: bigint) => bytesOf(word).join().includes(wanted.join())
  return wanted.length >= LEAST_TOLD_BYTES && isTold(after) && !isTold(before)
}

/**
 * The words that a payment fills for the first time where a book of it lies, and that the next
 * payment of another leaves alone: what else its record says, where records are numbered and not
 * kept by account, in one structure or in several mappings.
 */
export function recordsBeside(stage: Stage, payment: Attempt, books: readonly Book[]): Book[] {
  const { storage } = stage.play(payment)
  const next = branch(stage.fork, () => {
    sendAs(stage.fork, { ...payment, gasLimit: PAYMENT_GAS })
    return stage.play(ofTwin(stage, payment)).storage.writes
  })
  const isKnown = (account: Address, slot: bigint) =>
    books.some((book) => book.account === account && book.slot === slot)
  const isNew = (account: Address) => books.some((book) => book.account === account && book.before === 0n)
  return [...storage.writes].flatMap(([account, slots]) =>
    isNew(account)
      ? [...slots].flatMap(([slot, { before, after }]) =>
          before === 0n && !isKnown(account, slot) && next.get(account)?.has(slot) !== true
            ? [{ account, slot, before, after }]
            : [],
        )
      : [],
  )
}

/** Whether a book says something else of `another` payment, of more: a premium, shares, points. */
export function tellsFrom({ account, slot, after }: Book, another: Outcome): boolean {
  const other = another.success ? another.storage.writes.get(account)?.get(slot) : undefined
  return other !== undefined && other.after !== after
}

const bytesOf = (word: bigint): string[] => {
  const hex = word.toString(16)
  return hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? []
}

/** Fewer stand in a word by chance. */
const LEAST_TOLD_BYTES = 5

function kept({ storage }: Outcome, tokens: ReadonlySet<Address>): Book[] {
  return [...storage.writes].flatMap(([account, slots]) =>
    tokens.has(account) || account === PERMIT2
      ? []
      : [...slots].map(([slot, { before, after }]) => ({ account, slot, before, after })),
  )
}

/**
 * Whether a book of a payment says what was `paid`, until when, or who it was: what can be made
 * good. A mere count can where another function asks for it.
 */
export function isOfUse(stage: Stage, payment: Attempt, paid: bigint, all: readonly Book[]): boolean {
  const books = lasting(stage, payment, all)
  const now = stage.fork.evm.block.timestamp
  return (
    books.some(
      ({ before, after }) =>
        after - before >= paid || (after > now && after < now + CENTURY) || contains(after, stage.victim.address),
    ) || isAskedFor(stage, payment, books)
  )
}

/** Those that do not name another once another has bought the same. */
function lasting(stage: Stage, payment: Attempt, books: readonly Book[]): Book[] {
  const { fork, victim } = stage
  const named = books.filter(({ after }) => contains(after, victim.address))
  if (named.length === 0) return [...books]
  const next = branch(fork, () => {
    sendAs(fork, { ...payment, gasLimit: PAYMENT_GAS })
    return stage.play(ofTwin(stage, payment))
  })
  const isLost = ({ account, slot }: Book) => {
    const change = next.success ? next.storage.writes.get(account)?.get(slot) : undefined
    return change !== undefined && !contains(change.after, victim.address)
  }
  return books.filter((book) => !named.includes(book) || !isLost(book))
}

/** The same call by another victim, in its own name. */
export function ofTwin(stage: Stage, { data, ...attempt }: Attempt): Attempt {
  const from = stage.twin().address
  return { ...attempt, from, data: renamedFrom(data, stage.victim.address, from) }
}

/** Seconds. */
const CENTURY = 3_200_000_000n
/** Functions that are tried behind a payment. */
const MAX_FUNCTIONS = 24
/** What a payment takes. */
export const PAYMENT_GAS = 400_000n

/** Whether a function that does something reads one of the books when the payer calls it. */
function isAskedFor(stage: Stage, payment: Attempt, books: readonly Book[]): boolean {
  const { fork, marks, target } = stage
  const others = stage.entries.filter(({ selector }) => selector !== undefined && !payment.data.startsWith(selector))
  return branch(fork, () => {
    sendAs(fork, { ...payment, gasLimit: PAYMENT_GAS })
    return others.slice(0, MAX_FUNCTIONS).some((entry) => {
      const data = dataOf(entry, marks.valuesFor(entry.template))
      const outcome = stage.play({ from: payment.from, to: target, data })
      return (
        !isView(outcome) && books.some(({ account, slot }) => outcome.storage.reads.get(account)?.has(slot) === true)
      )
    })
  })
}

/** It only answered, and asked no other contract. */
export const isView = ({ success, storage, logs, native, trace }: Outcome): boolean =>
  success && storage.writes.size === 0 && logs.length === 0 && native.size === 0 && trace.calls === undefined

/** Anywhere in the word: structures pack an address beside other things. */
function contains(word: bigint, address: Address): boolean {
  const wanted = BigInt(address)
  for (let shift = 0n; shift <= 96n; shift += 8n) if (((word >> shift) & ADDRESS_MASK) === wanted) return true
  return false
}
