import type { Chain } from '../chains/chain.js'
import type { Address } from '../hex.js'
import { quotesOf, venuesOf } from './venues.js'

/**
 * Where the chain's exchanges have a token's pools, if they have any. The addresses follow from
 * the factories (CREATE2, EIP-1014), so that nothing else can lie there.
 */
export const poolsOf = (chain: Chain, token: Address): ReadonlySet<Address> =>
  new Set(
    venuesOf(chain).flatMap((venue) => venue.guessPools(token, quotesOf(chain, token)).map(({ address }) => address)),
  )
