import { lowMaskBits } from './fold.js'
import { isStored, type Term } from './terms.js'

/** The time or the number of the block. */
export const isClock = ({ op }: Term): boolean => op === 'TIMESTAMP' || op === 'NUMBER' || op === 'SLOTNUM'

/** Seconds since 1970 fit until the year 2106, and blocks longer. */
const CLOCK_BITS = 32

/** The clock, what has passed since a stored moment, and either in a field that is wide enough. */
export function isOfClock(term: Term): boolean {
  const [first, second] = term.args
  if (isClock(term)) return true
  if (term.op === 'SUB') return first !== undefined && second !== undefined && isOfClock(first) && isStoredField(second)
  return maskBitsOf(term) >= CLOCK_BITS && term.args.some(isOfClock)
}

const isStoredField = (term: Term) => isStored(term) || (term.op === 'field' && term.args.some(isStored))

/** Bits that a mask leaves of a term; none where there is no mask. */
export const maskBitsOf = ({ op, args }: Term): number =>
  op === 'AND' ? (lowMaskBits(args.find((arg) => arg.op === 'const')?.value ?? 0n) ?? 0) : 0
