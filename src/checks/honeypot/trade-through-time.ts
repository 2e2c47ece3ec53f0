import { type TradeContext, transfer } from '../../dex/legs.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import { travel } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { isRemote } from '../../simulation/scenario.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../simulate/failure-reason.js'
import { findSmallerBuy } from '../suitable-amount.js'
import { type ClockReads, createClockReadsInspector } from './clock-reads.js'
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
import { findInstants, type Instant } from './instants.js'
import { sellMoreNaively, sellNaively } from './naive-profile.js'
import { observeSell } from './observe.js'
import { pass } from './pass.js'
import { playBuy, playHeldSell, playSell } from './play-window.js'
import { findPoolAllowance } from './pool-allowance.js'
import { type Holding, playProbes } from './probes.js'
import { findScheduledChanges } from './schedule.js'
import { findLimits, type TradeLimits } from './trade-limits.js'
import { WINDOWS } from './windows.js'

/** A purchase and the sale of what it brought. */
type RoundTrip = Pick<WindowFacts, 'bought' | 'soldFresh'>

const [NOW, ...LATER] = WINDOWS

/** What the purchase told, for all ways to sell. */
interface Purchase {
  held: bigint
  /** Wei that it was bought for. */
  amount: bigint
}

/** Buys once and sells in every way, at every moment. Leaves the fork as it was. */
export function tradeThroughTime(context: TradeContext, random: SeededRandom, amount: bigint): TradedFacts {
  const { evm } = context.fork
  const { block } = evm
  const start = evm.snapshot()
  const poolAllowance = findPoolAllowance(context)
  const buying = createDecisionsInspector()
  const clocks = createClockReadsInspector(isCodeOfToken(context))
  const { facts: bought, held } = playBuy({ ...context, watch: () => [buying, clocks] }, amount)
  if (!bought.success) {
    evm.restore(start)
    evm.setBlock(block)
    const smaller = findSmallerBuy(context, random, amount)
    if (smaller) {
      const traded = tradeThroughTime(context, random, smaller.amount)
      return { ...traded, maxBuy: traded.maxBuy ?? smaller.most }
    }
  }
  const holder =
    bought.success && held > 0n ? sellInEveryWay(context, random, { held, amount }, buying.finish(), clocks) : undefined
  evm.restore(start)
  evm.setBlock(block)

  if (holder?.soldNow.ranDry) {
    const windows = LATER.map(({ label }) => ({ label, bought: NOT_AGAIN, soldFresh: undefined, soldHeld: undefined }))
    return { ...NOTHING_FOUND, ...holder.found, spent: amount, windows: [nowOf(bought, holder.soldNow), ...windows] }
  }
  // A late buyer finds a world in which the holder has never bought.
  const late = LATER.map(({ label, afterMs }, i) => ({
    label,
    ...onBranch(context, () => buyAndSell(context, amount, afterMs)),
    soldHeld: holder?.soldLater[i],
  }))
  const windows = [nowOf(bought, holder?.soldNow), ...late]
  const causes = byWindow([...(holder?.found.causes ?? []), ...findFreshCauses(context, windows, amount)])
  return { ...NOTHING_FOUND, ...holder?.found, spent: amount, poolAllowance, windows, causes }
}

const nowOf = (bought: BuyFacts, soldFresh: SellFacts | undefined): WindowFacts => ({
  label: NOW.label,
  bought,
  soldFresh,
  soldHeld: undefined,
})

/** Work without end is met once: more of it would use up what the analysis may spend. */
const NOT_AGAIN: BuyFacts = {
  success: false,
  taxBps: undefined,
  errorReason: 'not tried again, because the sell used up all gas before',
}

interface HolderFacts {
  soldNow: SellFacts
  soldLater: SellFacts[]
  found: Partial<TradedFacts>
}

