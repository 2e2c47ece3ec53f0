import type { AbiParameter } from 'viem'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { argumentSource, SOURCE } from '../../bytecode/source.js'
import { hasSource } from '../../bytecode/terms.js'
import type { Choice } from './power.js'

/** Seconds ahead of now: later than the notice that such functions ask for, and soon. */
const AHEAD = 2n * 86_400n + 60n
/** What else is told together with a moment: fees in hundredths of a percent, or anything. */
const NUMBERS: readonly Choice['number'][] = [9_900n, 'max', 0n]

/**
 * Calls that name a moment which is to come, for a function that compares an argument with the
 * clock: what it notes begins then, and a moment at the end of time begins nothing.
 */
export function momentChoices(
  { conditions }: FunctionFacts,
  parameters: readonly AbiParameter[],
  now: bigint,
): Choice[] {
  const moments = parameters.flatMap(({ type }, index) => {
    const argument = argumentSource(4 + 32 * index)
    const isCompared = conditions.some(({ term }) => hasSource(term, SOURCE.timestamp) && hasSource(term, argument))
    return isCompared && /^uint\d*$/.test(type) ? [index] : []
  })
  return moments.slice(0, 1).flatMap((index) =>
    NUMBERS.map((number) => ({
      ...({ address: 'buyer', others: 'holder', number, flag: true } as const),
      fixed: [[index, now + AHEAD]] as const,
    })),
  )
}
