import type { SolanaAddress } from '../../solana/address.js'
import { USDC, USDT, WRAPPED_SOL } from '../../solana/programs.js'
import { TRUSTED_MINTS } from './trusted-mints.js'

/** What of a token would not pay for a trade, in base units: a hundredth of a coin, a dollar. */
const NEXT_TO_NOTHING: ReadonlyMap<SolanaAddress, bigint> = new Map<SolanaAddress, bigint>([
  [WRAPPED_SOL, 10_000_000n],
  [USDC, 1_000_000n],
  [USDT, 1_000_000n],
])

/** Whether pools that are priced in this token are worth what they hold. */
export const isValuable = (quote: SolanaAddress) => TRUSTED_MINTS.has(quote)

/** Whether a reserve is so small that there is nothing to sell for. */
export const isNextToNothing = (quote: SolanaAddress, amount: bigint) =>
  amount < (NEXT_TO_NOTHING.get(quote) ?? LEAST_OF_OTHERS)

/** Of tokens whose price is not known: none is worth much in so few units. */
const LEAST_OF_OTHERS = 10_000n

/**
 * What a reserve is worth in dollars, to the order of magnitude: coins move in price, and pools are
 * only put in order by it. `undefined` for tokens of other prices.
 */
export function dollarsOf(quote: SolanaAddress, amount: bigint): number | undefined {
  const units = UNITS_OF_DOLLAR.get(quote)
  return units === undefined ? undefined : Number(amount) / units
}

/** A coin has nine decimals and has cost 20 to 300 dollars since 2023. */
const UNITS_OF_DOLLAR: ReadonlyMap<SolanaAddress, number> = new Map<SolanaAddress, number>([
  [WRAPPED_SOL, 1e7],
  [USDC, 1e6],
  [USDT, 1e6],
])

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
