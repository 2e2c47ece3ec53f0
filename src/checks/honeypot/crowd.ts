import { approve, buy, sell, type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf, erc20Abi, readWord } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Inspector } from '../../evm/inspector.js'
import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader } from '../../simulation/trader.js'
import { holds, readBalanceWords, readLedger } from '../conditions/balance-words.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf, slotsIn } from '../conditions/conditions.js'
import { creditConditions } from '../conditions/credit.js'
import { booksOf } from '../conditions/own-books.js'
import { onBranch } from '../on-branch.js'
import type { UsualSale } from './explain-sale.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { findMotions, isCount, type Motion, type Trade, type Turn } from './motions.js'
import type { Traded } from './new-wallet.js'
import { leaveOwnPart } from './own-part.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'
import { createReplay } from './replay-trades.js'

/**
 * Wallets that buy after our trader: enough for the traps that count buyers, which close early to
 * be of use.
 */
export const CROWD = 6

/** Where an address stands in a word, or in its upper part. */

/** What trades of others made of the sale, and which words that it asks for they move. */
export interface Crowd {
  probes: readonly ProbeFacts[]
  motions: readonly Moved[]
  /**
   * A trade of another wrote a word that the sale reads, no balance and none of the exchange, or
   * noted who traded.
   */
  movesSale: boolean
  /** What our trader has, who does not trade, is as much as before. */
  keepsHolding: boolean
}

/** A word that trades move, and what it is called when they move it further. */
export interface Moved extends Motion {
  by: 'crowd' | 'second-sell' | 'open-call'
  /**
   * Has others trade like that, if they are few and no formula tells: whether the word comes to
   * one that `turns`. Steps that were seen twice may be those through a table that ends.
   */
  comesAbout?(context: TradeContext, turn: Turn, turns: (word: bigint) => boolean): boolean
}

/**
 * Others buy, and then approve and sell, or give some away, a block each, before the trader
 * sells. Told apart: whether each of the others could sell.
 */
export function sellAmongOthers(
  context: TradeContext,
  random: SeededRandom,
  { held, amount, observed, ofPurchase, reads }: UsualSale & { held: bigint; amount: bigint },
): Crowd {
  const members: { trader: TradeContext['trader']; held: bigint }[] = []
  const buyAs = (i: number, watch?: TradeContext['watch']) => {
    const trader = createTrader(context.fork, random, `buyer ${i}`, amount)
    const bought = buy({ ...context, trader, ...(watch && { watch }) }, amount / BigInt(CROWD))
    if (bought.success && bought.tokenDelta > 0n) members.push({ trader, held: bought.tokenDelta })
  }
  for (let i = 0; i < CROWD - 2; i += 1) {
    buyAs(i)
    pass(context.fork, 0)
  }
  const purchases = [CROWD - 2, CROWD - 1].map((i) => watchTrade(context, (watch) => buyAs(i, watch)))
  const plain = onBranch(context, () => playSell(context, held))
  const others = members.map((member) =>
    onBranch(context, () => playSell({ ...context, trader: member.trader }, member.held)),
  )
  const approvals: Trade[] = []
  const sales = members.slice(0, 2).map((member) => {
    const seller = { ...context, trader: member.trader }
    const approved = watchTrade(context, (watch) => approve({ ...seller, watch }, member.held))
    approvals.push(approved)
    return watchTrade(context, (watch) => sell({ ...seller, watch }, member.held))
  })
  const pool = readLedger(context, context.market.pool.address)
  const isOurs = isCodeOfToken(context)
  const decided = [...ofPurchase, ...conditionsOf(context, observed), ...creditConditions(context, observed)]
  const slots = slotsIn(decided)
  // A list of those who trade: who comes later may push out who came before.
  const wallets = new Set(members.map(({ trader }) => BigInt(trader.address)))
  const namesMember = (word: bigint) => wallets.has(word & ADDRESS_MASK) || wallets.has(word >> 96n)
  const { isOwn, isOpen, isBalance } = booksOf(context)
  // Entries that several wallets share, as seats told by a hash.
  const shared = slots.filter(isOwn).flatMap(({ address, entry }) => (entry ? [{ address, ...entry }] : []))
  const movesSale = [...purchases, ...sales, ...approvals].some(
    ({ storage, stores }) =>
      [...storage.writes].some(
        ([address, words]) =>
          isOurs(address) &&
          [...words].some(
            ([slot, { after }]) => namesMember(after) || (holds(reads, address, slot) && !holds(pool, address, slot)),
          ),
      ) ||
      stores.some(({ address, entry }) =>
        shared.some((each) => each.address === address && each.place === entry?.place),
      ),
  )
  const gifts = members.slice(2, 4).map((member, i) => {
    const giver = { ...context, trader: member.trader }
    const to = createStranger(context.fork, random, `receiver ${i}`)
    return watchTrade(context, (watch) => transfer({ ...giver, watch }, to, member.held / (GIFT_PART * BigInt(i + 1))))
  })
  const sellOwn = () =>
    onBranch(context, () => {
      // What is held may have grown, as by reflections.
      const all = balanceOf(context.fork, context.market.pool.token, context.trader.address) ?? held
      approve(context, all)
      return { trade: watchTrade(context, (watch) => sell({ ...context, watch }, all)), amount: all }
    })
  const { fork, market } = context
  const supply = readWord(fork, market.pool.token, erc20Abi, 'totalSupply', []) ?? 0n
  const [buyer, seller] = [members.at(-1), members[1]]
  const leave =
    buyer &&
    seller &&
    leaveOwnPart({
      ...{ purchases, sale: sales[1], buyer, seller, sellOwn, isBalance },
      ...{ trader: context.trader.address, supply },
    })
  const traded = Object.entries({ bought: purchases, sold: sales, approved: approvals, given: gifts })
  const motions = traded.flatMap(([how, [earlier, later]]) =>
    earlier && later
      ? findMotions(earlier, later, slots, { isOpen, isOwn }).map((motion): Moved => {
          const comesAbout = createReplay(random, motion, { how: how as Traded, spent: amount / BigInt(CROWD) })
          return { ...(leave?.(motion, [earlier, later]) ?? motion), by: 'crowd', comesAbout }
        })
      : [],
  )
  return {
    movesSale,
    keepsHolding: (balanceOf(context.fork, context.market.pool.token, context.trader.address) ?? 0n) >= held,
    motions,
    probes: [
      { name: 'crowd', sold: plain },
      ...others.flatMap((sold) =>
        lossOf(sold) < lossOf(plain) + DIVERGENCE_BPS ? [] : [{ name: 'other-sellers' as const, sold }],
      ),
    ],
  }
}

