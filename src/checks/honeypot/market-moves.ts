import { smallerOf } from '../../bigints.js'
import { approve, buy, sell, type TradeContext } from '../../dex/legs.js'
import { readWords } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { mark } from '../../simulation/fork-verbs.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { worst } from './crowd.js'
import type { UsualSale } from './explain-sale.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import type { PartialWork } from './partial-work.js'
import { pass } from './pass.js'
import { playHeldSell, playSell } from './play-window.js'

/**
 * Parts of the pool's depth that are bought: the price comes to about twice, and to about ten
 * times, what it was.
 */
const RALLIES = [
  { part: 1n, of: 2n },
  { part: 2n, of: 1n },
] as const
/** Wallets among which a purchase is shared where one may not buy so much. */
const WALLETS = 4n

/**
 * Sells after the market has moved: others have bought so much that the price doubled, and ten
 * times as much; and others who had bought before sold it all. What cannot be bought at once, by
 * reason of a limit, is bought by several.
 */
export function sellAfterMoves(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, sold, asksTime }: UsualSale & { held: bigint; amount: bigint },
  work: PartialWork,
): ProbeFacts[] {
  const { pool, via, depth } = context.market
  if (![pool, ...(via ? [via] : [])].every(({ address }) => keepsReserves(context, address))) return []
  // Prices do more with time only where the token asks for it.
  const withoutMove = asksTime ? onBranch(context, () => sellLater(context, held)) : undefined
  const worstOf: WorseOf = (soon, sellThen) => {
    const later = withoutMove && work.play('circumstances', sellThen)
    return later && lossOf(later) >= lossOf(withoutMove) + DIVERGENCE_BPS ? worst([soon, later]) : soon
  }
  // What one move showed is kept where the bound ends the next.
  const playMove = (move: () => SellFacts | undefined) => work.play('circumstances', () => onBranch(context, move))
  const rallies = RALLIES.map(({ part, of }, i) =>
    playMove(() => {
      const bought = buyTogether(context, random, `rally ${i}`, (depth * part) / of)
      if (bought.length === 0) return undefined
      const sellAtOwnCost = createSaleAtOwnCost(context, sold, bought, work)
      const soon = sellAtOwnCost(() => playSell(context, held))
      return worstOf(soon, () => sellAtOwnCost(() => sellLater(context, held)))
    }),
  )
  const slump = playMove(() => sellAfterSlump(context, random, { amount, spent: depth / 2n }, worstOf))
  return [...rallies.flatMap(named('rally')), ...named('slump')(slump)]
}

/** One part in so many is sold by the first. */
const FIRST_PART = 1_000n

/**
 * Plays a sale, and where it costs more than the usual one, a second after one of the buyers has
 * sold a little: the first to sell also bears the price of what the token kept of a large purchase
 * and sells ahead of him.
 */
function createSaleAtOwnCost(context: TradeContext, usual: SellFacts, [buyer]: readonly Bought[], work: PartialWork) {
  const sellLittle = () => buyer && playSell({ ...context, trader: buyer.trader }, buyer.held / FIRST_PART).success
  return (sellIt: () => SellFacts): SellFacts => {
    const first = onBranch(context, sellIt)
    if (!first.success || lossOf(first) < lossOf(usual) + DIVERGENCE_BPS) return first
    const sellSecond = () => {
      if (!sellLittle()) return undefined
      pass(context.fork, 0)
      return sellIt()
    }
    const second = work.play('circumstances', () => onBranch(context, sellSecond))
    return second && lossOf(second) < lossOf(first) ? second : first
  }
}

/** For what a price does to a sale only with time. */
const DAYS_LATER = 4 * 24 * 3_600_000

function sellLater(context: TradeContext, held: bigint): SellFacts {
  pass(context.fork, DAYS_LATER)
  return playHeldSell(context, held)
}

/**
 * The worse of a sale right after a move and one days later, which counts only where it is worse
 * than it had been then without a move.
 */
type WorseOf = (soon: SellFacts, sellThen: () => SellFacts | undefined) => SellFacts

/** Of the V2 family: `getReserves()`. */
const GET_RESERVES = '0x0902f1ac'

/**
 * Where liquidity lies in ranges, a large purchase runs through all of them to the end of the
 * scale: hundreds of words that no trade has read, for a price that no trade reaches.
 */
function keepsReserves({ fork }: TradeContext, address: Address): boolean {
  return (
    readWords(fork, address, GET_RESERVES)
      ?.slice(0, 2)
      .every((reserve) => reserve > 0n) === true
  )
}

const named = (name: ProbeFacts['name']) => (sold: SellFacts | undefined) => (sold ? [{ name, sold }] : [])

type Bought = { trader: TradeContext['trader']; held: bigint }

function buyTogether(context: TradeContext, random: SeededRandom, name: string, spent: bigint): Bought[] {
  const buyAs = (who: string, share: bigint): Bought[] => {
    const trader = createTrader(context.fork, random, who, share)
    const back = mark(context.fork)
    const leg = buy({ ...context, trader }, share)
    if (!leg.success) back()
    if (!leg.success || leg.tokenDelta <= 0n) return []
    pass(context.fork, 0)
    return [{ trader, held: leg.tokenDelta }]
  }
  const alone = buyAs(name, spent)
  if (alone.length > 0) return alone
  return Array.from({ length: Number(WALLETS) }, (_, i) => buyAs(`${name} ${i}`, spent / WALLETS)).flat()
}

/** Sales of one wallet, each of half as much as the one before that was refused. */
const MAX_SALES = 16

/** Sells all of it, or what is taken of it: a floor for the price is met by parts. */
function sellAsMuchAsGoes(seller: TradeContext, held: bigint): bigint {
  approve(seller, held)
  let [left, part] = [held, held]
  for (let sale = 0; sale < MAX_SALES && left > 0n && part > 0n; sale += 1) {
    pass(seller.fork, 0)
    const back = mark(seller.fork)
    const amount = smallerOf(part, left)
    if (sell(seller, amount).success) left -= amount
    else {
      back()
      part /= 2n
    }
  }
  return held - left
}

/**
 * Another buys much, our trader a little, and the other sells: the price falls to a part of what
 * our trader paid.
 */
function sellAfterSlump(
  context: TradeContext,
  random: SeededRandom,
  { amount, spent }: { amount: bigint; spent: bigint },
  worstOf: WorseOf,
): SellFacts | undefined {
  const others = buyTogether(context, random, 'slump', spent)
  if (others.length === 0) return undefined
  const late = { ...context, trader: createTrader(context.fork, random, 'buyer at the top', amount) }
  const bought = buy(late, amount)
  if (!bought.success || bought.tokenDelta <= 0n) return undefined
  pass(context.fork, 0)
  const sellers = others.map(({ trader, held }) => ({ seller: { ...context, trader }, held }))
  const slump = (): SellFacts | undefined => {
    const isSold = sellers.map(({ seller, held }) => sellAsMuchAsGoes(seller, held) > 0n)
    return isSold.every(Boolean) ? playSell(late, bought.tokenDelta) : undefined
  }
  const soon = onBranch(context, slump)
  if (!soon) return undefined
  return worstOf(soon, () => {
    pass(context.fork, DAYS_LATER)
    // Means of the price are brought up to date by a trade.
    buy({ ...context, trader: createTrader(context.fork, random, 'passer-by', amount) }, amount)
    return slump()
  })
}
