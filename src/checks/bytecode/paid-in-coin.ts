import type { CallEffect } from '../../bytecode/effects.js'
import type { Condition, FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable, findReachableFromAll } from '../../bytecode/graph.js'
import type { Edge, Node } from '../../bytecode/interpret.js'
import { isOverflowCheck } from '../../bytecode/overflow-check.js'
import type { BalanceChange } from '../../bytecode/read-balance-changes.js'
import { replaceTerm } from '../../bytecode/replace-term.js'
import {
  fromArgument,
  fromStorage,
  SOURCE,
  UNKNOWN_STORAGE,
  UNKNOWN_VARIABLE,
  variableOf,
} from '../../bytecode/source.js'
import { hasSource, someTerm, type Term, walkTerm } from '../../bytecode/terms.js'
import { type FieldWrite, readTokenFacts } from '../../bytecode/token-facts.js'
import { WORD_MASK } from '../../hex.js'
import { readPower, type Subject, supplyOf } from './subject.js'

/** What one hundredth of the supply has to cost at least: a thousandth of a coin. */
const LEAST_COST = 10n ** 15n
/** Of a supply that is not known: one whole token of 18 decimals. */
const LEAST_AMOUNT = 10n ** 18n
/** What may go elsewhere out of a payment, as a fee: one in this many. */
const FEE_DIVISOR = 10n
/** Coin that the contract may have later, when there is more to take. */
const RESERVE = 10n ** 24n
/** Parts of the sample whose price must be in proportion, within a half. */
const PARTS = [7n, 100n] as const
/** Sides of comparisons that are tried as the price. */
const MAX_PRICES = 8

/**
 * Whether the new tokens are paid for in native coin, on every way to them, by a price that grows
 * with their number and that no holder of a privilege moves, and the coin stays until tokens are
 * given back: a bonding curve. The price is worked out for what is stored now.
 */
export function isPaidInCoin(subject: Subject, change: BalanceChange): boolean {
  const { fn, amount, effect } = change
  if (subject.delegations.length > 0 || subject.facts.gaps.length > 0) return false
  const chosen = amount === undefined ? undefined : onlyArgument(amount)
  if (amount === undefined || chosen === undefined || !isMadeOnce(subject, change)) return false
  const asked = fn.conditions.filter(
    ({ term, fails, node, pc }) =>
      fails !== undefined &&
      hasSource(term, SOURCE.callValue) &&
      term.taint.sources.some((source) => chosen.taint.sources.includes(source)) &&
      isUnavoidable(fn, { term, fails, node, pc }, effect.node),
  )
  if (asked.length === 0 || !asked.every(({ term }) => isOnlyMovedByTrade(subject, term))) return false
  const market = createMarket(subject, chosen, asked)
  const number = market.supply / 100n > LEAST_AMOUNT ? market.supply / 100n : LEAST_AMOUNT
  // More tokens than the number that the price is asked for would be cheaper than it seems.
  if ((market.worth(amount, number, 0n) ?? number + 1n) > number) return false
  const price = findPrices(asked, chosen).find((term) => isPrice(market, term, number))
  return price !== undefined && isChecked(fn, price, chosen) && staysUntilGivenBack(subject, fn, market, price, number)
}

/** Whether one payment makes these tokens alone, and once. */
function isMadeOnce({ facts }: Subject, { fn, effect }: BalanceChange): boolean {
  const others = readTokenFacts(facts).balanceChanges.filter((each) => each.fn === fn && each.effect !== effect)
  return others.length === 0 && !isRepeated(effect.node)
}

const isRepeated = (node: Node) => findReachableFromAll(node.edges.map(({ to }) => to)).has(node)

/** The one word of the call that decides how many, where no other does. */
function onlyArgument(amount: Term): Term | undefined {
  const found = new Set<Term>()
  walkTerm(amount, (part) => {
    if (part.op === 'calldata') found.add(part)
    return true
  })
  const [only, second] = found
  const { sources } = amount.taint
  return second === undefined && sources.length === 1 && only?.taint.sources[0] === sources[0] ? only : undefined
}

