import type { Chain } from '../chains/chain.js'
import { type Address, EMPTY_CODE_HASH, ZERO_ADDRESS } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { createAlgebra } from './algebra.js'
import { foreseeTrade } from './foresee.js'
import { createSlipstream } from './slipstream.js'
import { createSolidly } from './solidly.js'
import { createUniswapV2 } from './uniswap-v2.js'
import { createUniswapV3 } from './uniswap-v3.js'
import { createUniswapV4 } from './uniswap-v4.js'
import type { Pool, PoolName, Route, Venue } from './venue.js'
import { createWrappedNativeCounter } from './wrapped-native.js'

/** Every exchange on `chain` that a token is looked for at, the most used ones first. */
export function venuesOf(chain: Chain): readonly Venue[] {
  const known = venuesByChain.get(chain) ?? createVenues(chain)
  venuesByChain.set(chain, known)
  return known
}

/** They depend on nothing but the table of the chain. */
const venuesByChain = new WeakMap<Chain, readonly Venue[]>()

function createVenues(chain: Chain): Venue[] {
  const [firstV2, ...otherV2] = chain.v2.map((deployment) => createUniswapV2(chain, deployment))
  const [firstV3, ...otherV3] = chain.v3.map((deployment) => createUniswapV3(chain, deployment))
  const venues = [
    createWrappedNativeCounter(chain),
    firstV2,
    firstV3,
    ...chain.solidly.map((deployment) => createSolidly(chain, deployment)),
    ...otherV2,
    ...otherV3,
    ...chain.v4.map((deployment) => createUniswapV4(chain, deployment)),
    ...chain.slipstream.map((deployment) => createSlipstream(chain, deployment)),
    ...chain.algebra.map((deployment) => createAlgebra(chain, deployment)),
  ]
  return venues.filter((venue) => venue !== undefined)
}

/** A way to trade a token, together with who speaks to the exchange. */
export interface Market extends Route {
  venue: Venue
  /**
   * Wei of native coin that the pool's quote side is worth: what makes pools against different
   * tokens comparable.
   */
  depth: bigint
}

/**
 * An exchange of the chain's table of which a part has no code: on this fork, nothing can be traded
 * there.
 */
export interface MissingVenue {
  venue: string
  /** Where the code should be. */
  address: Address
  /** A pool of the token was found there all the same. */
  hasPool: boolean
}

/**
 * Every way to trade `token` for native coin, deepest first. `named` are pools that cannot be
 * guessed and that are named.
 */
export function findMarkets(
  fork: Fork,
  venues: readonly Venue[],
  token: Address,
  named: readonly PoolName[] = [],
): Market[] {
  return lookForMarkets(fork, venues, token, named).markets
}

/** As {@link findMarkets}, and what stands in the way of others. */
export function lookForMarkets(
  fork: Fork,
  venues: readonly Venue[],
  token: Address,
  named: readonly PoolName[] = [],
): { markets: Market[]; missing: MissingVenue[] } {
  const { wrappedNative } = fork.chain
  const quotes = quotesOf(fork.chain, token)
  const found = venues.flatMap((venue) => {
    const pools = venue.findPools(fork, token, quotes)
    const others = named.length > 0 ? (venue.findNamed?.(fork, token, named) ?? []) : []
    const unknown = others.filter(({ id }) => !pools.some((pool) => pool.id === id))
    return [...pools, ...unknown].map((pool) => ({ venue, pool }))
  })
  const dollars = quotes.filter((quote) => quote !== wrappedNative && found.some(({ pool }) => pool.quote === quote))
  const hubs = dollars.flatMap((dollar) =>
    venues.flatMap((venue) => deepest(venue.findPools(fork, dollar, [wrappedNative])) ?? []),
  )
  const markets = found.flatMap((market) => toMarket(market, wrappedNative, hubs))
  for (const market of markets) foreseeTrade(fork, market.venue, market)
  const missing = findMissing(fork, venues, markets)
  const isThere = ({ venue, pool }: Market) =>
    !missing.some(
      (each) => each.venue === venue.name && [venue.router, venue.spender, pool.address].includes(each.address),
    )
  return { markets: markets.filter(isThere).toSorted((a, b) => descending(a.depth, b.depth)), missing }
}

/** A router without code takes coins and delivers nothing, which says nothing about any token. */
function findMissing(fork: Fork, venues: readonly Venue[], markets: readonly Market[]): MissingVenue[] {
  const isEmpty = (address: Address) => fork.evm.account(address).codeHash === EMPTY_CODE_HASH
  const parts = markets.flatMap(({ venue: { name, router, spender = router }, pool }) =>
    [router, spender, pool.address].map((address) => ({ venue: name, address, hasPool: true })),
  )
  const factories = venues.map(({ name, factory }) => ({ venue: name, address: factory, hasPool: false }))
  const missing = [...parts, ...factories].filter(({ address }) => isEmpty(address))
  // On a run that lacks state nothing is known to be absent.
  if (fork.evm.misses.length > 0) return []
  return missing.filter(
    ({ venue, address }, i) => i === missing.findIndex((each) => each.venue === venue && each.address === address),
  )
}

/**
 * What `token` is looked for against: the wrapped native coin first, then the chain's major tokens.
 */
export function quotesOf({ wrappedNative, watchedTokens }: Chain, token: Address): Address[] {
  if (token === wrappedNative) return []
  const majors = watchedTokens.map(({ address }) => address).filter((address) => address !== wrappedNative)
  return [wrappedNative, ...majors].filter((address) => address !== token)
}

/**
 * A pool against another token is worth something where that token can be had on the same exchange,
 * by the same router.
 */
function toMarket(
  { venue, pool }: { venue: Venue; pool: Pool },
  wrappedNative: Address,
  hubs: readonly Pool[],
): Market[] {
  if (pool.quote === wrappedNative || pool.quote === ZERO_ADDRESS) return [{ venue, pool, depth: pool.quoteReserve }]
  const ofQuote = hubs.filter(({ token }) => token === pool.quote)
  const via = ofQuote.find((hub) => hub.venue === venue.name)
  const price = deepest(ofQuote)
  if (!via || !price) return []
  return [{ venue, pool, via, depth: (pool.quoteReserve * price.quoteReserve) / price.tokenReserve }]
}

function deepest(pools: readonly Pool[]): Pool | undefined {
  return pools.toSorted((a, b) => descending(a.quoteReserve, b.quoteReserve))[0]
}

const descending = (a: bigint, b: bigint) => Number(b > a) - Number(b < a)
