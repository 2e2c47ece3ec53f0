import type { Term } from './terms.js'

/** `small <= big` where the condition comes out as `holds`; `undefined` where it orders nothing. */
export function readComparison(term: Term, holds: boolean): { small: Term; big: Term } | undefined {
  const [a, b] = term.args
  if (term.op === 'ISZERO' && a !== undefined) return readComparison(a, !holds)
  if (a === undefined || b === undefined) return undefined
  if (term.op === 'LT' || term.op === 'SLT') return holds ? { small: a, big: b } : { small: b, big: a }
  if (term.op === 'GT' || term.op === 'SGT') return holds ? { small: b, big: a } : { small: a, big: b }
  return undefined
}
