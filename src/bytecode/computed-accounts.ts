import { type Term, walkTerm } from './terms.js'

/** Spellings of zero, of comparisons, and of what is asked about an account. */
const PLAIN: ReadonlySet<string> = new Set(
  'EQ ISZERO SUB XOR ADD AND OR NOT choice EXTCODESIZE EXTCODEHASH BALANCE'.split(' '),
)

/**
 * Whether the term computes with the digits of an account, or with its hash, instead of comparing
 * it or looking it up.
 */
export function computesWithAccounts(term: Term, isAccount: (part: Term) => boolean): boolean {
  let found = false
  walkTerm(term, (part) => {
    if (part.op === 'sload' || part.op === 'TLOAD' || part.op === 'returned') return false
    if (!PLAIN.has(part.op) && part.args.some(isAccount)) found = true
    return undefined
  })
  return found
}
