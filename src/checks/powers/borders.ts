import { WORD_MASK } from '../../hex.js'
import type { Plan } from './plans.js'
import type { Choice } from './power.js'
import type { Stage } from './stage.js'

/**
 * Pairs of a number that was accepted and the next larger or smaller one that was not, for the same
 * other arguments.
 */
export function findBorders(stage: Stage, plan: Plan, accepted: ReadonlyMap<Choice, boolean>): [Choice, bigint][] {
  const shapes = new Map<string, { choice: Choice; value: bigint; passed: boolean }[]>()
  for (const [choice, passed] of accepted) {
    const shape = `${choice.address}:${choice.focus}:${choice.flag}`
    const list = shapes.get(shape) ?? []
    list.push({ choice, value: numberOf(stage, choice), passed })
    shapes.set(shape, list)
  }
  if (!plan.parameters.some(({ type }) => type.includes('int'))) return []
  const found: [Choice, bigint][] = []
  for (const list of shapes.values()) {
    const sorted = list.toSorted((a, b) => (a.value < b.value ? -1 : 1))
    for (const [i, here] of sorted.entries()) {
      const next = sorted[i + 1]
      if (next === undefined || here.passed === next.passed || next.value - here.value <= 1n) continue
      found.push(here.passed ? [here.choice, next.value] : [next.choice, here.value])
    }
  }
  return found.slice(0, MAX_BORDERS)
}

const MAX_BORDERS = 3
/** Enough for any number that a person chose, and for percentages exactly. */
const MAX_SEARCH = 64

/**
 * The last number on the accepted side of the border between `inside`, which is accepted, and
 * `outside`, which is not. Bounds that people choose are round, so that digits are tried from the
 * first on, and the search ends where the next number is refused.
 */
export function searchBorder(inside: bigint, outside: bigint, isAccepted: (number: bigint) => boolean): bigint {
  const rises = inside < outside
  let [low, high] = rises ? [inside, outside] : [outside, inside]
  let left = MAX_SEARCH
  const passes = (number: bigint) => {
    left -= 1
    return isAccepted(number) === rises
  }
  // `low` passes and `high` does not, whichever of the two is the accepted side. First its number
  // of digits, then the digits.
  for (let [from, to] = [digitsOf(low), digitsOf(high)]; to - from > 1 && left > 0; ) {
    const digits = Math.floor((from + to) / 2)
    const number = 10n ** BigInt(digits - 1)
    if (passes(number)) [low, from] = [number, digits]
    else [high, to] = [number, digits]
  }
  for (let unit = 10n ** BigInt(digitsOf(high) - 1); unit > 0n && high - low > 1n && left > 0; unit /= 10n) {
    for (let next = (low / unit + 1n) * unit; next < high && left > 0; next = low + unit) {
      if (!passes(next)) {
        high = next
        break
      }
      low = next
      if (left > 0 && low + 1n < high && !passes(low + 1n)) high = low + 1n
    }
    // The smallest accepted number is round, not the largest refused one.
    if (!rises && left > 0 && high - low > 1n && passes(high - 1n)) low = high - 1n
  }
  return rises ? low : high
}

const digitsOf = (number: bigint) => number.toString().length

export function numberOf({ buyer, baseline, market }: Stage, { number }: Choice): bigint {
  if (typeof number === 'bigint') return number
  if (number === 'held') return buyer.held
  if (number === 'reserve') return baseline.ledger.pool ?? market.pool.tokenReserve
  if (number === 'inflation') return (baseline.ledger.supply ?? market.pool.tokenReserve) * 1_000n
  return WORD_MASK
}
