import { readComparison } from '../../../bytecode/comparison.js'
import type { DecidingBranch } from '../../../bytecode/deciding-branches.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { inputsOf } from '../../../bytecode/join.js'
import { storageSource, UNKNOWN_STORAGE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { isNumber, type Term } from '../../../bytecode/terms.js'
import { type FieldWrite, readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import type { Subject } from '../subject.js'
import { isPermit } from './permit.js'

/** What calls one by one never count up to. */
const ENDLESS = 1n << 128n
/** What one call adds to a count. */
const MAX_STEP = 1n << 32n
/** Parts of one written value that are looked at. */
const MAX_PARTS = 32

/**
 * Whether the hostile side asks a stored number to be one that nothing ever makes it: a place in a
 * ring beyond its end, or a count that has used up its word (`nonces[owner]++`).
 */
export function isOutOfRange(subjects: readonly Subject[], subject: Subject, branch: DecidingBranch): boolean {
  const { fn, term, hostile } = branch
  if (hostile === undefined) return false
  const counted = readFullCount(term, hostile)
  // An account of which the maker has counted before has a signer of its own.
  if (counted !== undefined)
    return (isPermit(fn) || isBelow(subject, counted, ENDLESS)) && staysBelow(subjects, counted, ENDLESS)
  const { small, big } = readComparison(term, hostile) ?? {}
  if (small && big && asksFullField(small, big)) return isCountedByOne(subjects, fn, big)
  const least = small && subject.value(small)
  if (least === undefined || big?.op !== 'sload') return false
  return isBelow(subject, big, least) && staysBelow(subjects, big, least)
}

/** Bits of a count that one transfer after the other never fills. */
const LEAST_COUNT_BITS = 32

/** `field + 1` is more than the field holds. */
const asksFullField = ({ op, value }: Term, { op: sum, args: [field, step] }: Term): boolean =>
  op === 'const' &&
  sum === 'ADD' &&
  field?.op === 'field' &&
  field.width >= LEAST_COUNT_BITS &&
  value === (1n << BigInt(field.width)) - 1n &&
  isNumber(step, 1n)

/**
 * Whether the field of that sum is the sender's, who came after the creation, and is only ever
 * counted on by one, left as it is, or begun anew. A pool may have been counted far before.
 */
function isCountedByOne(subjects: readonly Subject[], fn: FunctionFacts, { args: [field] }: Term): boolean {
  const key = field && storageKeyOf(field)
  if (field === undefined || key === undefined) return false
  const { id, keys } = classifyKey(key)
  if (keys[0] === undefined || !transferParties(fn).from(keys[0])) return false
  const bits = { shift: field.value, width: field.width }
  const isSameField = (term: Term) => {
    const other = storageKeyOf(term)
    return other !== undefined && classifyKey(other).id === id && term.value === bits.shift && term.width === bits.width
  }
  const counts = (value: Term): boolean => {
    const [a, b] = value.args
    if (value.op === 'AND' && a && b?.op === 'const') return counts(a)
    if (value.op === 'ADD' && a) return isSameField(a) && isNumber(b, 1n)
    return isNumber(value, 0n) || isSameField(value)
  }
  const writes = subjects.flatMap(({ facts }) =>
    [storageSource(id, bits), UNKNOWN_STORAGE].flatMap(readTokenFacts(facts).writesOf),
  )
  const isCount = ({ effect: { shift, width, value } }: FieldWrite) =>
    BigInt(shift) === bits.shift && width === bits.width && counts(value)
  return writes.length > 0 && writes.every(isCount)
}

/** The word of which it is asked whether one more does not fit. */
function readFullCount({ op, args: [a, b] }: Term, hostile: boolean): Term | undefined {
  if (op === 'ISZERO') return a && readFullCount(a, !hostile)
  if (op !== 'ADD' || hostile || a === undefined || b === undefined) return undefined
  const isCount = (word: Term, step: Term) => word.op === 'sload' && isStep(step)
  return isCount(a, b) ? a : isCount(b, a) ? b : undefined
}

const isStep = ({ op, value }: Term) => op === 'const' && value > 0n && value < MAX_STEP

const isBelow = (subject: Subject, word: Term, bound: bigint) => (subject.value(word) ?? bound) < bound

/** Whether all that is ever written there is less, or one more than what is there. */
function staysBelow(subjects: readonly Subject[], word: Term, bound: bigint): boolean {
  const key = storageKeyOf(word)
  if (key === undefined) return false
  const source = storageSource(classifyKey(key).id)
  const writes = subjects.flatMap(({ facts }) => [source, UNKNOWN_STORAGE].flatMap(readTokenFacts(facts).writesOf))
  return writes.length > 0 && writes.every((write) => writesLess(write, bound))
}

function writesLess({ fn, effect: { key, value, shift, width } }: FieldWrite, bound: bigint): boolean {
  if (shift !== 0 || width !== 256) return false
  let left = MAX_PARTS
  const isLess = (term: Term): boolean => {
    left -= 1
    if (left < 0) return false
    const [a, b] = term.args
    switch (term.op) {
      case 'const':
        return term.value < bound
      case 'MOD':
        return b?.op === 'const' && b.value > 0n && b.value <= bound
      case 'AND':
        return [a, b].some((part) => part?.op === 'const' && part.value < bound)
      case 'ADD': {
        const isOwn = (part: Term | undefined) => part !== undefined && storageKeyOf(part) === key
        if (bound !== ENDLESS || a === undefined || b === undefined) return false
        return (isOwn(a) && isStep(b)) || (isOwn(b) && isStep(a))
      }
      case 'choice':
        return term.args.every(isLess)
      case 'phi': {
        const inputs = [...inputsOf(fn.run, term)]
        return inputs.length > 0 && inputs.every(isLess)
      }
      default:
        return false
    }
  }
  return isLess(value)
}
