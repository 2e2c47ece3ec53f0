import { createVenues, findMarkets, lookForMarkets, type Market, type MissingVenue } from '../../dex/venues.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { type ProvidedLiquidity, provideLiquidity } from './provide-liquidity.js'
import type { TradeInput } from './run-trade-scenario.js'
import { findUnknownVenues, type UnknownVenue } from './unknown-venues.js'

/** Where a token is going to be traded, or what there is instead. */
export interface FoundMarket {
  /** `undefined` without liquidity. */
  market: Market | undefined
  /** All of them, deepest first. */
  markets: readonly Market[]
  /** Given where there was no market until we made one on the fork. */
  provided: ProvidedLiquidity | undefined
  /**
   * Places where it seems to be traded and that is not supported here; looked for only without a
   * market.
   */
  unknownVenues: readonly UnknownVenue[]
  /** Exchanges that the chain should have and that are not there. */
  missingVenues: readonly MissingVenue[]
}

/**
 * The market that is judged: the named pool, else the deepest one, else, if the request wants it,
 * one that is made on the fork.
 */
export function findMarket(fork: Fork, input: TradeInput, random: SeededRandom): FoundMarket {
  const { address, pair, poolId, hints, simulateLiquidity } = input
  const venues = createVenues(fork.chain)
  const named = [...(poolId ? [poolId] : []), ...(hints?.poolKeys ?? [])]
  const { markets, missing: missingVenues } = lookForMarkets(fork, venues, address, named)
  const wanted = ({ pool }: Market) => (pair ? pool.address === pair : poolId ? pool.id === poolId : true)
  const market = markets.find(wanted)
  if (market || pair || poolId) return { market, markets, provided: undefined, unknownVenues: [], missingVenues }
  const unknownVenues = findUnknownVenues(fork, address, hints?.parties ?? [])
  if (!simulateLiquidity) return { market, markets, provided: undefined, unknownVenues, missingVenues }
  const provided = provideLiquidity(fork, address, hints?.parties ?? [], random)
  const made = provided ? findMarkets(fork, venues, address) : []
  return { market: made[0], markets: made, provided: made[0] && provided, unknownVenues, missingVenues }
}
