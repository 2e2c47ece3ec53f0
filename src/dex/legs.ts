import type { Inspector, Log } from '../evm/inspector.js'
import type { Address } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { type SentTransaction, send, type Trader } from '../simulation/trader.js'
import { encodeCall } from './encode-call.js'
import { balanceOf, erc20Abi } from './read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from './tax.js'
import type { Order } from './venue.js'
import type { Market } from './venues.js'

/** One transaction of a trade and what it moved. Amounts are differences of balances, never what the token's logs say. */
export interface Leg {
  sent: SentTransaction
  /** The transaction that an approval needs besides, where the exchange takes tokens through a go-between. */
  permitted?: SentTransaction
  success: boolean
  /** Change of the trader's native balance, without gas. */
  nativeDelta: bigint
  /** Change of the trader's token balance. */
  tokenDelta: bigint
  /** What was lost between the pool's own accounting and the trader's balance; `undefined` where the pool kept no account. */
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

/** Lets the venue take exactly `amount` base units; `undefined` where nobody has to be let. */
export function approve(context: TradeContext, amount: bigint): Leg | undefined {
  const { fork, market, trader } = context
  const { venue, pool } = market
  if (venue.spender === undefined) return undefined
  const data = encodeCall({ abi: erc20Abi, functionName: 'approve', args: [venue.spender, amount] })
  const approved = measure(context, { to: pool.token, data }, () => undefined)
  if (!approved.success || !venue.permit) return approved
  const permitted = send(fork, trader, venue.permit(orderOf(context, amount)), context.watch)
  return { ...approved, permitted, success: permitted.result.status === 'success' }
}

/** Sells `amount` base units for native coin. */
export function sell(context: TradeContext, amount: bigint): Leg {
  const { venue, pool, via } = context.market
  const call = venue.sell(orderOf(context, amount))
  return measure(context, call, ({ tokenDelta, nativeDelta }, logs) => {
    const swap = venue.readSwap(pool, 'sell', logs)
    const last = via ? venue.readSwap(via, 'sell', logs) : swap
    if (!swap || !last) return undefined
    const given = -tokenDelta > amount ? -tokenDelta : amount
    return chainTaxes(taxBps(given, swap.amountIn), taxBps(last.amountOut, nativeDelta))
  })
}

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

function measure(
  { fork, market, trader, watch }: TradeContext,
  call: Parameters<typeof send>[2],
  taxOf: (moved: Moved, logs: readonly Log[]) => number | undefined,
): Leg {
  const { token } = market.pool
  const nativeBefore = fork.evm.account(trader.address).balance
  const tokenBefore = balanceOf(fork, token, trader.address)
  const sent = send(fork, trader, call, watch)
  const tokenAfter = balanceOf(fork, token, trader.address)
  const moved = {
    nativeDelta: fork.evm.account(trader.address).balance - nativeBefore + sent.fee,
    tokenDelta: (tokenAfter ?? 0n) - (tokenBefore ?? 0n),
  }
  const success = sent.result.status === 'success'
  return { sent, success, ...moved, taxBps: success ? taxOf(moved, sent.result.logs) : FULL_BPS }
}
