import type { WriteEffect } from '../../bytecode/effects.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { SOURCE } from '../../bytecode/source.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import { WORD_MASK } from '../../hex.js'
import type { Subject } from './subject.js'

/**
 * The most that a call adds to a word with what it pays: with all coins, where more of them add
 * more. `undefined` where it does something else.
 */
export function mostAdded(subject: Subject, { key, value }: WriteEffect): bigint | undefined {
  const isOwn = (part: Term) => storageKeyOf(part) === key
  const added = value.op === 'ADD' && value.args.some(isOwn) ? value.args.find((part) => !isOwn(part)) : undefined
  return added && hasSource(added, SOURCE.callValue) ? mostOf(subject, added) : undefined
}

/**
 * What is paid, times constants, by what is stored now. Of anything else (a remainder, a
 * comparison, a factor that a call may change) the most is not what all coins make of it.
 */
function mostOf(subject: Subject, { op, args: [a, b] }: Term): bigint | undefined {
  if (op === 'CALLVALUE') return ALL_COINS
  if (a === undefined || b === undefined) return undefined
  if (op === 'DIV') {
    const [most, by] = [mostOf(subject, a), subject.value(b)]
    return most !== undefined && by ? most / by : undefined
  }
  if (op === 'ADD') {
    // What was left over before is no more than there is of coins.
    const [paid, left] = hasSource(a, SOURCE.callValue) ? [a, b] : [b, a]
    const [most, kept] = [mostOf(subject, paid), storageKeyOf(left) && subject.value(left)]
    return most !== undefined && kept !== undefined && kept <= ALL_COINS ? most + kept : undefined
  }
  const [constant, paid] = b.op === 'const' && op === 'MUL' ? [b, a] : [a, b]
  const most = constant.op === 'const' ? mostOf(subject, paid) : undefined
  if (most === undefined || (op !== 'MUL' && (op !== 'SHL' || constant.value >= WORD_BITS))) return undefined
  const product = op === 'MUL' ? most * constant.value : most << constant.value
  return product <= WORD_MASK ? product : undefined
}

const WORD_BITS = 256n

/** Wei: ten thousand million coins, more than any chain has. */
const ALL_COINS = 10n ** 28n
