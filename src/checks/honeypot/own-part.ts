import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { type Motion, stepOf, type Trade } from './motions.js'
import { givenBy, heldByOthers, holdingsOf } from './totals.js'

interface Traded {
  /** Two in a row, the later one by `buyer`. */
  purchases: readonly Trade[]
  /** Of all that `seller` had bought. */
  sale: Trade | undefined
  buyer: { held: bigint }
  seller: { held: bigint }
  trader: Address
  /** Has the trader sell all that he holds. */
  sellOwn(): Trade
  isBalance(leaf: Pick<Slot, 'address' | 'slot'>): boolean
}

/** What rounds and melts between two trades: so much more may a sale take than was brought. */
const ROUNDING_PERCENT = 2n

/**
 * Keeps the trader's own part in a sum of holdings, or a count of holders: others who leave take
 * out what they brought in, and no more. A budget that sales use up is no such sum: purchases
 * bring less into it than sales take. What burns with the holdings is one whatever purchases do.
 * `trades` are those that the motion was seen in.
 */
export function leaveOwnPart(traded: Traded): (motion: Motion, trades: readonly Trade[]) => Motion {
  let sale: Trade | undefined
  return (motion, trades) => {
    const holdings = holdingsOf(motion, trades, traded.isBalance)
    if (!holdings && !isSum(traded, motion)) return motion
    sale ??= traded.sellOwn()
    const own = holdings ? givenBy(traded.trader, sale, holdings) : -stepOf(sale, motion)
    if (own <= 0n) return motion
    // Fees of trades that precede it move a share by a little.
    const least = own + own / 1_000n
    if (!holdings) return { ...motion, least: () => least }
    return { ...motion, least: (condition) => least + heldByOthers(traded.trader, condition, holdings) }
  }
}

function isSum({ purchases, sale, buyer, seller }: Traded, motion: Motion): boolean {
  const [earlier = 0n, brought = 0n] = purchases.map((each) => stepOf(each, motion))
  const taken = -stepOf(sale, motion)
  if (brought <= 0n || taken <= 0n) return false
  if (earlier === brought) return taken <= brought
  return taken * buyer.held * 100n <= brought * seller.held * (100n + ROUNDING_PERCENT)
}
