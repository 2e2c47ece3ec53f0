import { type Approval, approve, type Bought, buy, type Leg, type TradeContext, taxOfTrip } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import { sellDirectly } from '../trade/direct-sell.js'
import { failureReason } from '../trade/failure-reason.js'
import { ranDry, sellPatiently } from '../trade/patient-sell.js'
import { findSmallerSell } from '../trade/smaller-sells.js'
import type { BuyFacts, SellFacts, WindowFacts } from './honeypot-facts.js'
import { pass } from './pass.js'

/** A purchase and the sale of what it brought. */
export type RoundTrip = Pick<WindowFacts, 'bought' | 'soldFresh'>

/** Buys at the fork's present instant. */
export function playBuy(context: TradeContext, amount: bigint): { facts: BuyFacts; held: bigint; leg: Bought } {
  const leg = buy(context, amount)
  return {
    leg,
    facts: { success: leg.success, taxBps: leg.taxBps, errorReason: reasonOf(context, leg) },
    held: leg.tokenDelta,
  }
}

/**
 * Approves and sells `held` base units a block later, and looks for a sellable share when that
 * fails. `bought`: the purchase that brought just these, where no one else has traded since.
 */
export function playSell(context: TradeContext, held: bigint, bought?: Bought): SellFacts {
  const approved = approve(context, held)
  if (approved?.success === false) return failedSell(`approve ${reasonOf(context, approved)}`)
  context.fork.evm.setBlock(nextBlock(context.fork.chain, context.fork.evm.block))
  const { leg: whole, waitedSeconds } = sellPatiently(context, held)
  if (whole.success) {
    return { ...SOLD, taxBps: whole.taxBps, waitedSeconds, ...(bought && { tripTaxBps: taxOfTrip(bought, whole) }) }
  }
  if (ranDry(whole)) return { ...failedSell(reasonOf(context, whole)), ranDry: true }
  const { shareBps, restIsStuck } = findSmallerSell(context, held)
  const worksDirectly = shareBps === 0 && onBranch(context, () => sellDirectly(context, held)) === true
  return { ...failedSell(reasonOf(context, whole)), largestSellableBps: shareBps, restIsStuck, worksDirectly }
}

/**
 * Sells what is left of `held` base units that were bought earlier. What has melted away meanwhile
 * is a tax like any other; what has grown is left alone, so that taxes compare.
 */
export function playHeldSell(context: TradeContext, held: bigint, bought?: Bought): SellFacts {
  const { fork, market, trader } = context
  const left = balanceOf(fork, market.pool.token, trader.address) ?? held
  if (left >= held || left <= 0n) return playSell(context, held, bought)
  const sold = playSell(context, left)
  return sold.success ? { ...sold, taxBps: chainTaxes(taxBps(held, left), sold.taxBps) } : sold
}

/** The sale with what purchase and approval have cost besides. */
export const asTrip = (sold: SellFacts): SellFacts => ({ ...sold, taxBps: sold.tripTaxBps ?? sold.taxBps })

/** A sale that is made once, whatever comes of it. */
export function toSellFacts(context: TradeContext, leg: Leg): SellFacts {
  return leg.success ? { ...SOLD, taxBps: leg.taxBps } : refused(context, leg)
}

/** A sale that came to nothing because of this transaction. */
export const refused = (context: TradeContext, failed: Approval): SellFacts => failedSell(reasonOf(context, failed))

/** A sale of everything without a tax. */
export const SOLD: SellFacts = {
  success: true,
  taxBps: 0,
  errorReason: '',
  largestSellableBps: FULL_BPS,
  restIsStuck: false,
  worksDirectly: false,
  ranDry: false,
  waitedSeconds: 0,
}

/** A sale that came to nothing. */
export function failedSell(errorReason: string): SellFacts {
  return { ...SOLD, success: false, taxBps: FULL_BPS, errorReason, largestSellableBps: 0, restIsStuck: true }
}

function reasonOf({ market }: TradeContext, { success, sent }: Approval): string {
  return success ? '' : failureReason(sent.call, market.pool.token)
}

/** Sells what was bought `afterMs` ago. Leaves the fork as it was. */
export function sellAfter(context: TradeContext, held: bigint, afterMs: number, bought?: Bought): SellFacts {
  return onBranch(context, () => {
    pass(context.fork, afterMs)
    return playHeldSell(context, held, bought)
  })
}

/** Buys in `afterMs`, and sells a block later. */
export function buyAndSell(context: TradeContext, amount: bigint, afterMs: number): RoundTrip {
  pass(context.fork, afterMs)
  const { facts, held, leg } = playBuy(context, amount)
  if (!facts.success || held <= 0n) return { bought: facts, soldFresh: undefined }
  pass(context.fork, 0)
  return { bought: facts, soldFresh: asTrip(playSell(context, held, leg)) }
}
