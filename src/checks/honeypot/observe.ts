import { approve, sell, type TradeContext } from '../../dex/legs.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { pass } from './pass.js'

/** Sells `held` base units after `afterMs`, and looks at every branch on the way. Once: without patience, and without trying smaller amounts. */
export function observeSell(context: TradeContext, held: bigint, afterMs: number): Decisions {
  const { fork } = context
  const decisions = createDecisionsInspector()
  const watched = { ...context, watch: () => [decisions] }
  pass(fork, afterMs)
  if (approve(watched, held)?.success !== false) {
    fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
    sell(watched, held)
  }
  return decisions.finish()
}

/** Tells branches in code that the token's maker wrote, or chose, from those of the exchange. */
export function isOfToken({ market: { pool, via, venue }, fork, trader }: TradeContext): (each: Decision) => boolean {
  const order = { pool, ...(via && { via }), trader: trader.address, amountIn: 1n, deadline: 0n }
  const router = venue.sell(order).to
  const exchange = [pool.address, via?.address, venue.spender, router, pool.quote, fork.chain.wrappedNative]
  return ({ codeAddress }) => codeAddress === pool.token || !exchange.includes(codeAddress)
}
