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

/** Whether the branch stands in code that the token or somebody behind it wrote, rather than the exchange. */
export function isOfToken({ market: { pool, via, venue }, fork }: TradeContext, { codeAddress }: Decision): boolean {
  const exchange = [pool.address, via?.address, venue.spender, pool.quote, fork.chain.wrappedNative]
  return !exchange.includes(codeAddress)
}
