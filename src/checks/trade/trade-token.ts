import { buy, type Leg, measureApproval, sell, type TradeContext, taxOfTrip, transfer } from '../../dex/legs.js'
import { createReentrancyInspector } from '../../evm/inspectors/reentrancy.js'
import { mark } from '../../simulation/fork-verbs.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { unaskedAllowances } from './allowances.js'
import { sellDirectly } from './direct-sell.js'
import { failureReason } from './failure-reason.js'
import { l1FeeOf } from './l1-fee.js'
import { ranDry, sellPatiently } from './patient-sell.js'
import type { RoundTripFacts, WayOut } from './round-trip-facts.js'
import { findSmallerSell } from './smaller-sells.js'
import type { StepReport } from './trade-report.js'
import { watchedDeltas } from './watched-tokens.js'

/** A leg under the name it has in the report. */
interface Step {
  name: StepReport['name']
  branch: StepReport['branch']
  leg: Leg
  waitedSeconds: number
}

/** The legs of a round trip as far as it came. */
interface RoundTripLegs {
  bought: Leg
  transferred?: Leg
  approved?: Leg
  sold?: Leg
  wayOut?: WayOut
  steps: Step[]
}

/** Plays the round trip for `amount` wei and collects what there is to know about it. */
export function tradeToken(base: TradeContext, random: SeededRandom, amount: bigint): RoundTripFacts {
  const { fork, market, trader } = base
  const { token, address: pool } = market.pool
  const reentrancy = createReentrancyInspector()
  const back = mark(fork)

  const legs = playRoundTrip({ ...base, watch: () => [reentrancy] }, random, amount)
  const { bought, approved, sold, transferred, wayOut, steps } = legs
  const main = steps.filter(({ branch }) => branch === 'main').map(({ leg }) => leg)
  const sent = main.flatMap(transactionsOf)
  const logs = sent.flatMap(({ result }) => result.logs)

  return {
    kind: 'token',
    nativeDelta: sum(main.map(({ nativeDelta }) => nativeDelta)),
    tokenDelta: sum(main.map(({ tokenDelta }) => tokenDelta)),
    gasUsed: sum(sent.map(({ result }) => result.gasUsed)),
    l1Fee: l1FeeOf(fork, sent),
    isReentrancy: reentrancy.finish().reentered,
    returnData: main.at(-1)?.sent.result.output ?? '0x',
    steps: steps.map((step) => toStepReport(step, token)),
    watchedDeltas: watchedDeltas(fork, trader.address, logs),
    venue: { name: market.venue.name, pool },
    buyTaxBps: bought.taxBps,
    sellTaxBps: sold?.taxBps,
    wayOut,
    spent: amount,
    maxBuy: undefined,
    leastAmount: undefined,
    isStranded: false,
    unknownVenues: [],
    missingVenues: [],
    provided: undefined,
    transferTaxBps: transferred?.taxBps,
    calls: sent.map(({ call }) => call),
    logs,
    isTruncated: false,
    allowanceChanges: unaskedAllowances(fork, back, logs, {
      owners: [trader.address, pool],
      asked: market.venue.spender && {
        key: { token, owner: trader.address, spender: market.venue.spender },
        // A sell uses up what was asked for; without one it still stands.
        amount: approved?.isUnlimited ? 'any' : approved?.success && !sold?.success ? bought.tokenDelta : 0n,
      },
    }),
  }
}

/**
 * Tried when the whole cannot be sold: the name of the step, and what the bought amount is divided
 * by.
 */
const SMALLER_SELLS = [
  ['sell-half', 2n],
  ['sell-tenth', 10n],
  ['sell-hundredth', 100n],
] as const

function playRoundTrip(context: TradeContext, random: SeededRandom, amount: bigint): RoundTripLegs {
  const { fork } = context
  const steps: Step[] = []
  const record = (name: Step['name'], branch: Step['branch'], leg: Leg, waitedSeconds = 0) => {
    steps.push({ name, branch, leg, waitedSeconds })
    return leg
  }
  const onSide = (name: Step['name'], run: () => Leg) => {
    return record(name, 'side', onBranch(context, run))
  }
  const wait = () => fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))

  const bought = record('buy', 'main', buy(context, amount))
  const held = bought.tokenDelta
  if (!bought.success || held <= 0n) return { bought, steps }

  wait()
  const transferred = onSide('transfer', () => transfer(context, createStranger(context.fork, random, 'friend'), held))
  const approved = measureApproval(context, held)
  if (approved) record('approve', 'main', approved)
  if (approved?.success === false) return { bought, transferred, approved, steps }

  wait()
  const { leg: sold, waitedSeconds } = sellPatiently(context, held)
  record('sell', 'main', sold, waitedSeconds)
  const tripTaxBps = taxOfTrip(bought, sold)
  const trade = { bought, transferred, ...(approved && { approved }), sold: { ...sold, taxBps: tripTaxBps }, steps }
  if (sold.success || ranDry(sold)) return trade
  for (const [name, divisor] of SMALLER_SELLS) if (held >= divisor) onSide(name, () => sell(context, held / divisor))
  const { shareBps, restIsStuck } = findSmallerSell(context, held)
  if (shareBps > 0) return restIsStuck ? trade : { ...trade, wayOut: 'in-parts' }
  return onBranch(context, () => sellDirectly(context, held)) ? { ...trade, wayOut: 'other-router' } : trade
}

function toStepReport({ name, branch, leg, waitedSeconds }: Step, token: string): StepReport {
  const gasUsed = sum(transactionsOf(leg).map(({ result }) => result.gasUsed))
  return {
    name,
    branch,
    success: leg.success,
    gasUsed,
    errorReason: failureReason(leg.sent.call, token),
    waitedSeconds,
  }
}

const transactionsOf = ({ before = [], sent }: Leg) => [...before, sent]

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
