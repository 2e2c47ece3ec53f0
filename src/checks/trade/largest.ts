import { largerOf } from '../../bigints.js'

/** Halves the ratio of a coin to a single wei down to a quarter of a percent. */
const MAX_TRIES = 14

/**
 * The largest amount from `works` to `fails` that still works, to within half a percent. The search
 * is by ratio, because limits differ by orders of magnitude.
 */
export function largestThatWorks(works: bigint, fails: bigint, tryOut: (amount: bigint) => boolean): bigint {
  return narrow(works, fails, tryOut)[0]
}

/** The smallest amount from `fails` to `works` that still works, as far as a few tries can tell. */
export function smallestThatWorks(fails: bigint, works: bigint, tryOut: (amount: bigint) => boolean): bigint {
  return narrow(fails, works, (amount) => !tryOut(amount))[1]
}

/** Neighbours on either side of the border between amounts that are `below` it and others. */
function narrow(below: bigint, above: bigint, isBelow: (amount: bigint) => boolean): [bigint, bigint] {
  let [low, high] = [below, above]
  for (let tries = 0; tries < MAX_TRIES && high - low > 1n && high - low > low / 200n; tries += 1) {
    const middle = geometricMean(low, high)
    if (isBelow(middle)) low = middle
    else high = middle
  }
  return [low, high]
}

/** At least one more than `low`, so that no try asks again what is known. */
function geometricMean(low: bigint, high: bigint): bigint {
  const root = squareRoot(low * high)
  return largerOf(root, low + 1n)
}

/** Newton's method. Bounded by the number of bits of `n`. */
function squareRoot(n: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2))
  for (let next = (root + n / root) / 2n; next < root; next = (root + n / root) / 2n) root = next
  return root
}
