import { readComparison } from '../../bytecode/comparison.js'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { inputsOf } from '../../bytecode/join.js'
import { type Source, storageSource } from '../../bytecode/source.js'
import { bitsOfField } from '../../bytecode/source-bits.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, isStored, type Term } from '../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../bytecode/token-facts.js'
import type { Subject } from './subject.js'

/** The least and the most that a value can be, whichever way led to it. */
interface Range {
  least: bigint
  most: bigint
}

/** What is sent in thought: large, so that shares do not round to nothing, and far from a word. */
const SENT = 10n ** 24n
const percent = (share: bigint) => (SENT * share) / 100n
/** Of what is sent, at least this arrives where a transfer pays what it was asked for. */
const [SHARE, NEARLY_ALL] = [percent(75n), percent(95n)]
const NOTHING: Range = { least: 0n, most: 0n }
/** Parts of one value that are looked at. */
const MAX_PARTS = 512
/** How far ahead clocks are followed, in seconds and in blocks: a century. */
const AHEAD = 100n * 365n * 86_400n
/** A difference below nothing, which its check refuses: no way leads on with it. */
const NEVER = 'never'

type Found = Range | typeof NEVER | undefined

/**
 * Whether a transfer, on all its ways, debits the sender by no more than was asked for and credits
 * the receiver with most of it, with the fees that are stored now. What their holder can make of
 * the fees is the matter of the rule about fees.
 */
export const paysAsAsked = (subject: Subject, fn: FunctionFacts): boolean => isAbove(leastArriving(subject, fn), SHARE)

/** The same, and next to all of it arrives, where what is stored of a field is this. */
export const paysNearlyAll = (subject: Subject, fn: FunctionFacts, source: Source, stored: bigint): boolean =>
  isAbove(leastWith(subject, fn, source, { least: stored, most: stored }), NEARLY_ALL)

/** Whether no less of a transfer arrives with any smaller number in the field than with this. */
export function paysMoreForLess(subject: Subject, fn: FunctionFacts, source: Source, stored: bigint): boolean {
  const now = leastWith(subject, fn, source, { least: stored, most: stored })
  const smaller = leastWith(subject, fn, source, { least: 0n, most: stored })
  return now !== undefined && smaller !== undefined && smaller >= now
}

/** What arrives where a field has any of these numbers; `undefined` where it is not asked for. */
function leastWith(subject: Subject, fn: FunctionFacts, source: Source, stored: Range): bigint | undefined {
  let isAsked = false
  const least = leastArriving(subject, fn, (term) => {
    if (!isFieldOf(term, source)) return hasSource(term, source) ? 'computed' : undefined
    isAsked = true
    return stored
  })
  // A fee that is first copied to another field says nothing here.
  return isAsked ? least : undefined
}

const isAbove = (arriving: bigint | undefined, share: bigint) => arriving !== undefined && arriving >= share

const isFieldOf = (term: Term, source: Source): boolean => {
  const key = isStored(term) ? storageKeyOf(term) : undefined
  return key !== undefined && storageSource(classifyKey(key).id, bitsOfField(term)) === source
}

/** Of {@link SENT}, on the way that brings least; `undefined` where that is not known. */
function leastArriving(subject: Subject, fn: FunctionFacts, takenFor: TakenFor = () => undefined): bigint | undefined {
  const { from, to } = transferParties(fn)
  const changes = readTokenFacts(subject.facts).balanceChanges.filter((change) => change.fn === fn)
  if (!changes.some(({ account, kind }) => to(account) && kind === 'add')) return undefined
  /** Taken from the receiver again, on all ways together. */
  let takenBack = 0n
  let least = SENT
  for (const { account, kind, amount } of changes) {
    if (!from(account) && !to(account)) {
      if (account.op === 'const' || account.op === 'ADDRESS' || isStored(account)) continue
      return undefined
    }
    const range = amount && (kind === 'add' || kind === 'subtract') ? rangeOf(subject, fn, amount, takenFor) : undefined
    if (range === undefined || (kind === 'subtract' && range.most > SENT)) return undefined
    if (!to(account)) continue
    if (kind === 'subtract') takenBack += range.most
    else if (range.least < least) least = range.least
  }
  return least - takenBack
}

/**
 * Whether on some way less of what was sent arrives than where a transfer pays what it was asked
 * for, by shares that are constants, or stored now.
 */
export function canTakeShare(subject: Subject, fn: FunctionFacts): boolean {
  const { to } = transferParties(fn)
  return readTokenFacts(subject.facts).balanceChanges.some(({ fn: of, account, effect: { key, value } }) => {
    if (of !== fn || !to(account)) return false
    // What is added to a word that counts as holding nothing is left.
    const range = rangeOf(subject, fn, value, (part) =>
      part.op === 'sload' && part.args[0] === key ? NOTHING : undefined,
    )
    return range !== undefined && range.most === SENT && range.least < SHARE
  })
}

