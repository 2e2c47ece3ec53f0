import type { Inspector, Log } from '../evm/inspector.js'
import type { Address } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { type SentTransaction, send, type Trader } from '../simulation/trader.js'
import { encodeCall } from './encode-call.js'
import { type Grant, grantAllowance } from './grant-allowance.js'
import { balanceOf, erc20Abi } from './read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from './tax.js'
import type { Order } from './venue.js'
import type { Market } from './venues.js'

/**
 * One transaction of a trade and what it moved. Amounts are differences of balances, never what the
 * token's logs say.
 */
export interface Leg {
  /** The one that decided: the last. */
  sent: SentTransaction
  /** Those that an approval takes besides, in their order. */
  before?: readonly SentTransaction[]
  success: boolean
  /** An approval of more than was asked for, where the token took no other. */
  isUnlimited?: boolean
  /** Change of the trader's native balance, without gas. */
  nativeDelta: bigint
  /** Change of the trader's token balance. */
  tokenDelta: bigint
  /**
   * What was lost between the pool's own accounting and the trader's balance; `undefined` where the
   * pool kept no account.
   */
  taxBps: number | undefined
}

export interface TradeContext {
  fork: Fork
  market: Market
  trader: Trader
  /** Makes the inspectors that watch each transaction. */
  watch?: () => readonly Inspector[]
}

/** Spends `amountIn` wei. */
export function buy(context: TradeContext, amountIn: bigint): Leg {
  const { venue, pool } = context.market
  const call = venue.buy(orderOf(context, amountIn))
  return measure(context, call, ({ tokenDelta }, logs) => {
    const swap = venue.readSwap(pool, 'buy', logs)
    return swap && taxBps(swap.amountOut, tokenDelta)
  })
}

/** What an approval comes to for those who only want to sell. */
export type Approval = Pick<Leg, 'sent' | 'success'>

/** Lets the venue take `amount` base units; `undefined` where nothing has to be done for it. */
export function approve(context: TradeContext, amount: bigint): Approval | undefined {
  const sent = grant(context, amount)?.sent.at(-1)
  return sent && { sent, success: sent.result.status === 'success' }
}

/** The same with what it moved, which an honest approval does not. */
export function measureApproval(context: TradeContext, amount: bigint): Leg | undefined {
  let isUnlimited = false
  const leg = measureAll(context, () => {
    const granted = grant(context, amount)
    isUnlimited = granted?.isUnlimited === true
    return granted?.sent ?? []
  })
  return leg && isUnlimited ? { ...leg, isUnlimited } : leg
}

/** Its transactions, in their order; `undefined` where the venue takes tokens without. */
function grant(context: TradeContext, amount: bigint): Pick<Grant, 'sent' | 'isUnlimited'> | undefined {
  const { fork, market, trader, watch } = context
  const { token } = market.pool
  const { spender, permit } = market.venue
  if (spender === undefined) return undefined
  const granted = grantAllowance(fork, trader, { token, spender, amount }, watch)
  if (!granted.success || !permit) return granted
  const deadline = fork.evm.block.timestamp + PERMIT_SECONDS
  const permitted = send(fork, trader, permit({ ...orderOf(context, amount), deadline }), watch)
  return { ...granted, sent: [...granted.sent, permitted] }
}

/**
 * How long Uniswap's interface lets Permit2 hand out tokens (`PERMIT_EXPIRATION`): thirty days, so
 * that who waits can still sell.
 */
const PERMIT_SECONDS = 2_592_000n

/** Sells `amount` base units for native coin. */
export function sell(context: TradeContext, amount: bigint): Leg {
  const { venue, pool, via } = context.market
  const call = venue.sell(orderOf(context, amount))
  const { fork } = context
  const before = venue.curve(fork, pool)
  return measure(context, call, ({ tokenDelta, nativeDelta }, logs) => {
    const swap = venue.readSwap(pool, 'sell', logs)
    const last = via ? venue.readSwap(via, 'sell', logs) : swap
    if (!swap || !last) return undefined
    const given = -tokenDelta > amount ? -tokenDelta : amount
    const kept = chainTaxes(taxBps(given, swap.amountIn), taxBps(last.amountOut, nativeDelta))
    // What ticks with other liquidity paid cannot be told from what the price lost.
    const isOne = before?.liquidity === undefined || venue.curve(fork, pool)?.liquidity === before.liquidity
    return before && isOne ? chainTaxes(kept, spoiltBps(before.offers(swap.amountIn), swap.amountOut)) : kept
  })
}

