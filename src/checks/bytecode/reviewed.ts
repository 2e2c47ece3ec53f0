import type { Chain } from '../../chains/chain.js'
import type { Address } from '../../hex.js'

/**
 * Widely used contracts whose powers (pause, freeze, mint, upgrade) are public knowledge: what they
 * could do stays listed, but does not make the verdict worse than `Low Risk`. The chain's watched
 * tokens, wrapped coin and exchanges; nothing is added by name or on request.
 */
export function isReviewed(chain: Chain, address: Address): boolean {
  return (
    chain.wrappedNative === address ||
    chain.watchedTokens.some((token) => token.address === address) ||
    chain.v2.some(({ factory, router }) => factory === address || router === address) ||
    chain.v3.some(({ factory, router, quoter }) => factory === address || router === address || quoter === address)
  )
}
