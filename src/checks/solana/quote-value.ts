import type { SolanaAddress } from '../../solana/address.js'
import { WRAPPED_SOL } from '../../solana/programs.js'
import { TRUSTED_MINTS } from './trusted-mints.js'

/** Whether pools that are priced in this token are worth what they hold. */
export const isValuable = (quote: SolanaAddress) => TRUSTED_MINTS.has(quote)

/** Whether a reserve is so small that there is nothing to sell for: a dollar. */
export const isNextToNothing = (quote: SolanaAddress, amount: bigint) => {
  const dollars = dollarsOf(quote, amount)
  return dollars === undefined ? amount < LEAST_OF_OTHERS : dollars < 1
}

/** Of tokens whose price is not known: none is worth much in so few units. */
const LEAST_OF_OTHERS = 10_000n

/**
 * What a reserve is worth in dollars, to the order of magnitude: pools are put in order by it, and
 * thin ones told from others. `undefined` for tokens of other prices.
 */
export function dollarsOf(quote: SolanaAddress, amount: bigint): number | undefined {
  const units = TRUSTED_MINTS.get(quote)?.unitsOfDollar
  return units === undefined ? undefined : Number(amount) / units
}

/** Lamports in parts of 10^-18 of a coin. */
const PARTS_OF_LAMPORT = 10n ** 9n
/** What a coin counts as above. */
const DOLLARS_OF_COIN = 100

/**
 * What sellers are paid from in these pools, of what has a price: native coin in parts of 10^-18.
 * `undefined` where that is nothing.
 */
export function liquidityOf(
  pools: readonly { quoteMint: SolanaAddress; reserves: { quote: bigint | undefined } }[],
): bigint | undefined {
  const worth = pools.reduce((sum, { quoteMint, reserves: { quote = 0n } }) => {
    if (quoteMint === WRAPPED_SOL) return sum + quote * PARTS_OF_LAMPORT
    const coins = (dollarsOf(quoteMint, quote) ?? 0) / DOLLARS_OF_COIN
    return sum + BigInt(Math.round(coins * Number(PARTS_OF_LAMPORT))) * PARTS_OF_LAMPORT
  }, 0n)
  return worth === 0n ? undefined : worth
}
