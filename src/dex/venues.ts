import type { Chain } from '../chains/chain.js'
import type { Address } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { createUniswapV2 } from './uniswap-v2.js'
import { createUniswapV3 } from './uniswap-v3.js'
import type { Pool, Venue } from './venue.js'
import { createWrappedNativeCounter } from './wrapped-native.js'

/** Every exchange on `chain` that a token is looked for at. */
export function createVenues(chain: Chain): Venue[] {
  return [
    createWrappedNativeCounter(chain),
    ...chain.v2.map((deployment) => createUniswapV2(chain, deployment)),
    ...chain.v3.map((deployment) => createUniswapV3(chain, deployment)),
  ]
}

/** Where `token` may trade, worked out without asking anybody. */
export function guessMarkets(venues: readonly Venue[], token: Address): Market[] {
  return venues.flatMap((venue) => venue.guessPools(token).map((pool) => ({ venue, pool })))
}

/** A pool together with who speaks to it. */
export interface Market {
  venue: Venue
  pool: Pool
}

/** Every pool of `token`, deepest first. */
export function findMarkets(fork: Fork, venues: readonly Venue[], token: Address): Market[] {
  const markets = venues.flatMap((venue) => venue.findPools(fork, token).map((pool) => ({ venue, pool })))
  return markets.sort(
    (a, b) => Number(b.pool.quoteReserve > a.pool.quoteReserve) - Number(b.pool.quoteReserve < a.pool.quoteReserve),
  )
}
