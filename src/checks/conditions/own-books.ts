import type { TradeContext } from '../../dex/legs.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { isCodeOfToken } from './code-of-token.js'

/**
 * Words of the token's side that are neither the exchange's nor what the token notes of the
 * exchange or of the seller.
 */
export function isOwnBook(context: TradeContext): (leaf: Slot) => boolean {
  const isOurs = isCodeOfToken(context)
  const { market, trader } = context
  const { pool, via, venue } = market
  const parties = [pool.address, via?.address, venue.spender, venue.router, trader.address]
  const keys = new Set(parties.flatMap((each) => (each === undefined ? [] : [BigInt(each)])))
  return ({ address, entry }) => isOurs(address) && !(entry && keys.has(entry.key))
}
