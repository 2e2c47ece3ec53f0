import { type TradeContext, transfer } from '../../dex/legs.js'
import { createDecisionsInspector, type Decision } from '../../evm/inspectors/decisions.js'
import { travel } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../simulate/failure-reason.js'
import { explainCause } from './explain-cause.js'
import {
  type BuyFacts,
  type HoneypotFacts,
  type InstantFacts,
  NOTHING_TRADED,
  type SellFacts,
  type WindowFacts,
} from './honeypot-facts.js'
import { findInstants } from './instants.js'
import { findLimits } from './limits.js'
import { sellMoreNaively, sellNaively } from './naive-profile.js'
import { isOfToken, observeSell } from './observe.js'
import { pass } from './pass.js'
import { playBuy, playHeldSell, playSell } from './play-window.js'
import { playProbes } from './probes.js'
import { WINDOWS } from './windows.js'

type Traded = Omit<HoneypotFacts, 'kind' | 'market' | 'otherMarkets'>
/** A purchase and the sale of what it brought. */
type RoundTrip = Pick<WindowFacts, 'bought' | 'soldFresh'>

const { market: _, otherMarkets: __, ...NOTHING_FOUND } = NOTHING_TRADED
const [NOW, ...LATER] = WINDOWS

/** What the ways to sell have in common. */
interface Holding {
  held: bigint
  /** Wei that it was bought for. */
  amount: bigint
  /** Branches of the token that the purchase and the sale went through. */
  branches: readonly Decision[]
}

/** Buys once and sells in every way, at every moment. Leaves the fork as it was. */
export function tradeThroughTime(context: TradeContext, random: SeededRandom, amount: bigint): Traded {
  const { evm } = context.fork
  const { block } = evm
  const start = evm.snapshot()
  const buying = createDecisionsInspector()
  const { facts: bought, held } = playBuy({ ...context, watch: () => [buying] }, amount)
  const holder =
    bought.success && held > 0n
      ? sellInEveryWay(context, random, { held, amount }, buying.finish().branches)
      : undefined
  evm.restore(start)
  evm.setBlock(block)

  if (holder?.soldNow.ranDry) {
    const windows = LATER.map(({ label }) => ({ label, bought: NOT_AGAIN, soldFresh: undefined, soldHeld: undefined }))
    return { ...NOTHING_FOUND, ...holder.found, windows: [nowOf(bought, holder.soldNow), ...windows] }
  }
  // Whoever comes late finds a world in which the holder has never bought.
  const late = LATER.map(({ label, afterMs }, i) => ({
    label,
    ...onBranch(context, () => buyAndSell(context, amount, afterMs)),
    soldHeld: holder?.soldLater[i],
  }))
  return { ...NOTHING_FOUND, ...holder?.found, windows: [nowOf(bought, holder?.soldNow), ...late] }
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
  found: Partial<Traded>
}

function sellInEveryWay(
  context: TradeContext,
  random: SeededRandom,
  trade: Omit<Holding, 'branches'>,
  bought: readonly Decision[],
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
  const observed = onBranch(context, () => observeSell(context, held, 0))
  const branches = [...bought, ...observed.branches].filter(isOfToken(context))
  const holding = { ...trade, branches }
  const circumstances = soldNow.success ? sellInCircumstances(context, random, holding) : {}
  return {
    soldNow,
    soldLater,
    found: {
      ...transferred,
      ...circumstances,
      naive: onBranch(context, () => (soldNow.success ? sellNaively : sellMoreNaively)(context, held)),
      instants: playInstants(context, random, holding),
      causes: findCauses(context, [soldNow, ...soldLater], held),
    },
  }
}

/** The probes and limits, which mean something only where an ordinary sell works. */
function sellInCircumstances(context: TradeContext, random: SeededRandom, holding: Holding): Partial<Traded> {
  const probes = onBranch(context, () => {
    pass(context.fork, 0)
    return playProbes(context, random, holding)
  })
  const { soldFromMuch, ...limits } = onBranch(context, () => findLimits(context, random, holding.amount))
  const fromMuch = soldFromMuch ? [{ name: 'large-holding', sold: soldFromMuch } as const] : []
  return { ...limits, probes: [...probes, ...fromMuch] }
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

/** Trades at the moments at which branches of the token are going to change their answer. */
function playInstants(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, branches }: Holding,
): InstantFacts[] {
  const { evm, chain } = context.fork
  return findInstants(chain, evm.block, branches).map(({ afterMs, by }) => {
    const { timestamp, number } = travel(chain, evm.block, afterMs)
    const soldHeld = sellAfter(context, held, afterMs)
    const fresh = onBranch(context, () => {
      const trader = createTrader(context.fork, random, 'latecomer', amount)
      return buyAndSell({ ...context, trader }, amount, afterMs)
    })
    return { timestamp, number: by === 'number' ? number : undefined, ...fresh, soldHeld }
  })
}

/** Sells of what was held that failed are played once more, with a look at what decided. In the order of the windows. */
function findCauses(context: TradeContext, sells: readonly SellFacts[], held: bigint): HoneypotFacts['causes'] {
  const { market, trader } = context
  const { pool, venue } = market
  const names = new Map([
    [BigInt(trader.address), 'the seller'],
    [BigInt(pool.address), 'the pool'],
    [BigInt(pool.token), 'the token'],
    ...(venue.spender ? [[BigInt(venue.spender), 'the router'] as const] : []),
  ])
  return WINDOWS.flatMap(({ label, afterMs }, i) => {
    if (sells[i]?.success !== false) return []
    const { blocking } = onBranch(context, () => observeSell(context, held, afterMs))
    return blocking ? [{ window: label, ...explainCause(blocking, names) }] : []
  })
}