/** The part of a holding that the first gives away; the second gives half as much. */
const GIFT_PART = 100n

/** Parts of a holding: two sales of different size, so that counts differ from amounts. */
const SMALL_SALES = [200n, 100n]
/** No wallet sells more often. */
const MOST_SALES = 64

/** The same for counts that the token keeps of the seller: two small sales of his own. */
export function watchOwnSales(context: TradeContext, held: bigint, { observed }: UsualSale): Moved[] {
  const isOurs = isCodeOfToken(context)
  const seller = BigInt(context.trader.address)
  const { address: own } = context.trader
  const [ledger, balances] = [readLedger(context, own), readBalanceWords(context, own)]
  const isBalance = ({ address, slot }: Slot) => holds(balances, address, slot)
  const slots = slotsIn(conditionsOf(context, observed)).filter((word) => {
    const isAllowance = holds(ledger, word.address, word.slot) && !isBalance(word)
    return isOurs(word.address) && word.entry?.key === seller && !isAllowance
  })
  if (slots.length === 0) return []
  const [earlier, later] = SMALL_SALES.map((part) => {
    approve(context, held / part)
    pass(context.fork, 0)
    return watchTrade(context, (watch) => sell({ ...context, watch }, held / part))
  })
  if (!earlier || !later) return []
  const isOpen = (word: Slot) => isBalance(word) || isCount(earlier, later, word)
  return findMotions(earlier, later, slots, { isOpen, isBalance }).map((motion) => ({
    ...motion,
    after: (sales) => (sales <= MOST_SALES ? motion.after(sales) : undefined),
    by: 'second-sell',
  }))
}

/** One trade, with what it wrote; a block passes after it. */
function watchTrade({ fork }: TradeContext, trade: (watch: () => readonly Inspector[]) => void): Trade {
  const [storage, decisions] = [createStorageAccessInspector(), createDecisionsInspector()]
  const { timestamp, number } = fork.evm.block
  trade(() => [storage, decisions])
  pass(fork, 0)
  return { storage: storage.finish(), stores: decisions.finish().stores, timestamp, number }
}

/** The sell that loses most. */
export function worst(sells: readonly SellFacts[]): SellFacts {
  const loss = ({ success, taxBps }: SellFacts) => (success ? (taxBps ?? 0) : FULL_BPS + 1)
  return sells.reduce((a, b) => (loss(b) > loss(a) ? b : a))
}