/**
 * What the price lost before the pool swapped: a token that mints to the pool, or sells ahead of
 * its holder, keeps nothing back and pays little. Below a fifth it is the pool's fee, or a
 * swap-back of collected taxes, which no seller is charged with.
 */
function spoiltBps(offered: bigint, paid: bigint): number {
  const lost = taxBps(offered, paid) ?? 0
  return lost < LEAST_SPOILT_BPS ? 0 : lost
}

const LEAST_SPOILT_BPS = 2_000

/** What a purchase cost, and what of it was kept back. */
export type Bought = Pick<Leg, 'nativeDelta' | 'tokenDelta' | 'taxBps'>

/**
 * What a sale of all that a purchase brought is taxed. A pool pays back what it was paid, less its
 * fees, whatever its curve: what else is missing was spoilt on the way, by the purchase, by the
 * approval, or by a contract that the pool tells of its trades.
 */
export function taxOfTrip({ nativeDelta: spent, tokenDelta, taxBps: bought }: Bought, sold: Leg): number | undefined {
  if (tokenDelta < LEAST_UNITS) return sold.taxBps
  const paid = -spent
  if (!sold.success || sold.taxBps === undefined || bought === undefined || paid < LEAST_TRIP) return sold.taxBps
  const full = BigInt(FULL_BPS)
  const due = (paid * BigInt(FULL_BPS - bought) * BigInt(FULL_BPS - sold.taxBps)) / (full * full)
  return chainTaxes(sold.taxBps, spoiltBps(due, sold.nativeDelta))
}

/** Wei: of less, rounding is too large a part. */
const LEAST_TRIP = 1_000_000n
/** Base units, for the same reason: a pool gives whole ones, and keeps what is over. */
const LEAST_UNITS = 100n

/** Hands `amount` base units to another person; the tax is what did not arrive. */
export function transfer(context: TradeContext, to: Address, amount: bigint): Leg {
  const { fork, market } = context
  const { token } = market.pool
  const data = encodeCall({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  const before = balanceOf(fork, token, to)
  return measure(context, { to: token, data }, () => {
    const after = balanceOf(fork, token, to)
    return before === undefined || after === undefined ? undefined : taxBps(amount, after - before)
  })
}

/** Front ends give a trade some minutes. */
const DEADLINE_SECONDS = 1_200n

function orderOf({ fork, market: { pool, via }, trader }: TradeContext, amountIn: bigint): Order {
  const deadline = fork.evm.block.timestamp + DEADLINE_SECONDS
  return { pool, ...(via && { via }), trader: trader.address, amountIn, deadline }
}

type Moved = Pick<Leg, 'nativeDelta' | 'tokenDelta'>
type TaxOf = (moved: Moved, logs: readonly Log[]) => number | undefined

function measure(context: TradeContext, call: Parameters<typeof send>[2], taxOf: TaxOf): Leg {
  const { fork, trader, watch } = context
  return measureAll(context, () => [send(fork, trader, call, watch)], taxOf) as Leg
}

/** `undefined` where `act` sends nothing. */
function measureAll(
  { fork, market, trader }: TradeContext,
  act: () => readonly SentTransaction[],
  taxOf: TaxOf = () => undefined,
): Leg | undefined {
  const { token } = market.pool
  const nativeBefore = fork.evm.account(trader.address).balance
  const tokenBefore = balanceOf(fork, token, trader.address)
  const all = act()
  const [sent, before] = [all.at(-1), all.slice(0, -1)]
  if (sent === undefined) return undefined
  const fees = all.reduce((sum, { fee }) => sum + fee, 0n)
  const tokenAfter = balanceOf(fork, token, trader.address)
  const moved = {
    nativeDelta: fork.evm.account(trader.address).balance - nativeBefore + fees,
    tokenDelta: (tokenAfter ?? 0n) - (tokenBefore ?? 0n),
  }
  const success = sent.result.status === 'success'
  const tax = success ? taxOf(moved, sent.result.logs) : FULL_BPS
  return { sent, ...(before.length > 0 && { before }), success, ...moved, taxBps: tax }
}
