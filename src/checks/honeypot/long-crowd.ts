import { largerOf, smallerOf } from '../../bigints.js'
import { approve, buy, sell, type TradeContext, transfer } from '../../dex/legs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { ranDry } from '../trade/patient-sell.js'
import type { UsualSale } from './explain-sale.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playHeldSell, playSell, toSellFacts } from './play-window.js'

/** Wallets that trade: as many as the gas of their purchases allows, within these. */
const [FEWEST, MOST] = [30n, 80n]
/** What all purchases may cost: more would use up what the analysis may spend. */
const CROWD_GAS = 13_600_000n
/** Two in a row buy much before each try: this part of the pool's depth. */
const LARGE_PART = 25n
/** The others buy a small part of what our trader did. */
const SMALL_PART = 20n

/**
 * Sells after many others have approved, bought and sold: for counts, sums and sets whose next
 * values no formula tells. Worth it where a trade of others writes a word that the sale reads.
 */
export function sellAfterLongCrowd(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, sold, asksTime }: UsualSale & { held: bigint; amount: bigint },
): ProbeFacts[] {
  const isWorse = (now: SellFacts, than: SellFacts) => lossOf(now) >= lossOf(than) + DIVERGENCE_BPS
  const sellNow = () => onBranch(context, () => playSell(context, held))
  const sellLater = () =>
    onBranch(context, () => {
      pass(context.fork, QUIET_MS)
      return playHeldSell(context, held)
    })
  const withoutCrowd = asksTime ? sellLater() : undefined
  const holders: { seller: TradeContext; left: bigint }[] = []
  let sellsGoOn = true
  const gas: bigint[] = []
  const tries = triesFor(gasOfPurchase(context, random, amount / SMALL_PART))
  for (let i = 1; i <= tries[2]; i += 1) {
    const isLarge = tries.some((count) => i === count || i === count - 1)
    const spent = isLarge ? context.market.depth / LARGE_PART : amount / SMALL_PART
    const traded = tradeAs(context, random, `crowd ${i}`, { spent, sells: sellsGoOn && i % 2 === 0 })
    // Sales that need ever more gas would use up what the analysis may spend.
    sellsGoOn &&= !traded.isDry
    const { sale } = traded
    // Each draws a lot where a word that trades move on decides by chance. A large one that fails
    // may have met a limit.
    if (sale && !traded.isDry && !isLarge && isWorse(sale, sold)) return [{ name: 'crowd', sold: sale }]
    if (traded.left > 0n) holders.push(traded)
    if (!tries.some((count) => i === count)) continue
    if (mayGrow(gas)) gas.push(gasOfSale(context, held))
    const now = sellNow()
    if (isWorse(now, sold)) return [{ name: 'crowd', sold: now }]
  }
  const later = withoutCrowd && sellLater()
  if (later && isWorse(later, withoutCrowd)) return [{ name: 'crowd', sold: later }]
  const after = growsWithHolders(gas, tries)
    ? sellAfterGifts(context, random, { held, holders, gas: gas.at(-1) ?? 0n })
    : undefined
  if (after && isWorse(after, sold)) return [{ name: 'crowd', sold: after }]
  // Some go, with all that they have.
  if (sellsGoOn) for (const { seller, left } of holders.slice(-LEAVERS)) sell(seller, left)
  return [{ name: 'crowd', sold: sellNow() }]
}

/** Without a trade, after the crowd. */
const QUIET_MS = 24 * 3_600_000
const LEAVERS = 16

/**
 * Approves as wallets do, buys, and where it `sells`, half of that again; `isDry`: without end;
 * `left`: what it has then; `sale`: what its own came to.
 */
