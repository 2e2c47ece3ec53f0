import { type Bought, type TradeContext, transfer } from '../../dex/legs.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import { travel } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { isRemote } from '../../simulation/scenario.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf } from '../conditions/conditions.js'
import { findTradeDependencies } from '../dependencies/trade-dependencies.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import { findSmallerBuy } from '../trade/suitable-amount.js'
import { type ClockReads, createClockReadsInspector } from './clock-reads.js'
import { createCodeReadsInspector } from './code-reads.js'
import { byWindow, findDivergence, findFreshCauses, findHeldCauses } from './find-causes.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import {
  type BuyFacts,
  type InstantFacts,
  NOTHING_FOUND,
  type ProbeFacts,
  type SellFacts,
  type TradedFacts,
  type WindowFacts,
} from './honeypot-facts.js'
import { areAllInstants, findInstants, type Instant } from './instants.js'
import { sellMoreNaively, sellNaively } from './naive-profile.js'
import { observeSell } from './observe.js'
import type { PartialWork } from './partial-work.js'
import { pass } from './pass.js'
import { asTrip, playBuy, playHeldSell, playSell } from './play-window.js'
import { findNamedAccounts } from './pool-allowance.js'
import { type Holding, playProbes, worstOfEach } from './probes.js'
import { findScheduledChanges } from './schedule.js'
import { sayCostlySale } from './seller-circumstances.js'
import { findLimits, NO_LIMITS, type TradeLimits } from './trade-limits.js'
import { WINDOWS } from './windows.js'

/** A purchase and the sale of what it brought. */
type RoundTrip = Pick<WindowFacts, 'bought' | 'soldFresh'>

const [NOW, ...LATER] = WINDOWS

/**
 * Buys and sells in every way, at every moment. Leaves the fork as it was. Throws where a bound
 * ends the first window; what one ends after it is left out, and `work` says so.
 */
