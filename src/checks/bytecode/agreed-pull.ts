import { readComparison } from '../../bytecode/comparison.js'
import type { CallEffect } from '../../bytecode/effects.js'
import { readEquality } from '../../bytecode/entry.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable, findReachableFromAll } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Edge } from '../../bytecode/interpret.js'
import { replaceTerm } from '../../bytecode/replace-term.js'
import { fromArgument, SOURCE, type Source } from '../../bytecode/source.js'
import { someTerm, type Taint, type Term, type TermStore } from '../../bytecode/terms.js'
import { readControls } from './field-control.js'
import type { Subject } from './subject.js'
import { readBound } from './written-bound.js'

/** The precompile that recovers who signed. */
const ECRECOVER = 1n
/** `transferFrom(address,address,uint256)`, `transfer(address,uint256)` */
const [TRANSFER_FROM, TRANSFER] = [0x23b872ddn, 0xa9059cbbn]
/** What an order is worth when the least that its owner gets for it is worked out. */
const SAMPLE = 10n ** 18n

/**
 * Whether what is taken from an account that the call names was agreed to by that account: on every
 * way it signed a text that names the thing and its number, which counts once; and it signed who
 * gets it too, or is paid by what it signed, of which no fee that can be set takes half.
 */
export function isAgreed(subject: Subject, fn: FunctionFacts, pull: Located<CallEffect>): boolean {
  const [victim, receiver, thing] = pull.args
  if (victim?.op !== 'calldata' || receiver === undefined || thing === undefined) return false
  const signed = readSigned(subject, fn, pull, victim)
  if (signed === undefined) return false
  const isSigned = ({ sources }: Taint) =>
    sources.every((source) => !fromArgument(source) || signed.sources.includes(source))
  if (!isSigned(pull.target.taint) || !isSigned(thing.taint) || !countsOnce(fn, signed)) return false
  const isNamed = receiver.taint.sources.some(fromArgument) && isSigned(receiver.taint)
  return (isNamed && !receiver.taint.sources.includes(SOURCE.caller)) || isPaid(subject, fn, pull, victim, isSigned)
}

/** The text that the account signed, by its sources; `undefined` where some way asks for none. */
function readSigned(
  { facts: { store } }: Subject,
  fn: FunctionFacts,
  pull: Located<CallEffect>,
  victim: Term,
): Taint | undefined {
  const recovered = fn.effects.filter(
    (effect): effect is Located<CallEffect> =>
      effect.kind === 'call' && effect.target.op === 'const' && effect.target.value === ECRECOVER,
  )
  const [only, second] = new Set(recovered.map(({ selector }) => selector.taint))
  // The first word of what the precompile is given; several texts leave open which one it was.
  if (only === undefined || second !== undefined) return undefined
  const isOpen = ({ condition, taken }: Edge) =>
    condition === undefined || taken === undefined || !needsSigner(store, condition, taken, victim)
  return isCutOff(fn, pull, isOpen) ? only : undefined
}

/** Whether the call cannot be made, or cannot end well, over such edges alone. */
function isCutOff({ run }: FunctionFacts, { node }: Located<CallEffect>, isOpen: (edge: Edge) => boolean): boolean {
  if (!findReachable(run, isOpen).has(node)) return true
  return ![...findReachableFromAll([node], isOpen)].some(({ end }) => end === 'success')
}

/** Whether the condition comes out so only where the recovered signer is the account. */
function needsSigner(store: TermStore, condition: Term, holds: boolean, account: Term): boolean {
  const needs = (term: Term, value: boolean) => needsSigner(store, term, value, account)
  const { op, args, boolean } = condition
  const [a, b] = args
  const equality = readEquality(store, condition)
  if (equality !== undefined && [equality.a, equality.b].some(isSigner))
    return equality.when === holds && [equality.a, equality.b].some((side) => isSame(side, account))
  if (op === 'ISZERO' && a) return needs(a, !holds)
  if (op === 'choice') {
    const open = args.filter((arg) => arg.op !== 'const' || (arg.value !== 0n) === holds)
    return open.length > 0 && open.every((arg) => needs(arg, holds))
  }
  if (!boolean || !a || !b || (op !== 'AND' && op !== 'OR')) return false
  const isAll = (op === 'AND') === holds
  return isAll ? needs(a, holds) || needs(b, holds) : needs(a, holds) && needs(b, holds)
}