/** What a term is taken for; `computed`: what its parts come to. `undefined`: what it is now. */
type TakenFor = (term: Term) => Range | 'computed' | undefined

function rangeOf(
  subject: Subject,
  fn: FunctionFacts,
  term: Term,
  takenFor: TakenFor = () => undefined,
): Range | undefined {
  const known = new Map<Term, Found>()
  const { amount } = transferParties(fn)
  let left = MAX_PARTS
  const read = (part: Term): Found => {
    if (known.has(part)) return known.get(part)
    // What leads back to itself has no bound that is known.
    known.set(part, undefined)
    left -= 1
    const range = left < 0 ? undefined : evaluate(part)
    known.set(part, range)
    return range
  }
  const evaluate = (part: Term): Found => {
    if (part.op === 'calldata' && part.taint.sources[0] === amount) return { least: SENT, most: SENT }
    const taken = takenFor(part)
    if (taken !== undefined && taken !== 'computed') return taken
    const value = taken === undefined ? subject.value(part) : undefined
    if (value !== undefined) return { least: value, most: value }
    if (part.op === 'choice') return unite(part.args.map(read))
    if (part.op === 'phi') return unite(broughtTogether(fn, part).map(read))
    const now = part.op === 'TIMESTAMP' ? subject.timestamp : part.op === 'NUMBER' ? subject.number : undefined
    if (now !== undefined) return { least: now, most: now + AHEAD }
    const [a, b] = part.args.map(read)
    if (a === NEVER || b === NEVER) return NEVER
    if (a === undefined || b === undefined) return undefined
    return part.op === 'SUB' && a.least < b.most && isChecked(fn, part) ? subtract(a, b) : compute(part.op, a, b)
  }
  const found = read(term)
  return found === NEVER ? undefined : found
}

/** Whether the function fails where this difference would be below nothing. */
const isChecked = ({ conditions }: FunctionFacts, { args: [a, b], ...difference }: Term): boolean =>
  conditions.some(({ term, fails }) => {
    const order = fails === undefined ? undefined : readComparison(term, !fails)
    if (order === undefined) return false
    const { small, big } = order
    return big === a && (small === b || small.id === difference.id)
  })

/** What is left of a difference that is never below nothing. */
function subtract(a: Range, b: Range): Found {
  if (a.most < b.least) return NEVER
  return { least: a.least > b.most ? a.least - b.most : 0n, most: a.most - b.least }
}

/**
 * All that ways bring together in a value, also where they meet again and again. What is not known
 * stays among it as itself.
 */
function broughtTogether({ run }: FunctionFacts, phi: Term): Term[] {
  const seen = new Set([phi])
  for (const part of seen) {
    for (const input of withoutEarlyReturn([...inputsOf(run, part)])) seen.add(input)
    if (seen.size > MAX_PARTS) return [phi]
  }
  return [...seen].filter((part) => part.op !== 'phi' || inputsOf(run, part).size === 0)
}

/** Products that return early for nothing (`SafeMath.mul`) are products. */
function withoutEarlyReturn(inputs: readonly Term[]): readonly Term[] {
  const isProduct = inputs.some(({ op }) => op === 'MUL')
  return isProduct ? inputs.filter(({ op, value }) => op !== 'const' || value !== 0n) : inputs
}

function unite(ranges: readonly Found[]): Found {
  let all: Found = NEVER
  for (const range of ranges) {
    if (range === undefined) return undefined
    if (range === NEVER) continue
    if (all === NEVER) all = range
    if (range.least < all.least) all = { ...all, least: range.least }
    if (range.most > all.most) all = { ...all, most: range.most }
  }
  return all
}

const WORD = 1n << 256n

/** `undefined` where the result leaves a word, or the operation is none of amounts. */
function compute(op: string, a: Range, b: Range): Range | undefined {
  switch (op) {
    case 'ADD':
      // Compilers spell `- 1` as adding the largest number.
      if (b.least === b.most && b.least >= WORD / 2n)
        return compute('SUB', a, { least: WORD - b.least, most: WORD - b.least })
      return fits({ least: a.least + b.least, most: a.most + b.most })
    case 'SUB':
      return fits({ least: a.least - b.most, most: a.most - b.least })
    case 'MUL':
      return fits({ least: a.least * b.least, most: a.most * b.most })
    case 'SHR':
      return a.most < 256n ? { least: b.least >> a.most, most: b.most >> a.least } : undefined
    case 'DIV':
      return b.least === 0n ? undefined : { least: a.least / b.most, most: a.most / b.least }
    default:
      return undefined
  }
}

const fits = (range: Range): Range | undefined => (range.least < 0n || range.most >= WORD ? undefined : range)
