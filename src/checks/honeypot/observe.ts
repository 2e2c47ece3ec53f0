import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
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
