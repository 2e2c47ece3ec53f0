import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { isOwnBook } from '../conditions/own-books.js'
import { onBranch } from '../on-branch.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'
import { findTrends, type Trade } from './trends.js'

/**
 * Wallets that buy after our trader: enough for the traps that count buyers, which close early to
 * be of use.
 */
const CROWD = 6

/**
 * Others buy, and then sell, a block each, before the trader sells. Where their trades move what a
 * condition of the sale asks for, it is brought to where the condition changes. Told apart: whether
 * each of the others could sell.
 */
export function sellAmongOthers(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, conditions }: { held: bigint; amount: bigint; conditions: readonly Decision[] },
): ProbeFacts[] {
  const { evm } = context.fork
  const watched = (act: (watch: () => [ReturnType<typeof createStorageAccessInspector>]) => void): Trade => {
    const storage = createStorageAccessInspector()
    const { timestamp, number } = evm.block
    act(() => [storage])
    pass(context.fork, 0)
    return { storage: storage.finish(), timestamp, number }
  }
  const members: { trader: TradeContext['trader']; held: bigint }[] = []
  const purchases = Array.from({ length: CROWD }, (_, i) =>
    watched((watch) => {
      const trader = createTrader(context.fork, random, `buyer ${i}`, amount)
      const bought = buy({ ...context, trader, watch }, amount / BigInt(CROWD))
      if (bought.success && bought.tokenDelta > 0n) members.push({ trader, held: bought.tokenDelta })
    }),
  )
  const plain = onBranch(context, () => playSell(context, held))
  const others = members.map((member) =>
    onBranch(context, () => playSell({ ...context, trader: member.trader }, member.held)),
  )
  const name = 'other-sellers' as const
  const afterPurchases = playTrends(context, held, purchases.slice(-2), conditions)
  const sales = members.slice(0, 2).map((member) => {
    const seller = { ...context, trader: member.trader }
    approve(seller, member.held)
    pass(context.fork, 0)
    return watched((watch) => sell({ ...seller, watch }, member.held))
  })
  const afterSales = playTrends(context, held, sales, conditions)
  return [
    { name: 'crowd', sold: worst([plain, ...afterPurchases, ...afterSales]) },
    ...others.flatMap((sold) => (lossOf(sold) < lossOf(plain) + DIVERGENCE_BPS ? [] : [{ name, sold }])),
  ]
}

function playTrends(
  context: TradeContext,
  held: bigint,
  [earlier, later]: readonly Trade[],
  conditions: readonly Decision[],
): SellFacts[] {
  if (!earlier || !later) return []
  return findTrends(earlier, later, conditions, isOwnBook(context)).map(({ address, slot, value }) =>
    onBranch(context, () => {
      context.fork.evm.setStorage(address, slot, value)
      return playSell(context, held)
    }),
  )
}

/** The sell that loses most. */
export function worst(sells: readonly SellFacts[]): SellFacts {
  const loss = ({ success, taxBps }: SellFacts) => (success ? (taxBps ?? 0) : FULL_BPS + 1)
  return sells.reduce((a, b) => (loss(b) > loss(a) ? b : a))
}