/** Whether the way to the place, or on from it to a good end, is closed where it fails. */
function isUnavoidable({ run }: FunctionFacts, { term, fails }: Condition, at: Node): boolean {
  const avoids = ({ condition, taken }: Edge) => condition !== term || taken === fails
  if (!findReachable(run, avoids).has(at)) return true
  return ![...findReachableFromAll([at], avoids)].some(({ end }) => end === 'success')
}

/**
 * Whether what is stored in a price is moved by making tokens and giving them back alone, by any
 * address.
 */
function isOnlyMovedByTrade(subject: Subject, { taint }: Term): boolean {
  const { writesOf, balanceChanges } = readTokenFacts(subject.facts)
  const isTrade = ({ fn, effect }: FieldWrite) =>
    (effect.value.op === 'ADD' || effect.value.op === 'SUB') &&
    balanceChanges.some((change) => change.fn === fn && change.amount && effect.value.args.includes(change.amount)) &&
    readPower(subject, fn, effect.node).kind === 'anyone'
  return taint.sources.every((source) => {
    if (!fromStorage(source)) return source === SOURCE.callValue || fromArgument(source)
    return variableOf(source) !== UNKNOWN_VARIABLE && [...writesOf(source), ...writesOf(UNKNOWN_STORAGE)].every(isTrade)
  })
}

interface Market {
  supply: bigint
  /** What a term comes to with so much coin sent along and such a number of tokens. */
  worth(term: Term, number: bigint, coin: bigint, of?: Term): bigint | undefined
  /** Whether so much coin is enough for the number. */
  passes(number: bigint, coin: bigint): boolean
}

function createMarket(subject: Subject, chosen: Term, asked: readonly Condition[]): Market {
  const { store } = subject.facts
  const worth: Market['worth'] = (term, number, coin, of = chosen) => {
    const sent = replaceTerm(store, term, (part) => {
      if (part.op === 'CALLVALUE') return store.constant(coin)
      if (part.op === 'SELFBALANCE') return store.constant(subject.balance + coin + RESERVE)
      return part === of ? store.constant(number) : undefined
    })
    return subject.value(sent)
  }
  return {
    supply: supplyOf(subject),
    worth,
    passes: (number, coin) =>
      asked.every(({ term, fails }) => {
        const value = worth(term, number, coin)
        return value !== undefined && (value !== 0n) !== fails
      }),
  }
}

/** What the coin that was sent is compared with, or taken from it. */
function findPrices(asked: readonly Condition[], chosen: Term): Term[] {
  const found = new Set<Term>()
  for (const { term } of asked)
    walkTerm(term, ({ args }) => {
      const other = args.length === 2 ? args.find(({ op }) => op !== 'CALLVALUE') : undefined
      const isAsked = other !== undefined && args.some(({ op }) => op === 'CALLVALUE')
      if (isAsked && isOf(chosen, other)) found.add(other)
      return true
    })
  return [...found].slice(0, MAX_PRICES)
}

/** Whether it is what has to be paid, no less is enough, and it grows with the number. */
function isPrice({ worth, passes }: Market, price: Term, number: bigint): boolean {
  const cost = worth(price, number, 0n)
  if (cost === undefined || cost < LEAST_COST || !passes(number, cost) || passes(number, cost - 1n)) return false
  const twice = worth(price, number * 2n, 0n)
  return (
    twice !== undefined &&
    twice * 2n >= cost * 3n &&
    PARTS.every((part) => {
      const less = worth(price, number / part, 0n)
      return less !== undefined && less * part * 2n >= cost && !passes(number / part, less - 1n)
    })
  )
}

