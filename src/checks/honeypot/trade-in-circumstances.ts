import type { TradeContext } from '../../dex/legs.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import { travel } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf } from '../conditions/conditions.js'
import { findTradeDependencies } from '../dependencies/trade-dependencies.js'
import { onBranch } from '../on-branch.js'
import { type ClockReads, createClockReadsInspector } from './clock-reads.js'
import { createCodeReadsInspector } from './code-reads.js'
import { findDivergence } from './find-causes.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { InstantFacts, ProbeFacts, SellFacts, TradedFacts, WindowFacts } from './honeypot-facts.js'
import { areAllInstants, findInstants, type Instant } from './instants.js'
import { sellMoreNaively, sellNaively } from './naive-profile.js'
import { observeSell } from './observe.js'
import type { PartialWork } from './partial-work.js'
import { pass } from './pass.js'
import { buyAndSell, playBuy, sellAfter } from './play-window.js'
import { type Holding, playProbes, worstOfEach } from './probes.js'
import { findScheduledChanges } from './schedule.js'
import { sayCostlySale } from './seller-circumstances.js'
import { findLimits, NO_LIMITS, type TradeLimits } from './trade-limits.js'

/** What the plain sales of a holder came to. */
export interface PlainSales extends Pick<Holding, 'held' | 'amount'> {
  soldNow: SellFacts
  later: readonly WindowFacts[]
}

/**
 * Buys the same once more, with a look at the token's branches, and sells in all ways but the plain
 * one.
 */
export function tradeInCircumstances(
  context: TradeContext,
  random: SeededRandom,
  sales: PlainSales,
  work: PartialWork,
): Partial<TradedFacts> {
  const { held, amount, soldNow } = sales
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
      const named = findInstants(context.fork.chain, context.fork.evm.block, conditions)
      // Before what may use up all that the analysis may spend.
      const dependencies = findTradeDependencies(context, seen)
      const sale = soldNow.success ? sellInCircumstances(context, random, holding, work) : {}
      const isTruncated = sale.conditions?.isTruncated || !areAllInstants(conditions, named)
      return {
        ...sale,
        dependencies,
        ...(sale.conditions && { conditions: { ...sale.conditions, isTruncated } }),
        ...work.play('circumstances', () => sellInNaiveWorld(context, held, soldNow, observed)),
        instants: playInstants(context, random, { held, amount }, { named, reads: clocks.finish() }, work),
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

/** What is known of when the token changes. */
interface Moments {
  named: readonly Instant[]
  /** Whether the token asked for the time, in a branch or not. */
  reads: ClockReads
}

/**
 * Trades at the moments at which the token is going to change: its branches their answer, or what
 * it computes from the clock.
 */
function playInstants(
  context: TradeContext,
  random: SeededRandom,
  { held, amount }: Pick<Holding, 'held' | 'amount'>,
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
