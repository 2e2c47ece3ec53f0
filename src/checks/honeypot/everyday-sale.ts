import { maxUint256 } from 'viem'
import { largerOf } from '../../bigints.js'
import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { toPaddedHex } from '../../hex.js'
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
import { playHeldSell, playSell, toSellFacts } from './play-window.js'

const DAY_MS = 24 * 3_600_000

/** What happens between the approval and the sale. */
type Meanwhile = (setting: Setting, context: TradeContext) => void

/** What comes together in a sale besides the approval and the gas. */
interface Way {
  meanwhile: Meanwhile
  /** The ordinary sale that it is held against, where that is not the usual one. */
  plain?: (setting: Setting) => SellFacts
}

const nothing: Meanwhile = (_, { fork }) => pass(fork, 0)

const anotherTrades: Meanwhile = ({ random, amount }, context) => {
  const other = buyOnce(context, random, 'passer-by', amount / BigInt(CROWD))
  if (other) goOn(other, random, 'receiver', 'sold')
  pass(context.fork, 0)
}

const aDayWithTrades: Meanwhile = (setting, context) => {
  pass(context.fork, DAY_MS)
  anotherTrades(setting, context)
}

/** Wallets that buy on a busy day, each for that part of the pool: the price rises by a tenth. */
const BUYERS = 3
const BUYERS_PART = 60n

/** The wallet has bought once more, others have, the price has risen, and the block is another. */
const aBusyDay: Meanwhile = ({ random, amount }, context) => {
  const { fork, market } = context
  pass(fork, 0)
  buy(context, amount / BigInt(CROWD))
  pass(fork, 0)
  for (let i = 0; i < BUYERS; i += 1) buyOnce(context, random, `busy ${i}`, market.depth / BUYERS_PART)
  const { block } = fork.evm
  fork.evm.setBlock({
    ...block,
    // An eighth more, the most from one block to the next (EIP-1559); nothing stays nothing.
    baseFeePerGas: block.baseFeePerGas + (block.baseFeePerGas + 7n) / 8n,
    prevRandao: toPaddedHex(random.between('busy block', 0n, 2n ** 256n - 1n), 32),
  })
}

/**
 * The fewest first: where that does harm already, the others say nothing more. What a day, or a
 * busy one, does to any sale is told of elsewhere.
 */
const WAYS: readonly Way[] = [
  { meanwhile: nothing },
  { meanwhile: anotherTrades },
  {
    meanwhile: aDayWithTrades,
    plain: ({ context, held }) => {
      pass(context.fork, DAY_MS)
      return playHeldSell(context, held)
    },
  },
  {
    meanwhile: aBusyDay,
    plain: (setting) => {
      aBusyDay(setting, setting.context)
      return playSell(setting.context, allOf(setting.context, setting.held))
    },
  },
]

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
  const accounts = [undefined, ...(asDelegate ? [asDelegated(setting)] : [])]
  for (const { meanwhile, plain } of WAYS) {
    const least = plain ? onBranch(context, () => plain(setting)) : usual
    for (const account of accounts) {
      const sold = onBranch(context, () => {
        const sale = account ? account.enter({ context, held, block: {} }) : { context }
        return sale && sellOnce(setting, sale.context, meanwhile)
      })
      if (sold && isWorse(sold, least)) return [{ name: 'everyday-sale', sold }]
    }
  }
  return []
}

/** What does harm alone says more than what it does in company. */
const HABITS: readonly ProbeFacts['name'][] = ['unlimited-approval', 'estimated-gas', 'crowd', 'other-sellers']

function sellOnce(setting: Setting, context: TradeContext, meanwhile: Meanwhile): SellFacts | undefined {
  const approved = approve(context, maxUint256)
  if (approved?.success === false) return undefined
  meanwhile(setting, context)
  const all = allOf(context, setting.held)
  const estimated = withEstimatedGas(context, all) ?? context
  // Some tokens make each seller wait.
  return toSellFacts(estimated, sellPatiently(estimated, all).leg)
}

/** What the wallet has by now, as far as it is more. */
const allOf = ({ fork, market, trader }: TradeContext, held: bigint): bigint =>
  largerOf(balanceOf(fork, market.pool.token, trader.address) ?? held, held)

/**
 * Wallets add a quarter to what their node estimates; a refund (EIP-3529) is needed before it is
 * given: at most another quarter.
 */
const OF_ESTIMATE = { part: 25n, of: 16n }

/**
 * Who sells what was approved with the gas that a wallet sends which asked a node for an estimate;
 * `undefined` where the sale fails with plenty, so that there is none.
 */
export function withEstimatedGas(context: TradeContext, held: bigint): TradeContext | undefined {
  const tried = onBranch(context, () => sell(context, held))
  if (!tried.success) return undefined
  const gasLimit = (tried.sent.result.gasUsed * OF_ESTIMATE.part) / OF_ESTIMATE.of
  return { ...context, trader: { ...context.trader, gasLimit } }
}
