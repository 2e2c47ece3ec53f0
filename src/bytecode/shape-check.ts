import type { Term } from './terms.js'

/** The decoder's own checks: enough data, and a word of the right type. */
export const isShapeCheck = (term: Term): boolean =>
  term.op === 'RETURNDATASIZE' ||
  term.op === 'call' ||
  (term.op === 'EQ' && term.args.every(({ op }) => op === 'returned' || op === 'AND' || op === 'ISZERO')) ||
  (['SLT', 'LT', 'GT', 'ISZERO', 'ADD', 'SUB'].includes(term.op) && term.args.some(isShapeCheck))
