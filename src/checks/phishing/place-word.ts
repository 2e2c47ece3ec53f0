import { sources, sourcesOf, type Term } from '../../evm/inspectors/term.js'
import { WORD_MASK } from '../../hex.js'
import type { Edit } from './call-data.js'

/** Steps from a word that a contract uses back to the call data it was computed from. */
const MAX_STEPS = 24

/**
 * What has to stand in the call data for `term` to come to `wanted`: shifts, masks, sums and
 * exclusive ors with other words are undone, whatever those are now. `undefined` where the way back
 * is another one.
 */
export function placeWord(term: Term, wanted: bigint): Edit | undefined {
  let [at, bits, mask] = [term, wanted, WORD_MASK]
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (at.kind === 'argument') return mask === 0n ? undefined : { offset: at.offset, mask, bits: bits & mask }
    if (at.kind !== 'operation') return undefined
    const [a, b] = at.operands
    if (a === undefined) return undefined
    const isFirst = isOfCall(a)
    const [next, other] = isFirst ? [a, b] : [b, a]
    if (next === undefined || !isOfCall(next)) return undefined
    const before = undo(at.name, isFirst, other?.value ?? 0n, { bits, mask })
    if (before === undefined) return undefined
    ;[at, bits, mask] = [next, before.bits & WORD_MASK, before.mask & WORD_MASK]
  }
  return undefined
}

const isOfCall = (term: Term) => (sourcesOf(term) & sources.argument) !== 0

interface Wanted {
  bits: bigint
  /** Those of them that matter. */
  mask: bigint
}

/** What the operand has to be; `isFirst`: it is the first one, and `other` the second. */
function undo(name: string, isFirst: boolean, other: bigint, { bits, mask }: Wanted): Wanted | undefined {
  switch (name) {
    case 'AND':
      return (bits & mask & ~other) === 0n ? { bits, mask: mask & other } : undefined
    case 'OR':
      return { bits, mask: mask & ~other }
    case 'XOR':
      return { bits: bits ^ other, mask }
    case 'NOT':
      return { bits: ~bits, mask }
    case 'SHR':
      return isFirst || other > 255n ? undefined : { bits: bits << other, mask: mask << other }
    case 'SHL':
      return isFirst || other > 255n ? undefined : { bits: bits >> other, mask: mask >> other }
    case 'DIV':
      return isFirst && isPower(other) ? { bits: bits * other, mask: mask * other } : undefined
    case 'MUL':
      return isPower(other) ? { bits: bits / other, mask: mask / other } : undefined
    case 'ADD':
      return isLow(mask) ? { bits: bits - other, mask } : undefined
    case 'SUB':
      return isLow(mask) ? { bits: isFirst ? bits + other : other - bits, mask } : undefined
    default:
      return undefined
  }
}

const isPower = (value: bigint) => value > 0n && (value & (value - 1n)) === 0n
/** All bits up to some place: what carries go up to is known then. */
const isLow = (mask: bigint) => (mask & (mask + 1n)) === 0n
