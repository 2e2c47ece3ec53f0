import { buy, type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { findCounters } from './counters.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import type { PartialWork } from './partial-work.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'

/** People who buy after our trader: enough for the traps that count buyers, which close early to be of use. */
const CROWD = 6
/** Wei per gas: more than anybody offers on a quiet day, less than a bot at a launch. */
const HIGH_TIP_PER_GAS = 30_000_000_000n
/** More gas than a wallet sends. */
const PLENTIFUL_GAS = 5_000_000n

/**
 * Ways to sell that an ordinary round trip does not take: by whom the tokens were given to, after others bought, in two parts, at other gas prices
 * and limits. Each is played on a branch of the fork on which `context.trader` holds `held` tokens.
 */
export function playProbes(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, branches }: { held: bigint; amount: bigint; branches: readonly Decision[] },
  work: PartialWork,
): ProbeFacts[] {
  const { trader } = context
  const probes: [ProbeFacts['name'], () => SellFacts][] = [
    ['gift', () => sellGift(context, random, held / 2n)],
    ['crowd', () => sellAfterCrowd(context, random, { held, amount, branches })],
    ['second-sell', () => sellTwice(context, held)],
    ['no-tip', () => playSell({ ...context, trader: { ...trader, tipPerGas: 0n } }, held)],
    ['high-gas-price', () => playSell({ ...context, trader: { ...trader, tipPerGas: HIGH_TIP_PER_GAS } }, held)],
    ['plentiful-gas', () => playSell({ ...context, trader: { ...trader, gasLimit: PLENTIFUL_GAS } }, held)],
  ]
  return probes.flatMap(([name, play]) => {
    const sold = work.play('circumstances', () => onBranch(context, play))
    return sold ? [{ name, sold }] : []
  })
}

/** The tokens are given to another wallet, which sells them. */
function sellGift(context: TradeContext, random: SeededRandom, amount: bigint): SellFacts {
  const heir = createTrader(context.fork, random, 'heir', 0n)
  const gift = transfer(context, heir.address, amount)
  if (!gift.success) return NOT_PLAYED
  pass(context.fork, 0)
  const received = balanceOf(context.fork, context.market.pool.token, heir.address) ?? 0n
  return received > 0n ? playSell({ ...context, trader: heir }, received) : NOT_PLAYED
}

/** Others buy, a block each, before the trader sells. Where the token counts them and looks at the count, as many as it takes are counted. */
function sellAfterCrowd(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, branches }: { held: bigint; amount: bigint; branches: readonly Decision[] },
): SellFacts {
  const { evm } = context.fork
  const traces = Array.from({ length: CROWD }, (_, i) => {
    const storage = createStorageAccessInspector()
    const buyer = createTrader(context.fork, random, `buyer ${i}`, amount)
    buy({ ...context, trader: buyer, watch: () => [storage] }, amount / BigInt(CROWD))
    pass(context.fork, 0)
    return storage.finish()
  })
  const [earlier, later] = traces.slice(-2)
  const counters = earlier && later ? findCounters(earlier, later, branches) : []
  const plain = onBranch(context, () => playSell(context, held))
  const counted = counters.map(({ address, slot, value }) =>
    onBranch(context, () => {
      evm.setStorage(address, slot, value)
      return playSell(context, held)
    }),
  )
  return worst([plain, ...counted])
}

function worst(sells: readonly SellFacts[]): SellFacts {
  const loss = ({ success, taxBps }: SellFacts) => (success ? (taxBps ?? 0) : FULL_BPS + 1)
  return sells.reduce((a, b) => (loss(b) > loss(a) ? b : a))
}

/** Half now, the rest a block later. */
function sellTwice(context: TradeContext, held: bigint): SellFacts {
  if (held < 2n) return NOT_PLAYED
  const first = playSell(context, held / 2n)
  if (!first.success) return first
  pass(context.fork, 0)
  return playSell(context, held - held / 2n)
}

/** The probe could not begin, which says nothing about selling. */
const NOT_PLAYED: SellFacts = {
  success: true,
  taxBps: undefined,
  errorReason: '',
  largestSellableBps: 10_000,
  restIsStuck: false,
  worksDirectly: false,
  ranDry: false,
  waitedSeconds: 0,
}
