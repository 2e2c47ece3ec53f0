import { sell, type TradeContext } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { isRemote } from '../../simulation/scenario.js'
import { onBranch } from '../on-branch.js'
import { sellPatiently } from './patient-sell.js'

/** What can be sold of an amount that cannot be sold whole. */
export interface SmallerSells {
  /** The largest share that went through in one transaction, in basis points; 0 when none did. */
  shareBps: number
  /** After a few such sells no more went through: what is left stays. */
  restIsStuck: boolean
}

const SHARES_BPS = [5_000, 1_000, 100]
/** Sells of one share before it is believed that they go on. */
const REPEATS = 6

/**
 * Looks for the share of `held` that can be sold, and whether it can be sold again and again.
 * Leaves the fork as it was.
 */
export function findSmallerSell(context: TradeContext, held: bigint): SmallerSells {
  const partOf = (share: number) => (held * BigInt(share)) / BigInt(FULL_BPS)
  const works = SHARES_BPS.find(
    (share) => partOf(share) > 0n && onBranch(context, () => sell(context, partOf(share))).success,
  )
  if (works === undefined) return { shareBps: 0, restIsStuck: true }
  if (isRemote(context.fork)) return { shareBps: works, restIsStuck: false }
  const times = Math.min(REPEATS, Math.floor(FULL_BPS / works))
  const sold = onBranch(context, () => countSells(context, partOf(works), times))
  return { shareBps: works, restIsStuck: sold < times }
}

function countSells(context: TradeContext, part: bigint, times: number): number {
  const { evm, chain } = context.fork
  for (let sold = 0; sold < times; sold += 1) {
    if (!sellPatiently(context, part).leg.success) return sold
    evm.setBlock(nextBlock(chain, evm.block))
  }
  return times
}
