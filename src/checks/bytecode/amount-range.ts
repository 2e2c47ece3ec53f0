import type { FunctionFacts } from '../../bytecode/facts.js'
import { inputsOf } from '../../bytecode/join.js'
import { isStored, type Term } from '../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../bytecode/token-facts.js'
import type { Subject } from './subject.js'

/** The least and the most that a value can be, whichever way led to it. */
interface Range {
  least: bigint
  most: bigint
}

/** What is sent in thought: large, so that shares do not round to nothing, and far from a word. */
const SENT = 10n ** 24n
/** Of what is sent, at least this arrives where a transfer pays what it was asked for. */
const SHARE = { part: 3n, of: 4n }
/** Parts of one value that are looked at. */
const MAX_PARTS = 512

/**
 * Whether a transfer, on all its ways, debits the sender by no more than was asked for and credits
 * the receiver with most of it, with the fees that are stored now. What their holder can make of
 * the fees is the matter of the rule about fees.
 */
export function paysAsAsked(subject: Subject, fn: FunctionFacts): boolean {
  const { from, to } = transferParties(fn)
  const changes = readTokenFacts(subject.facts).balanceChanges.filter((change) => change.fn === fn)
  if (!changes.some(({ account, kind }) => to(account) && kind === 'add')) return false
  /** Taken from the receiver again, on all ways together. */
  let takenBack = 0n
  let least = SENT
  for (const { account, kind, amount } of changes) {
    if (!from(account) && !to(account)) {
      if (account.op === 'const' || account.op === 'ADDRESS' || isStored(account)) continue
      return false
    }
    const range = amount && (kind === 'add' || kind === 'subtract') ? rangeOf(subject, fn, amount) : undefined
    if (range === undefined || (kind === 'subtract' && range.most > SENT)) return false
    if (!to(account)) continue
    if (kind === 'subtract') takenBack += range.most
    else if (range.least < least) least = range.least
  }
  return (least - takenBack) * SHARE.of >= SENT * SHARE.part
}

/**
 * Whether on some way less of what was sent arrives than where a transfer pays what it was asked
 * for, by shares that are constants, or stored now.
 */
export function canTakeShare(subject: Subject, fn: FunctionFacts): boolean {
  const { to } = transferParties(fn)
  return readTokenFacts(subject.facts).balanceChanges.some(({ fn: of, account, effect: { key, value } }) => {
    if (of !== fn || !to(account)) return false
    const range = rangeOf(subject, fn, value, key)
    return range !== undefined && range.most === SENT && range.least * SHARE.of < SENT * SHARE.part
  })
}

/** `empty` is the key of a word that counts as holding nothing: what is added to it is left. */
function rangeOf(subject: Subject, fn: FunctionFacts, term: Term, empty?: Term): Range | undefined {
  const known = new Map<Term, Range | undefined>()
  const { amount } = transferParties(fn)
  let left = MAX_PARTS
  const read = (part: Term): Range | undefined => {
    if (known.has(part)) return known.get(part)
    // What leads back to itself has no bound that is known.
    known.set(part, undefined)
    left -= 1
    const range = left < 0 ? undefined : evaluate(part)
    known.set(part, range)
    return range
  }
  const evaluate = (part: Term): Range | undefined => {
    if (part.op === 'calldata' && part.taint.sources[0] === amount) return { least: SENT, most: SENT }
    const value = part.op === 'sload' && part.args[0] === empty ? 0n : subject.value(part)
    if (value !== undefined) return { least: value, most: value }
    if (part.op === 'choice') return unite(part.args.map(read))
    if (part.op === 'phi') return unite(withoutEarlyReturn([...inputsOf(fn.run, part)], part).map(read))
    const [a, b] = part.args.map(read)
    return a && b ? compute(part.op, a, b) : undefined
  }
  return read(term)
}

/** Products that return early for nothing (`SafeMath.mul`) are products. */
function withoutEarlyReturn(inputs: readonly Term[], self: Term): Term[] {
  const others = inputs.filter((input) => input.join !== self.join)
  const isProduct = others.some(({ op }) => op === 'MUL')
  return isProduct ? others.filter(({ op, value }) => op !== 'const' || value !== 0n) : others
}

function unite(ranges: readonly (Range | undefined)[]): Range | undefined {
  let all: Range | undefined
  for (const range of ranges) {
    if (range === undefined) return undefined
    all ??= range
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
    case 'DIV':
      return b.least === 0n ? undefined : { least: a.least / b.most, most: a.most / b.least }
    default:
      return undefined
  }
}

const fits = (range: Range): Range | undefined => (range.least < 0n || range.most >= WORD ? undefined : range)
