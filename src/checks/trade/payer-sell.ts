import { parseAbi } from 'viem'
import { encodeCall } from '../../dex/encode-call.js'
import { grantAllowance } from '../../dex/grant-allowance.js'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from '../../dex/tax.js'
import type { CallFrame } from '../../evm/inspector.js'
import { type Address, hexToBytes } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { isRemote } from '../../simulation/scenario.js'
import { send } from '../../simulation/trader.js'
import { assemble } from '../../state/assemble.js'
import { type DirectSale, withBehind } from './direct-sell.js'
import { failureReason } from './failure-reason.js'

/** A pool that asks for what it is owed when it has paid, as Uniswap V3 and its kin do. */
const poolAbi = parseAbi([
  'function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data)',
])
/** The borders of the price (TickMath), beyond which a swap never goes. */
const LEAST_PRICE = 4_295_128_740n
const MOST_PRICE = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n

/**
 * Sells without the exchange's router in a pool that calls back: a contract at `payer` that the
 * trader lets brings the tokens when the pool asks for them. `undefined` where the pool is none of
 * that kind, or never asked. What it did stays on the fork.
 */
export function sellPaidBy(context: TradeContext, amount: bigint, payer: Address): DirectSale | undefined {
  const { fork, market, trader } = context
  const { venue, pool } = market
  const { address, token, quote } = pool
  if (isRemote(fork)) return undefined
  const { spender } = venue
  const code = hexToBytes(payerOf(address, token, trader.address))
  fork.evm.setCode(payer, withBehind(code, spender ? fork.evm.code(spender) : new Uint8Array()))
  const granted = grantAllowance(fork, trader, { token, spender: payer, amount })
  if (!granted.success) return undefined
  fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const isFirst = token < quote
  const args = [trader.address, isFirst, amount, isFirst ? LEAST_PRICE : MOST_PRICE, '0x'] as const
  const had = balanceOf(fork, quote, trader.address) ?? 0n
  const { result, call } = send(fork, trader, {
    to: payer,
    data: encodeCall({ abi: poolAbi, functionName: 'swap', args }),
  })
  if (result.status !== 'success') {
    if (!wasAsked(call, payer, token)) return undefined
    return { success: false, taxBps: FULL_BPS, errorReason: failureReason(call, token) }
  }
  const swap = venue.readSwap(pool, 'sell', result.logs)
  if (!swap) return undefined
  const received = (balanceOf(fork, quote, trader.address) ?? 0n) - had
  return {
    success: true,
    taxBps: chainTaxes(taxBps(amount, swap.amountIn), taxBps(swap.amountOut, received)),
    errorReason: '',
  }
}

/** Whether the payer came to bring the tokens. Bounded by the engine's frame limit. */
function wasAsked(top: CallFrame, payer: Address, token: Address): boolean {
  const open = [top]
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (frame.from === payer && frame.to === token) return true
    open.push(...(frame.calls ?? []))
  }
  return false
}

/**
 * Asks the pool whatever it is asked itself; asked by the pool, it has the token bring what the
 * first two words of the call say, whichever is not negative.
 */
const payerOf = (pool: Address, token: Address, seller: Address) =>
  assemble(`
    CALLER ${pool} EQ @pay JUMPI
    CALLDATASIZE 0x0 0x0 #37
    0x0 0x0 CALLDATASIZE 0x0 0x0 ${pool} GAS CALL
    ISZERO @fail JUMPI STOP
    pay:
    0x4 CALLDATALOAD DUP1 0xff SHR ISZERO @bring JUMPI
    POP 0x24 CALLDATALOAD
    bring:
    ${TRANSFER_FROM} 0x0 MSTORE
    ${seller} 0x4 MSTORE
    ${pool} 0x24 MSTORE
    0x44 MSTORE
    0x0 0x0 0x64 0x0 0x0 ${token} GAS CALL
    ISZERO @fail JUMPI STOP
    fail: RETURNDATASIZE 0x0 0x0 #3e RETURNDATASIZE 0x0 #fd
  `)

/** `transferFrom(address,address,uint256)`, at the beginning of a word. */
const TRANSFER_FROM = `0x23b872dd${'00'.repeat(28)}`
