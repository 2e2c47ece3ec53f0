import { maxUint256 } from 'viem'
import { approve, sell, type TradeContext } from '../../dex/legs.js'
import { onBranch } from '../on-branch.js'
import { sellPatiently } from '../trade/patient-sell.js'
import { asDelegated } from './account-kinds.js'
import type { Setting } from './circumstance.js'
import type { CodeReads } from './code-reads.js'
import { CROWD } from './crowd.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { buyOnce, goOn } from './new-wallet.js'
import { pass } from './pass.js'
import { playHeldSell, refused, toSellFacts } from './play-window.js'

/** What comes together in a sale besides the approval and the gas. */
interface Way {
  /** Another wallet has bought and sold since the approval. */
  afterOthers: boolean
  /** A day has passed since the purchase. */
  isLater: boolean
}

/** The fewest first: where that does harm already, the others say nothing more. */
const WAYS: readonly Way[] = [
  { afterOthers: false, isLater: false },
  { afterOthers: true, isLater: false },
  { afterOthers: true, isLater: true },
]
const DAY_MS = 24 * 3_600_000

/**
 * Sells as most wallets do, with all of it at once: an approval without limit that is older than
 * the sale, the gas that a node estimates, others who trade in between; by a wallet that delegates
 * as well, where the token asks for the code of who trades. Each alone is played elsewhere; a token
 * that asks for two of them is met by neither.
 */
export function sellAsMostDo(
  setting: Setting,
  { sold: usual, asksCode }: { sold: SellFacts; asksCode: CodeReads },
  alone: readonly ProbeFacts[],
): ProbeFacts[] {
  const { context, held } = setting
  const isWorse = (sold: SellFacts, than: SellFacts) => lossOf(sold) >= lossOf(than) + DIVERGENCE_BPS
  const told = new Set(alone.filter(({ sold }) => isWorse(sold, usual)).map(({ name }) => name))
  if (HABITS.some((name) => told.has(name))) return []
  const asDelegate = (asksCode.size || asksCode.content) && !told.has('delegated-account')
  // What a day alone does to a sale is told of that day.
  const aDayLater = onBranch(context, () => {
    pass(context.fork, DAY_MS)
    return playHeldSell(context, held)
  })
  for (const account of [undefined, ...(asDelegate ? [asDelegated(setting)] : [])])
    for (const way of WAYS) {
      const sold = onBranch(context, () => {
        const sale = account ? account.enter({ context, held, block: {} }) : { context, held }
        return sale && sellOnce(setting, sale.context, way)
      })
      if (sold && isWorse(sold, way.isLater ? aDayLater : usual)) return [{ name: 'everyday-sale', sold }]
    }
  return []
}

/** What does harm alone says more than what it does in company. */
const HABITS: readonly ProbeFacts['name'][] = ['unlimited-approval', 'estimated-gas', 'crowd', 'other-sellers']

function sellOnce(
  { random, amount, held }: Setting,
  context: TradeContext,
  { afterOthers, isLater }: Way,
): SellFacts | undefined {
  const { fork } = context
  const approved = approve(context, maxUint256)
  if (approved?.success === false) return undefined
  pass(fork, isLater ? DAY_MS : 0)
  if (afterOthers) {
    const other = buyOnce(context, random, 'passer-by', amount / BigInt(CROWD))
    if (other) goOn(other, random, 'receiver', 'sold')
    pass(fork, 0)
  }
  const sold = sellAsEstimated(context, held)
  // Some tokens make each seller wait.
  return sold.success ? sold : toSellFacts(context, sellPatiently(context, held).leg)
}

/**
 * Wallets add a quarter to what their node estimates; a refund (EIP-3529) is needed before it is
 * given: at most another quarter.
 */
const OF_ESTIMATE = { part: 25n, of: 16n }

/** Sells what was approved with the gas that a wallet sends which asked a node for an estimate. */
export function sellAsEstimated(context: TradeContext, held: bigint): SellFacts {
  const tried = onBranch(context, () => sell(context, held))
  if (!tried.success) return refused(context, tried)
  const gasLimit = (tried.sent.result.gasUsed * OF_ESTIMATE.part) / OF_ESTIMATE.of
  return toSellFacts(context, sell({ ...context, trader: { ...context.trader, gasLimit } }, held))
}