/** Whether no sum and no product in a price can be too large for a word, and come out small. */
function isChecked({ conditions }: FunctionFacts, price: Term, chosen: Term): boolean {
  const checks = conditions.flatMap(({ term, fails }) => (fails === undefined ? [] : [term]))
  const sums = checks.filter((term) => isOverflowCheck(term))
  let isSafe = true
  walkTerm(price, (part) => {
    if (!isOf(chosen, part)) return false
    if (part.op === 'ADD') isSafe &&= sums.some((check) => someTerm(check, ({ args }) => args.includes(part)))
    else if (part.op === 'MUL')
      isSafe &&= checks.some((check) => someTerm(check, (inner) => checksProduct(inner, part)))
    else isSafe &&= part.op === 'SUB' || part.op === 'DIV' || part.op === 'calldata'
    return true
  })
  return isSafe
}

/** `a == a * b / b`, or `a > MAX / b`. */
function checksProduct({ op, args: [a, b] }: Term, product: Term): boolean {
  const divides = (term: Term | undefined) => term?.op === 'DIV' && term.args[0] === product
  if (op === 'EQ') return divides(a) || divides(b)
  const [x, y] = product.args
  const isRoom = (term: Term | undefined, by: Term | undefined) =>
    term?.op === 'DIV' && term.args[0]?.op === 'const' && term.args[0].value === WORD_MASK && term.args[1] === by
  return op === 'GT' && ((a === x && isRoom(b, y)) || (a === y && isRoom(b, x)))
}

/**
 * Whether the coin leaves only as the change of a payment, but for a small fee, and to those who
 * give tokens back, for no more than these cost.
 */
function staysUntilGivenBack(
  { facts }: Subject,
  fn: FunctionFacts,
  { worth }: Market,
  price: Term,
  number: bigint,
): boolean {
  const cost = worth(price, number, 0n) ?? 0n
  const left = (coin: bigint) => {
    const sums = paymentsOf(fn).map(({ value }) => worth(value, number, coin))
    return sums.reduce<bigint | undefined>(
      (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
      0n,
    )
  }
  const fits = [1n, 2n].every((times) => {
    const out = left(cost * times)
    return out !== undefined && out <= cost * (times - 1n) + cost / FEE_DIVISOR
  })
  return fits && facts.functions.every((other) => !givesAway(other) && (other === fn || paysBack(other)))

  function paysBack(other: FunctionFacts): boolean {
    const payments = paymentsOf(other)
    if (payments.length === 0) return true
    const burnt = readTokenFacts(facts).balanceChanges.filter(
      (change) => change.fn === other && change.kind === 'subtract' && change.account.op === 'CALLER',
    )
    return burnt.some(({ amount }) => {
      const given = amount && onlyArgument(amount)
      const pays = (of: bigint, most: bigint) =>
        payments.every(({ value }) => {
          const paid = worth(value, of, 0n, given)
          return paid !== undefined && paid <= most
        })
      return given !== undefined && pays(number, cost) && pays(number / 100n, cost / 50n)
    })
  }
}

const paymentsOf = ({ effects }: FunctionFacts): Located<CallEffect>[] =>
  effects.filter(
    (effect): effect is Located<CallEffect> =>
      effect.kind === 'call' &&
      effect.op !== 'STATICCALL' &&
      !(effect.value.op === 'const' && effect.value.value === 0n),
  )

/** What takes all coin along, or hands the contract to other code, or pays over and over. */
const givesAway = (fn: FunctionFacts) =>
  fn.effects.some(
    (effect) =>
      effect.kind === 'destruct' ||
      effect.kind === 'create' ||
      (effect.kind === 'call' && (effect.op === 'DELEGATECALL' || effect.op === 'CALLCODE')),
  ) || paymentsOf(fn).some(({ node }) => isRepeated(node))

/** Whether a term is made with the word of call data that was chosen. */
const isOf = ({ taint: { sources } }: Term, term: Term): boolean =>
  sources[0] !== undefined && hasSource(term, sources[0])
