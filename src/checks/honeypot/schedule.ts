import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from '../../dex/tax.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import type { ClockReads } from './clock-reads.js'
import { type Instant, narrow } from './instants.js'
import { pass } from './pass.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** When a schedule is looked at: often at first, since launches move fast, and up to a year. */
const SAMPLES_MS = [HOUR, 6 * HOUR, DAY, 4 * DAY, 14 * DAY, 60 * DAY, 180 * DAY, 365 * DAY]
/** A tax that differs by less is the same tax: rounding, and what accrues. Basis points. */
const CHANGE_BPS = 100

/** From here on a trade is lost (`HONEYPOT_TAX_BPS`). */
const LOST_BPS = 5_000
/**
 * Halvings between two samples: to within a two-hundredth of the distance, at the price of a round
 * trip each.
 */
const MAX_HALVINGS = 8

/**
 * When trading begins to cost something else although no branch of the token says so: fees that are
 * computed from the clock. Found by trading at growing distances and, between the last that is as
 * now and the first that is not, by halves: the first change, and the first moment from which most
 * is lost. Nothing where nothing moves within a year, and where `reads` shows that the token never
 * asks for the time. Changes between two samples between which one of the `known` moments lies are
 * left to that one.
 */
export function findScheduledChanges(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, reads }: { held: bigint; amount: bigint; reads: ClockReads },
  known: readonly Instant[],
): Instant[] {
  if (!reads.timestamp && !reads.number) return []
  /** Both searches meet some of the same moments. */
  const seen = new Map<number, Costs>()
  const costs = (afterMs: number) => {
    const found = seen.get(afterMs) ?? costsAt(context, random, held, amount, afterMs)
    seen.set(afterMs, found)
    return found
  }
  const now = costs(0)
  const later = SAMPLES_MS.map(costs)
  const isAsNow = (then: Costs) => then.every((cost, i) => Math.abs(cost - (now[i] ?? 0)) < CHANGE_BPS)
  const isBearable = (then: Costs) => then.every((cost) => cost < LOST_BPS)
  const found = (isBearable(now) ? [isAsNow, isBearable] : [isAsNow]).flatMap((holds) => {
    const changed = later.findIndex((then) => !holds(then))
    const [before, at] = [SAMPLES_MS[changed - 1] ?? 0, SAMPLES_MS[changed]]
    if (at === undefined || known.some(({ afterMs }) => before < afterMs && afterMs <= at)) return []
    return [narrow(before, at, (ms) => holds(costs(ms)), MAX_HALVINGS)]
  })
  return found.map((afterMs) => ({ afterMs, by: reads.timestamp ? 'timestamp' : 'number' }))
}

/** Basis points; all of it where the trade fails. */
type Costs = readonly [bought: number, sold: number]

/** What a purchase then, and the sale of what is held, would cost. */
function costsAt(context: TradeContext, random: SeededRandom, held: bigint, amount: bigint, afterMs: number): Costs {
  return onBranch(context, () => {
    pass(context.fork, afterMs)
    const bought = onBranch(context, () => {
      const trader = createTrader(context.fork, random, 'sampler', amount)
      const { success, taxBps: tax = 0 } = buy({ ...context, trader }, amount)
      return success ? tax : FULL_BPS
    })
    return [bought, sellingCost(context, held)]
  })
}

function sellingCost(context: TradeContext, held: bigint): number {
  const { fork, market, trader } = context
  const has = balanceOf(fork, market.pool.token, trader.address) ?? held
  const left = has < held && has > 0n ? has : held
  if (approve(context, left)?.success === false) return FULL_BPS
  pass(fork, 0)
  const sold = sell(context, left)
  return sold.success ? (chainTaxes(taxBps(held, left), sold.taxBps) ?? 0) : FULL_BPS
}
