import { readComparison } from '../../bytecode/comparison.js'
import { fromArgument, fromStorage, type Source } from '../../bytecode/source.js'
import { touches } from '../../bytecode/source-bits.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import type { FieldWrite } from '../../bytecode/token-facts.js'

/** What a setter lets its argument be. */
export interface Bound {
  /** Largest and smallest accepted constant, where the code compares the argument with one. */
  upper?: bigint
  lower?: bigint
  /**
   * Compared with something stored (a share of the supply, say): bounded, by how much is not known.
   * What it is itself now is no bound: it moves with each call.
   */
  relative: boolean
}

/** Reads the checks that a setter makes on what it is about to write. */
export function readBound({ fn, effect }: FieldWrite): Bound {
  const bound: Bound = { relative: false, ...largestOf(effect.value) }
  const written = new Set(effect.value.taint.sources.filter(fromArgument))
  // What is added to itself is bounded where the sum is asked for, and not what is added.
  const own = effect.value.taint.sources.filter((source) => touches(effect, source))
  const isBound = (source: Source) => fromStorage(source) && !touches(effect, source)
  if (effect.value.op === 'const') return { upper: effect.value.value, lower: effect.value.value, relative: false }
  for (const { term, fails } of fn.conditions) {
    if (fails === undefined) continue
    const comparison = readComparison(term, !fails)
    if (comparison === undefined) continue
    const { small, big } = comparison
    const isWritten = (side: Term) =>
      side.op !== 'CALLDATASIZE' &&
      side.taint.sources.some((source) => written.has(source)) &&
      own.every((source) => hasSource(side, source))
    if (isWritten(small) && !isWritten(big)) {
      if (big.op === 'const')
        bound.upper = bound.upper === undefined || big.value < bound.upper ? big.value : bound.upper
      else if (big.taint.sources.some(isBound)) bound.relative = true
    }
    if (isWritten(big) && !isWritten(small)) {
      if (small.op === 'const')
        bound.lower = bound.lower === undefined || small.value > bound.lower ? small.value : bound.lower
      else if (small.taint.sources.some(isBound)) bound.relative = true
    }
  }
  // What any number of that type keeps is no bound.
  if (bound.upper !== undefined && bound.upper >= 1n << 64n) delete bound.upper
  return bound
}

/** What a remainder leaves of a number, whatever it was. */
function largestOf({ op, args: [, divisor] }: Term): { upper?: bigint } {
  return op === 'MOD' && divisor?.op === 'const' && divisor.value > 0n ? { upper: divisor.value - 1n } : {}
}
