import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import type { Address } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { pass } from './pass.js'

/**
 * Sells `held` base units after `afterMs`, and looks at every branch on the way. Once: without
 * patience, and without trying smaller amounts.
 */
export function observeSell(
  context: TradeContext,
  held: bigint,
  afterMs: number,
  besides: readonly Inspector[] = [],
): Decisions {
  const { fork } = context
  const decisions = createDecisionsInspector()
  const watched = { ...context, watch: () => [decisions, ...besides] }
  pass(fork, afterMs)
  if (approve(watched, held)?.success !== false) {
    fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
    sell(watched, held)
  }
  return decisions.finish()
}

/**
 * Buys for `amount` wei after `afterMs` and sells what that brought, looking at every branch; ends
 * with the first of the two that fails.
 */
export function observeRoundTrip(context: TradeContext, amount: bigint, afterMs: number): Decisions {
  const { fork } = context
  const decisions = createDecisionsInspector()
  if (afterMs > 0) pass(fork, afterMs)
  const bought = buy({ ...context, watch: () => [decisions] }, amount)
  if (!bought.success || bought.tokenDelta <= 0n) return decisions.finish()
  return observeSell(context, bought.tokenDelta, 0)
}

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
  return ({ codeAddress }) => isOurs(codeAddress)
}