export function tradeThroughTime(
  context: TradeContext,
  random: SeededRandom,
  amount: bigint,
  work: PartialWork,
): TradedFacts {
  const namedAccounts = findNamedAccounts(context)
  const { bought, held, soldNow, found } = onBranch(context, () => tradeNow(context, random, amount))
  if (!bought.success) {
    const smaller = findSmallerBuy(context, random, amount)
    if (smaller) {
      const traded = tradeThroughTime(context, random, smaller.amount, work)
      return { ...traded, maxBuy: traded.maxBuy ?? smaller.most }
    }
  }
  const now = { label: NOW.label, bought, soldFresh: soldNow && asTrip(soldNow), soldHeld: undefined }
  if (soldNow?.ranDry) {
    const windows = LATER.map(({ label }) => ({ label, bought: NOT_AGAIN, soldFresh: undefined, soldHeld: undefined }))
    return { ...NOTHING_FOUND, ...found, spent: amount, windows: [now, ...windows] }
  }
  const trade = { held, amount }
  const later = LATER.flatMap((window) => playLater(context, trade, window, work))
  const windows = [now, ...later]
  const around =
    soldNow && !isRemote(context.fork) ? inCircumstances(context, random, { ...trade, soldNow, later }, work) : {}
  const fresh = work.play('circumstances', () => findFreshCauses(context, windows, amount))
  const causes = byWindow([...(around.causes ?? []), ...(fresh ?? [])])
  return { ...NOTHING_FOUND, ...found, ...around, spent: amount, namedAccounts, windows, causes }
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

/** What is known of when the token changes. */
interface Moments {
  named: readonly Instant[]
  /** Whether the token asked for the time, in a branch or not. */
  reads: ClockReads
}

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

/** What the plain sales of a holder came to. */
interface PlainSales extends Trade {
  soldNow: SellFacts
  later: readonly WindowFacts[]
}

/**
 * Buys the same once more, with a look at the token's branches, and sells in all ways but the plain
 * one.
 */
function inCircumstances(
  context: TradeContext,
  random: SeededRandom,
  sales: PlainSales,
  work: PartialWork,
): Partial<TradedFacts> {
  const { held, amount, soldNow, later } = sales
  const found = work.play('circumstances', () =>
    onBranch(context, () => {
      const buying = createDecisionsInspector()
      const clocks = createClockReadsInspector(isCodeOfToken(context))
      const bought = createStorageAccessInspector()
      const codes = createCodeReadsInspector(context.trader.address, isCodeOfToken(context))
      playBuy({ ...context, watch: () => [buying, clocks, bought, codes] }, amount)
      const storage = createStorageAccessInspector()
      const observed = onBranch(context, () => observeSell(context, held, 0, [clocks, storage, codes]))
      const purchase = buying.finish()
      const ofPurchase = conditionsOf(context, purchase)
      const conditions = [...ofPurchase, ...conditionsOf(context, observed)]
      const { timestamp, number } = clocks.finish()
      const ofSale = storage.finish()
      const seen = { decisions: [purchase, observed], storage: [bought.finish(), ofSale] }
      const holding = {
        held,
        amount,
        sold: soldNow,
        observed,
        ofPurchase,
        stored: [...purchase.stores, ...observed.stores],
        reads: ofSale.reads,
        asksTime: timestamp || number,
        asksCode: codes.finish(),
      }
      const sold = [soldNow, ...later.map(({ soldHeld }) => soldHeld)]
      const named = findInstants(context.fork.chain, context.fork.evm.block, conditions)
      const sale = soldNow.success ? sellInCircumstances(context, random, holding, work) : {}
      const isTruncated = sale.conditions?.isTruncated || !areAllInstants(conditions, named)
      return {
        ...sale,
        dependencies: findTradeDependencies(context, seen),
        ...(sale.conditions && { conditions: { ...sale.conditions, isTruncated } }),
        ...work.play('circumstances', () => sellInNaiveWorld(context, held, soldNow, observed)),
        instants: playInstants(context, random, { held, amount }, { named, reads: clocks.finish() }, work),
        causes: work.play('circumstances', () => findHeldCauses(context, sold, held)) ?? [],
      }
    }),
  )
  return found ?? {}
}

/**
 * The sell in the artificial world, and where the token told it from the real one: looked for only
 * if it came out another way.
 */
function sellInNaiveWorld(
  context: TradeContext,
  held: bigint,
  soldNow: SellFacts,
  observed: Decisions,
): Pick<TradedFacts, 'naive' | 'divergence'> {
  const play = soldNow.success ? sellNaively : sellMoreNaively
  const naive = onBranch(context, () => play(context, held))
  if (Math.abs(lossOf(soldNow) - lossOf(naive)) < DIVERGENCE_BPS || naive.ranDry)
    return { naive, divergence: undefined }
  const decisions = createDecisionsInspector()
  onBranch(context, () => play({ ...context, watch: () => [decisions] }, held))
  return { naive, divergence: findDivergence(context, observed, decisions.finish()) }
}

/** The probes and limits, which mean something only where an ordinary sell works. */
function sellInCircumstances(
  context: TradeContext,
  random: SeededRandom,
  holding: Holding,
  work: PartialWork,
): Partial<TradedFacts> {
  const { probes, conditions } = onBranch(context, () => {
    pass(context.fork, 0)
    return playProbes(context, random, holding, work)
  })
  const findThem = () => onBranch(context, () => findLimits(context, random, holding.amount, holding.sold))
  const { soldFromMuch, costlySale, ...limits } = work.play('circumstances', findThem) ?? NO_LIMITS
  return {
    ...limits,
    conditions,
    probes: worstOfEach([
      ...probes,
      ...(soldFromMuch ? [{ name: 'large-holding', sold: soldFromMuch } as const] : []),
      ...(costlySale ? [tellCostlySale(context, costlySale)] : []),
    ]),
  }
}

function sellAfter(context: TradeContext, held: bigint, afterMs: number, bought?: Bought): SellFacts {
  return onBranch(context, () => {
    pass(context.fork, afterMs)
    return playHeldSell(context, held, bought)
  })
}

function buyAndSell(context: TradeContext, amount: bigint, afterMs: number): RoundTrip {
  pass(context.fork, afterMs)
  const { facts, held, leg } = playBuy(context, amount)
  if (!facts.success || held <= 0n) return { bought: facts, soldFresh: undefined }
  pass(context.fork, 0)
  return { bought: facts, soldFresh: asTrip(playSell(context, held, leg)) }
}

/**
 * Trades at the moments at which the token is going to change: its branches their answer, or what
 * it computes from the clock.
 */
function playInstants(
  context: TradeContext,
  random: SeededRandom,
  { held, amount }: Trade,
  { named, reads }: Moments,
  work: PartialWork,
): InstantFacts[] {
  const { evm, chain } = context.fork
  const scheduled = work.play('circumstances', () =>
    findScheduledChanges(context, random, { held, amount, reads }, named),
  )
  const playInstant = ({ afterMs, by }: Instant): InstantFacts => {
    const { timestamp, number } = travel(chain, evm.block, afterMs)
    const soldHeld = sellAfter(context, held, afterMs)
    const fresh = onBranch(context, () => {
      const trader = createTrader(context.fork, random, 'latecomer', amount)
      return buyAndSell({ ...context, trader }, amount, afterMs)
    })
    return { timestamp, number: by === 'number' ? number : undefined, ...fresh, soldHeld }
  }
  return merge([...named, ...(scheduled ?? [])]).flatMap(
    (instant) => work.play('circumstances', () => playInstant(instant)) ?? [],
  )
}

/** In the order of time, each moment once. */
function merge(instants: readonly Instant[]): Instant[] {
  return instants
    .toSorted((a, b) => a.afterMs - b.afterMs)
    .filter(({ afterMs }, i, all) => afterMs !== all[i - 1]?.afterMs)
}

const tellCostlySale = (
  context: TradeContext,
  { amount, sold }: NonNullable<TradeLimits['costlySale']>,
): ProbeFacts => ({
  ...{ name: 'large-sell', sold, meaning: sayCostlySale(context, amount, sold) },
})