const isSigner = ({ op, args: [a, b] }: Term): boolean =>
  op === 'AND' && a && b
    ? isSigner(b.op === 'const' ? a : b)
    : op === 'returned' && a?.op === 'const' && a.value === ECRECOVER

/** The account, cut to its twenty bytes or not. */
const isSame = (term: Term | undefined, account: Term): boolean =>
  term === account || (term?.op === 'calldata' && account.op === 'calldata' && term.value === account.value)

/**
 * Whether a record under what was signed, or one that the text contains, is asked for and written:
 * a nonce, a list of what was filled.
 */
function countsOnce({ effects, conditions }: FunctionFacts, { sources }: Taint): boolean {
  const isSigned = (source: Source) => fromArgument(source) && sources.includes(source)
  return effects.some((effect) => {
    if (effect.kind !== 'write' || !effect.key.taint.sources.some(isSigned)) return false
    return conditions.some(({ term, fails }) => {
      return fails !== undefined && someTerm(term, (part) => storageKeyOf(part) === effect.key)
    })
  })
}

/** Whether the account is given what it signed for, on every way that ends well. */
function isPaid(
  subject: Subject,
  fn: FunctionFacts,
  pull: Located<CallEffect>,
  account: Term,
  isSigned: (taint: Taint) => boolean,
): boolean {
  const payments = fn.effects.filter((effect): effect is Located<CallEffect> => {
    if (effect.kind !== 'call' || effect.op !== 'CALL') return false
    const amount = paidTo(effect, account)
    if (amount === undefined || !isSigned(amount.taint) || !isSigned(effect.target.taint)) return false
    return isFair(subject, amount, asksForPrice(subject, fn, isSigned))
  })
  const nodes = new Set(payments.map(({ node }) => node))
  return nodes.has(pull.node) || (nodes.size > 0 && isCutOff(fn, pull, ({ to }) => !nodes.has(to)))
}

/** What the account gets by the call, in coin or in a token. */
function paidTo({ target, value, selector, args }: CallEffect, account: Term): Term | undefined {
  if (isSame(target, account)) return value
  if (selector.op !== 'const') return undefined
  if (selector.value === TRANSFER) return isSame(args[0], account) ? args[1] : undefined
  return selector.value === TRANSFER_FROM && isSame(args[1], account) && !isSame(args[0], account) ? args[2] : undefined
}

/** Whether no less coin has to be sent along than what was signed. */
function asksForPrice({ facts: { store } }: Subject, fn: FunctionFacts, isSigned: (taint: Taint) => boolean): boolean {
  const isPrice = (term: Term) => term.op === 'calldata' && isSigned(term.taint)
  return fn.conditions.some(({ term, fails }) => {
    if (fails === undefined) return false
    const equality = readEquality(store, term)
    if (equality?.when === !fails && equality.a.op === 'CALLVALUE') return isPrice(equality.b)
    if (equality?.when === !fails && equality.b.op === 'CALLVALUE') return isPrice(equality.a)
    const order = readComparison(term, !fails)
    return order?.big.op === 'CALLVALUE' && isPrice(order.small)
  })
}

/** Whether at least half of what was signed arrives, whatever those who set fees make of them. */
function isFair(subject: Subject, amount: Term, isPriceSent: boolean): boolean {
  const { store } = subject.facts
  let isBounded = true
  const worst = replaceTerm(store, amount, (part) => {
    if (part.op === 'calldata' || (isPriceSent && part.op === 'CALLVALUE')) return store.constant(SAMPLE)
    if (storageKeyOf(part) === undefined) return undefined
    const now = subject.value(part)
    const bounds = part.taint.sources.flatMap((source) =>
      readControls(subject, source).map(({ write }) => readBound(write).upper),
    )
    if (now === undefined || bounds.includes(undefined)) isBounded = false
    return store.constant(
      [now ?? 0n, ...bounds].reduce<bigint>((most, each) => (each && each > most ? each : most), 0n),
    )
  })
  return isBounded && worst.op === 'const' && worst.value * 2n >= SAMPLE && worst.value < 1n << 255n
}
