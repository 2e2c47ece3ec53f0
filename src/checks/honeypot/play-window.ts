import { approve, buy, type Leg, sell, type TradeContext } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import { sellPatiently } from '../patient-sell.js'
import { failureReason } from '../simulate/failure-reason.js'
import type { BuyFacts, SellFacts } from './honeypot-facts.js'

/** Shares that are tried when the whole cannot be sold, in basis points. */
const SMALLER_SHARES_BPS = [5_000, 1_000, 100]

/** Buys at the fork's present instant. */
export function playBuy(context: TradeContext, amount: bigint): { facts: BuyFacts; held: bigint } {
  const leg = buy(context, amount)
  return {
    facts: { success: leg.success, taxBps: leg.taxBps, errorReason: reasonOf(context, leg) },
    held: leg.tokenDelta,
  }
}

/** Approves and sells `held` base units a block later, and looks for a sellable share when that fails. */
export function playSell(context: TradeContext, held: bigint): SellFacts {
  const approved = approve(context, held)
  if (approved?.success === false) return blocked(`approve ${reasonOf(context, approved)}`, 0)
  context.fork.evm.setBlock(nextBlock(context.fork.chain, context.fork.evm.block))
  const { leg: whole, waitedSeconds } = sellPatiently(context, held)
  if (whole.success) {
    return { success: true, taxBps: whole.taxBps, errorReason: '', largestSellableBps: FULL_BPS, waitedSeconds }
  }
  const works = SMALLER_SHARES_BPS.find((share) => {
    const part = (held * BigInt(share)) / BigInt(FULL_BPS)
    return part > 0n && onBranch(context, () => sell(context, part)).success
  })
  return blocked(reasonOf(context, whole), works ?? 0)
}

function blocked(errorReason: string, largestSellableBps: number): SellFacts {
  return { success: false, taxBps: FULL_BPS, errorReason, largestSellableBps, waitedSeconds: 0 }
}

function reasonOf({ market }: TradeContext, { success, sent }: Leg): string {
  return success ? '' : failureReason(sent.call, market.pool.token)
}
