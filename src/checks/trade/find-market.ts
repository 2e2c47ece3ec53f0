import type { PoolName } from '../../dex/venue.js'
import { findMarkets, lookForMarkets, type Market, type MissingVenue, venuesOf } from '../../dex/venues.js'
import type { Address } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import type { StateMiss } from '../../state/state-reader.js'
import { type ProvidedLiquidity, provideLiquidity } from './provide-liquidity.js'
import type { TradeInput } from './run-trade-scenario.js'
import { findUnknownVenues, type UnknownVenue } from './unknown-venues.js'

/** Where a token is going to be traded, or what there is instead. */
export interface FoundMarket {
  /** `undefined` without liquidity. */
  market: Market | undefined
  /** All of them, deepest first. */
  markets: readonly Market[]
  /** The request names a pool that is none of the token's: the deepest one was taken. */
  isOther: boolean
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
 * The market that is judged: the named pool, else the deepest one (a name that is wrong must not
 * hide what the token does), else, if the request wants it, one that is made on the fork.
 */
export function findMarket(fork: Fork, input: TradeInput, random: SeededRandom): FoundMarket {
  const { address, pair, poolId, hints, simulateLiquidity } = input
  const named = [...(poolId ? [poolId] : []), ...(hints?.poolKeys ?? [])]
  const { markets, missing: missingVenues } = named.length > 0 ? lookNow(fork, address, named) : lookOnce(fork, input)
  const wanted = ({ pool }: Market) => (pair ? pool.address === pair : poolId ? pool.id === poolId : true)
  const chosen = markets.find(wanted)
  const isOther = chosen === undefined && markets.length > 0
  const market = chosen ?? markets[0]
  if (market || pair || poolId)
    return { market, markets, isOther, provided: undefined, unknownVenues: [], missingVenues }
  const unknownVenues = findUnknownVenues(fork, address, hints?.parties ?? [])
  if (!simulateLiquidity) return { market, markets, isOther, provided: undefined, unknownVenues, missingVenues }
  const provided = provideLiquidity(fork, address, hints?.parties ?? [], random)
  const made = provided ? findMarkets(fork, venuesOf(fork.chain), address) : []
  return { market: made[0], markets: made, isOther, provided: made[0] && provided, unknownVenues, missingVenues }
}

type Looked = ReturnType<typeof lookForMarkets>

const lookNow = (fork: Fork, token: Address, named: readonly PoolName[] = []): Looked =>
  lookForMarkets(fork, venuesOf(fork.chain), token, named)

/** Of one thread: several runs of an analysis begin with the same look, and so do the next ones. */
const MAX_LOOKED = 64
const lookedFor = createCountedLru<string, { looked: Looked; reads: readonly StateMiss[] }>(MAX_LOOKED)

/**
 * At the beginning of a fork markets are those of its block, whatever is traded then. A run that is
 * spared the look rests on what was read for it all the same.
 */
function lookOnce(fork: Fork, { address, seed }: TradeInput): Looked {
  const { origin, reads } = fork
  if (origin === undefined || reads === undefined) return lookNow(fork, address)
  const name = `${fork.chain.id} ${origin} ${address} ${seed}`
  const known = lookedFor.get(name)
  if (known !== undefined) {
    reads.push(...known.reads)
    return known.looked
  }
  const before = reads.length
  const looked = lookNow(fork, address)
  // On a run that lacks state, what was found is void.
  if (fork.evm.misses.length === 0) lookedFor.set(name, { looked, reads: reads.slice(before) })
  return looked
}
