import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { callData } from '../../dex/read-contract.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { worst } from './crowd.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'

/** Wallets that trade, and after how many of them the sale is tried. */
const WALLETS = 80
const TRIED_AFTER = [20, 50, WALLETS]
/** Every so many wallets one buys much: this part of the pool's depth. */
const LARGE_EVERY = 16
const LARGE_PART = 40n
/** The others buy a small part of what our trader did. */
const SMALL_PART = 20n

/**
 * Sells after many others have approved, bought and sold: for counts, sums and sets whose next
 * values no formula tells. Only where a trade of others writes a word that the sale asks for.
 */
export function sellAfterLongCrowd(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, sold }: { held: bigint; amount: bigint; sold: SellFacts },
): ProbeFacts[] {
  if (!onBranch(context, () => isMovedByOthers(context, random, { held, amount }))) return []
  const sales: SellFacts[] = []
  for (let i = 1; i <= WALLETS; i += 1) {
    tradeAs(
      context,
      random,
      `crowd ${i}`,
      i % LARGE_EVERY === 0 ? context.market.depth / LARGE_PART : amount / SMALL_PART,
      i % 2 === 0,
    )
    if (!TRIED_AFTER.includes(i)) continue
    sales.push(onBranch(context, () => playSell(context, held)))
    if (lossOf(worst(sales)) >= lossOf(sold) + DIVERGENCE_BPS) break
  }
  return [{ name: 'crowd', sold: worst(sales) }]
}

/**
 * Words that the sale reads and a trade of another wallet writes, but for balances and the pool's.
 */
function isMovedByOthers(
  context: TradeContext,
  random: SeededRandom,
  { held, amount }: { held: bigint; amount: bigint },
): boolean {
  const asked = onBranch(context, () =>
    watch(context, (watched) => {
      approve(watched, held)
      pass(context.fork, 0)
      sell(watched, held)
    }),
  )
  const { writes } = watch(context, (watched) =>
    tradeAs(watched, random, 'one of the crowd', amount / SMALL_PART, true),
  )
  const ledger = readLedger(context)
  const isOurs = isCodeOfToken(context)
  return [...writes].some(
    ([address, slots]) =>
      isOurs(address) &&
      [...slots.keys()].some((slot) => asked.reads.get(address)?.has(slot) && !ledger.reads.get(address)?.has(slot)),
  )
}

function watch(context: TradeContext, act: (watched: TradeContext) => void): StorageAccess {
  const storage = createStorageAccessInspector()
  act({ ...context, watch: () => [storage] })
  return storage.finish()
}

const BALANCE_OF = '0x70a08231'

/** What the pool's balance is told from. */
function readLedger({ fork, market: { pool } }: TradeContext): StorageAccess {
  const storage = createStorageAccessInspector()
  fork.evm.read({ to: pool.token, data: callData(BALANCE_OF, [pool.address]) }, [storage])
  return storage.finish()
}

/** Approves as wallets do, buys, and where it `sells`, half of that again. */
function tradeAs(context: TradeContext, random: SeededRandom, name: string, spent: bigint, sells: boolean): void {
  const trader = { ...createTrader(context.fork, random, name, spent), isThrifty: true as const }
  const own = { ...context, trader }
  const bought = buy(own, spent)
  if (!bought.success || bought.tokenDelta <= 0n) return
  approve(own, bought.tokenDelta)
  pass(context.fork, 0)
  if (sells) sell(own, bought.tokenDelta / 2n)
}
