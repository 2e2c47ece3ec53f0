import { type TradeContext, transfer } from '../../dex/legs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { isRemote } from '../../simulation/scenario.js'
import { createStranger } from '../../simulation/trader.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import { findSmallerBuy } from '../trade/suitable-amount.js'
import { createBlockReadsInspector } from './clock-reads.js'
import { byWindow, findFreshCauses, findHeldCauses } from './find-causes.js'
import { type BuyFacts, NOTHING_FOUND, type SellFacts, type TradedFacts, type WindowFacts } from './honeypot-facts.js'
import type { PartialWork } from './partial-work.js'
import { asTrip, buyAndSell, playBuy, type RoundTrip, sellAfter } from './play-window.js'
import { findNamedAccounts } from './pool-allowance.js'
import type { Holding } from './probes.js'
import { tradeInCircumstances } from './trade-in-circumstances.js'
import { WINDOWS } from './windows.js'

const [NOW, ...LATER] = WINDOWS

/** How much is traded. */
interface Extent {
  work: PartialWork
  /** Nothing but the ordinary trades, and why they fail; where time decides nothing, now alone. */
  onlyWindows?: boolean | undefined
}

/**
 * Buys and sells in every way, at every moment. Leaves the fork as it was. Throws where a bound
 * ends the first window; what one ends after it is left out, and `work` says so.
 */
export function tradeThroughTime(
  context: TradeContext,
  random: SeededRandom,
  amount: bigint,
  { work, onlyWindows = false }: Extent,
): TradedFacts {
  const namedAccounts = findNamedAccounts(context)
  const clock = onlyWindows ? createBlockReadsInspector(isCodeOfToken(context)) : undefined
  const watched = clock ? { ...context, watch: () => [...(context.watch?.() ?? []), clock] } : context
  const { bought, held, soldNow, found } = onBranch(context, () => tradeNow(watched, random, amount))
  if (!bought.success) {
    const smaller = findSmallerBuy(context, random, amount)
    if (smaller) {
      const traded = tradeThroughTime(context, random, smaller.amount, { work, onlyWindows })
      return { ...traded, maxBuy: traded.maxBuy ?? smaller.most }
    }
  }
  const now = { label: NOW.label, bought, soldFresh: soldNow && asTrip(soldNow), soldHeld: undefined }
  if (soldNow?.ranDry) {
    const windows = LATER.map(({ label }) => ({ label, bought: NOT_AGAIN, soldFresh: undefined, soldHeld: undefined }))
    return { ...NOTHING_FOUND, ...found, spent: amount, windows: [now, ...windows] }
  }
  if (soldNow?.success && clock?.finish() === false)
    return { ...NOTHING_FOUND, ...found, spent: amount, windows: [now], isTimeless: true }
  const trade = { held, amount }
  const later = LATER.flatMap((window) => playLater(context, trade, window, work))
  const windows = [now, ...later]
  const isLookedInto = soldNow !== undefined && !isRemote(context.fork)
  const around =
    isLookedInto && !onlyWindows ? tradeInCircumstances(context, random, { ...trade, soldNow, later }, work) : {}
  const findHeld = () =>
    isLookedInto ? explainHeld(context, trade, [soldNow, ...later.map(({ soldHeld }) => soldHeld)]) : []
  const causes = [findHeld, () => findFreshCauses(context, windows, amount)].flatMap(
    (find) => work.play('circumstances', find) ?? [],
  )
  return { ...NOTHING_FOUND, ...found, ...around, spent: amount, namedAccounts, windows, causes: byWindow(causes) }
}

/** Why sales of what was bought first failed: it is bought once more, where any did. */
function explainHeld(context: TradeContext, { held, amount }: Trade, sold: readonly (SellFacts | undefined)[]) {
  if (sold.every((each) => each?.success !== false)) return []
  return onBranch(context, () => {
    playBuy(context, amount)
    return findHeldCauses(context, sold, held)
  })
}

/** Work without end is met once: more of it would use up what the analysis may spend. */
const NOT_AGAIN: BuyFacts = {
  success: false,
  taxBps: undefined,
  errorReason: 'not tried again, because the sell used up all gas before',
}

/** The part of a window that a bound of ours ended. */
const NOT_FINISHED: RoundTrip = {
  bought: { success: false, taxBps: undefined, errorReason: 'not tried, because our analysis did not finish' },
  soldFresh: undefined,
}

interface FirstWindow {
  bought: BuyFacts
  /** Base units that the purchase brought. */
  held: bigint
  /** Absent where nothing was bought. */
  soldNow: SellFacts | undefined
  found: Partial<TradedFacts>
}

function tradeNow(context: TradeContext, random: SeededRandom, amount: bigint): FirstWindow {
  const { facts: bought, held, leg } = playBuy(context, amount)
  if (!bought.success || held <= 0n) return { bought, held: 0n, soldNow: undefined, found: {} }
  const gift = onBranch(context, () => transfer(context, createStranger(context.fork, random, 'friend'), held))
  const found = {
    transferTaxBps: gift.taxBps,
    transferErrorReason: gift.success ? '' : failureReason(gift.sent.call, context.market.pool.token),
  }
  return { bought, held, soldNow: sellAfter(context, held, NOW.afterMs, leg), found }
}

type Trade = Pick<Holding, 'held' | 'amount'>

/**
 * Sells what was bought now, and, in a world in which that was never bought, what is bought late.
 * Empty where neither finished.
 */
function playLater(
  context: TradeContext,
  { held, amount }: Trade,
  { label, afterMs }: (typeof LATER)[number],
  work: PartialWork,
): WindowFacts[] {
  const sellHeld = () => {
    const { leg } = playBuy(context, amount)
    return asTrip(sellAfter(context, held, afterMs, leg))
  }
  const soldHeld = held > 0n ? work.play(label, () => onBranch(context, sellHeld)) : undefined
  const fresh = work.play(label, () => onBranch(context, () => buyAndSell(context, amount, afterMs)))
  return fresh || soldHeld ? [{ label, ...(fresh ?? NOT_FINISHED), soldHeld }] : []
}
