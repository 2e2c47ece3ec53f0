import { type Approval, approve, buy, type Leg, type TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { sellDirectly } from '../direct-sell.js'
import { onBranch } from '../on-branch.js'
import { ranDry, sellPatiently } from '../patient-sell.js'
import { findSmallerSell } from '../smaller-sells.js'
import { failureReason } from '../trade/failure-reason.js'
import type { BuyFacts, SellFacts } from './honeypot-facts.js'

/** Buys at the fork's present instant. */
export function playBuy(context: TradeContext, amount: bigint): { facts: BuyFacts; held: bigint } {
  const leg = buy(context, amount)
  return {
    facts: { success: leg.success, taxBps: leg.taxBps, errorReason: reasonOf(context, leg) },
    held: leg.tokenDelta,
  }
}

/**
 * Approves and sells `held` base units a block later, and looks for a sellable share when that
 * fails.
 */
export function playSell(context: TradeContext, held: bigint): SellFacts {
  const approved = approve(context, held)
  if (approved?.success === false) return blocked(`approve ${reasonOf(context, approved)}`)
  context.fork.evm.setBlock(nextBlock(context.fork.chain, context.fork.evm.block))
  const { leg: whole, waitedSeconds } = sellPatiently(context, held)
  if (whole.success) {
    return { ...SOLD, taxBps: whole.taxBps, waitedSeconds }
  }
  if (ranDry(whole)) return { ...blocked(reasonOf(context, whole)), ranDry: true }
  const { shareBps, restIsStuck } = findSmallerSell(context, held)
  const worksDirectly = shareBps === 0 && onBranch(context, () => sellDirectly(context, held)) === true
  return { ...blocked(reasonOf(context, whole)), largestSellableBps: shareBps, restIsStuck, worksDirectly }
}

/**
 * Sells what is left of `held` base units that were bought earlier. What has melted away meanwhile
 * is a tax like any other; what has grown is left alone, so that taxes compare.
 */
export function playHeldSell(context: TradeContext, held: bigint): SellFacts {
  const { fork, market, trader } = context
  const left = balanceOf(fork, market.pool.token, trader.address) ?? held
  if (left >= held || left <= 0n) return playSell(context, held)
  const sold = playSell(context, left)
  return sold.success ? { ...sold, taxBps: chainTaxes(taxBps(held, left), sold.taxBps) } : sold
}

/** A sale that is made once, whatever comes of it. */
export function toSellFacts(context: TradeContext, leg: Leg): SellFacts {
  return leg.success ? { ...SOLD, taxBps: leg.taxBps } : refused(context, leg)
}

/** A sale that came to nothing because of this transaction. */
export const refused = (context: TradeContext, failed: Approval): SellFacts => blocked(reasonOf(context, failed))

const SOLD: SellFacts = {
  success: true,
  taxBps: 0,
  errorReason: '',
  largestSellableBps: FULL_BPS,
  restIsStuck: false,
  worksDirectly: false,
  ranDry: false,
  waitedSeconds: 0,
}

function blocked(errorReason: string): SellFacts {
  return { ...SOLD, success: false, taxBps: FULL_BPS, errorReason, largestSellableBps: 0, restIsStuck: true }
}

function reasonOf({ market }: TradeContext, { success, sent }: Approval): string {
  return success ? '' : failureReason(sent.call, market.pool.token)
}
