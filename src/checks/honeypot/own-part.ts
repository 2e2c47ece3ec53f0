import type { Slot, Term } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { type Motion, stepOf, type Trade } from './motions.js'
import { givenBy, type Holdings, heldByOthers, holdingsOf, holdingsWith, mappingsOf } from './totals.js'

interface Traded {
  /** Two in a row, the later one by `buyer`. */
  purchases: readonly Trade[]
  /** Of all that `seller` had bought. */
  sale: Trade | undefined
  buyer: { held: bigint }
  seller: { held: bigint }
  trader: Address
  /** Has the trader sell all that he holds, which is the amount. */
  sellOwn(): { trade: Trade; amount: bigint }
  /** Base units that the token says there are. */
  supply: bigint
  isBalance(leaf: Pick<Slot, 'address' | 'slot'>): boolean
}

/** What rounds and melts between two trades: so much more may a sale take than was brought. */
const ROUNDING_PERCENT = 2n

/**
 * Keeps the trader's own part in a sum of holdings, or a count of holders: others who leave take
 * out what they brought in, and no more. A budget that sales use up is no such sum: purchases
 * bring less into it than sales take. What burns with the holdings is one whatever purchases do.
 * What an account collects of the trades is no more than others leave of the supply.
 * `trades` are those that the motion was seen in.
 */
export function leaveOwnPart(traded: Traded): (motion: Motion, trades: readonly Trade[]) => Motion {
  let own: { trade: Trade; amount: bigint } | undefined
  const sale = () => {
    own ??= traded.sellOwn()
    return own.trade
  }
  const heldByOthersIn = (holdings: Holdings) => (condition: Term) => heldByOthers(traded.trader, condition, holdings)
  return (motion, trades) => {
    const total = holdingsOf(motion, trades, traded.isBalance)
    if (total || isSum(traded, motion)) {
      const part = total ? givenBy(traded.trader, sale(), total) : -stepOf(sale(), motion)
      if (part <= 0n) return motion
      // Fees of trades that precede it move a share by a little.
      const least = part + part / 1_000n
      const others = total ? heldByOthersIn(total) : () => 0n
      return { ...motion, least: (condition) => least + others(condition) }
    }
    const holdings = holdingsWith(motion, trades, mappingsOf(sale(), traded.isBalance))
    const amount = own?.amount ?? 0n
    if (!holdings || amount === 0n) return motion
    const part = givenBy(traded.trader, sale(), holdings)
    const all = (traded.supply * part) / amount
    const others = heldByOthersIn(holdings)
    return { ...motion, most: (condition) => all - part - others(condition) }
  }
}

function isSum({ purchases, sale, buyer, seller }: Traded, motion: Motion): boolean {
  const [earlier = 0n, brought = 0n] = purchases.map((each) => stepOf(each, motion))
  const taken = -stepOf(sale, motion)
  if (brought <= 0n || taken <= 0n) return false
  if (earlier === brought) return taken <= brought
  return taken * buyer.held * 100n <= brought * seller.held * (100n + ROUNDING_PERCENT)
}