function sellInEveryWay(
  context: TradeContext,
  random: SeededRandom,
  trade: Purchase,
  bought: Decisions,
  clocks: Inspector<ClockReads>,
): HolderFacts {
  const { held } = trade
  const gift = onBranch(context, () => transfer(context, createStranger(context.fork, random, 'friend'), held))
  const transferred = {
    transferTaxBps: gift.taxBps,
    transferErrorReason: gift.success ? '' : failureReason(gift.sent.call, context.market.pool.token),
  }
  const soldNow = sellAfter(context, held, NOW.afterMs)
  if (soldNow.ranDry) return { soldNow, soldLater: [], found: transferred }

  const soldLater = LATER.map(({ afterMs }) => sellAfter(context, held, afterMs))
  if (isRemote(context.fork)) return { soldNow, soldLater, found: transferred }
  const observed = onBranch(context, () => observeSell(context, held, 0, [clocks]))
  const conditions = [bought, observed].flatMap((each) => conditionsOf(context, each))
  const circumstances = soldNow.success
    ? sellInCircumstances(context, random, { ...trade, sold: soldNow, conditions })
    : {}
  return {
    soldNow,
    soldLater,
    found: {
      ...transferred,
      ...circumstances,
      ...sellInNaiveWorld(context, held, soldNow, observed),
      instants: playInstants(context, random, trade, conditions, clocks.finish()),
      causes: findHeldCauses(context, [soldNow, ...soldLater], held),
    },
  }
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
function sellInCircumstances(context: TradeContext, random: SeededRandom, holding: Holding): Partial<TradedFacts> {
  const probes = onBranch(context, () => {
    pass(context.fork, 0)
    return playProbes(context, random, holding)
  })
  const { soldFromMuch, costlySale, ...limits } = onBranch(context, () =>
    findLimits(context, random, holding.amount, holding.sold),
  )
  return {
    ...limits,
    probes: [
      ...probes,
      ...(soldFromMuch ? [{ name: 'large-holding', sold: soldFromMuch } as const] : []),
      ...(costlySale ? [tellCostlySale(context, costlySale)] : []),
    ],
  }
}

function tellCostlySale(
  { market }: TradeContext,
  { amount, sold }: NonNullable<TradeLimits['costlySale']>,
): ProbeFacts {
  const share = Number((amount * 1_000n) / market.pool.tokenReserve) / 10
  const cost = Math.round((sold.taxBps ?? 0) / 100)
  return { name: 'large-sell', sold, meaning: `Selling more than ${share} % of the pool at once costs ${cost} %` }
}

function sellAfter(context: TradeContext, held: bigint, afterMs: number): SellFacts {
  return onBranch(context, () => {
    pass(context.fork, afterMs)
    return playHeldSell(context, held)
  })
}

function buyAndSell(context: TradeContext, amount: bigint, afterMs: number): RoundTrip {
  pass(context.fork, afterMs)
  const { facts, held } = playBuy(context, amount)
  if (!facts.success || held <= 0n) return { bought: facts, soldFresh: undefined }
  pass(context.fork, 0)
  return { bought: facts, soldFresh: playSell(context, held) }
}

/**
 * Trades at the moments at which the token is going to change: its branches their answer, or what
 * it computes from the clock.
 */
function playInstants(
  context: TradeContext,
  random: SeededRandom,
  { held, amount }: Purchase,
  conditions: readonly Decision[],
  reads: ClockReads,
): InstantFacts[] {
  const { evm, chain } = context.fork
  const named = findInstants(chain, evm.block, conditions)
  const instants = merge([...named, ...findScheduledChanges(context, random, { held, amount, reads }, named)])
  return instants.map(({ afterMs, by }) => {
    const { timestamp, number } = travel(chain, evm.block, afterMs)
    const soldHeld = sellAfter(context, held, afterMs)
    const fresh = onBranch(context, () => {
      const trader = createTrader(context.fork, random, 'latecomer', amount)
      return buyAndSell({ ...context, trader }, amount, afterMs)
    })
    return { timestamp, number: by === 'number' ? number : undefined, ...fresh, soldHeld }
  })
}

/** In the order of time, each moment once. */
function merge(instants: readonly Instant[]): Instant[] {
  return instants
    .toSorted((a, b) => a.afterMs - b.afterMs)
    .filter(({ afterMs }, i, all) => afterMs !== all[i - 1]?.afterMs)
}
