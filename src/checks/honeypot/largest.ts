/** Tries of a search between an amount that works and one that does not: the border to within half a percent. */
const MAX_TRIES = 9

/**
 * The largest amount from `works` to `fails` that still works, as far as a few tries can tell. The search is by ratio, because limits differ by
 * orders of magnitude.
 */
export function largestThatWorks(works: bigint, fails: bigint, tryOut: (amount: bigint) => boolean): bigint {
  let [low, high] = [works, fails]
  for (let tries = 0; tries < MAX_TRIES && high - low > low / 200n; tries += 1) {
    const middle = geometricMean(low, high)
    if (tryOut(middle)) low = middle
    else high = middle
  }
  return low
}

/** Amounts this far apart are compared by their ratio, nearer ones by their difference. */
const FAR_APART = 4n

function geometricMean(low: bigint, high: bigint): bigint {
  return high / low >= FAR_APART ? low * squareRoot(high / low) : (low + high) / 2n
}

/** Newton's method. Bounded by the number of bits of `n`. */
function squareRoot(n: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2))
  for (let next = (root + n / root) / 2n; next < root; next = (root + n / root) / 2n) root = next
  return root
}
