import type { TradeContext } from '../../dex/legs.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import type { Address } from '../../hex.js'

/** Tells code that the token's maker wrote, or chose, from that of the exchange. */
export function isCodeOfToken({
  market: { pool, via, venue },
  fork,
  trader,
}: TradeContext): (codeAddress: Address) => boolean {
  const order = { pool, ...(via && { via }), trader: trader.address, amountIn: 1n, deadline: 0n }
  const router = venue.sell(order).to
  const exchange = [pool.address, via?.address, venue.spender, router, pool.quote, fork.chain.wrappedNative]
  return (codeAddress) => codeAddress === pool.token || !exchange.includes(codeAddress)
}

/** Tells branches in that code. */
export function isOfToken(context: TradeContext): (each: Decision) => boolean {
  const isOurs = isCodeOfToken(context)
  // Pools are often clones, whose code lies at an address that is none of the exchange's own.
  return ({ address, codeAddress }) => isOurs(codeAddress) && isOurs(address)
}