function tradeAs(
  context: TradeContext,
  random: SeededRandom,
  name: string,
  { spent, sells }: { spent: bigint; sells: boolean },
): { isDry: boolean; seller: TradeContext; left: bigint; sale?: SellFacts } {
  const trader = { ...createTrader(context.fork, random, name, spent), isThrifty: true as const }
  const seller = { ...context, trader }
  const { success, tokenDelta: bought } = buy(seller, spent)
  if (!success || bought <= 0n) return { isDry: false, seller, left: 0n }
  approve(seller, bought)
  pass(context.fork, 0)
  if (!sells) return { isDry: false, seller, left: bought }
  const sold = sell(seller, bought / 2n)
  const left = sold.success ? bought - bought / 2n : bought
  return { isDry: ranDry(sold), seller, left, sale: toSellFacts(seller, sold) }
}

/** After how many wallets the sale is tried: a quarter, some more than half, all of them. */
function triesFor(gas: bigint): readonly [number, number, number] {
  const most = Number(smallerOf(largerOf(CROWD_GAS / largerOf(gas, 1n), FEWEST), MOST))
  return [Math.floor(most / 4), Math.floor((5 * most) / 8), most]
}

/** Of one more wallet. */
const gasOfPurchase = (context: TradeContext, random: SeededRandom, spent: bigint): bigint =>
  onBranch(context, () => {
    const trader = createTrader(context.fork, random, 'crowd 0', spent)
    return buy({ ...context, trader }, spent).sent.result.gasUsed
  })

/** Gas for each further wallet: more than what one entry of storage costs to read (EIP-2929). */
const GROWING_GAS = 2_100n

/** Nothing has shown yet that it does not. */
const mayGrow = ([few, some]: readonly bigint[]): boolean =>
  few === undefined || some === undefined || some - few >= GROWING_GAS

/**
 * Whether a sale pays for each wallet that came before: as much more for the later ones as for
 * those before them. What is worked off up to a bound, as dividends are, stops to grow.
 */
function growsWithHolders(
  [few, some, many]: readonly bigint[],
  [first, second, third]: readonly [number, number, number],
): boolean {
  if (few === undefined || some === undefined || many === undefined || few === 0n || many === 0n) return false
  const [early, late] = [(some - few) / BigInt(second - first), (many - some) / BigInt(third - second)]
  return late >= GROWING_GAS && late * 5n >= early * 4n
}

/** Gas of the sale; zero where it does not work. */
const gasOfSale = (context: TradeContext, held: bigint): bigint =>
  onBranch(context, () => {
    if (approve(context, held)?.success === false) return 0n
    pass(context.fork, 0)
    const { success, sent } = sell(context, held)
    return success ? sent.result.gasUsed : 0n
  })

/** Wallets that are given a little each, and after how many of them the sale is tried. */
const GIVEN = [40, 250, 500, 1_000]
/** One part in so many of what the giver holds. */
const GIFT_PART = 10_000n

/** Any holder can make as many wallets holders as he likes, for the gas alone. */
function sellAfterGifts(
  context: TradeContext,
  random: SeededRandom,
  { held, holders, gas }: { held: bigint; holders: readonly { seller: TradeContext; left: bigint }[]; gas: bigint },
): SellFacts | undefined {
  const giver = holders.toSorted((a, b) => (a.left < b.left ? 1 : -1))[0]
  if (giver === undefined || giver.left < GIFT_PART) return undefined
  const { fork } = context
  let sold: SellFacts | undefined
  let given = 0
  for (const count of GIVEN) {
    fork.evm.setBalance(giver.seller.trader.address, RICH)
    for (; given < count; given += 1) {
      const to = createStranger(fork, random, `given ${given}`)
      if (!transfer(giver.seller, to, giver.left / GIFT_PART).success) return sold
    }
    pass(fork, 0)
    sold = onBranch(context, () => playSell(context, held))
    // Who is given tokens may be on no list of those who bought.
    if (!sold.success || gasOfSale(context, held) < gas + GROWING_GAS * BigInt(count / 2)) return sold
  }
  return sold
}

/** Wei: pays for the gas of all gifts. */
const RICH = 10n ** 24n
