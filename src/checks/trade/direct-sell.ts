import { parseAbi } from 'viem'
import { encodeCall } from '../../dex/encode-call.js'
import { grantAllowance } from '../../dex/grant-allowance.js'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, erc20Abi, readWord, readWords } from '../../dex/read-contract.js'
import { chainTaxes, FULL_BPS, taxBps } from '../../dex/tax.js'
import type { PoolReserves } from '../../dex/venue.js'
import { type Address, hexToBytes } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { createSeededRandom } from '../../simulation/random.js'
import { isRemote } from '../../simulation/scenario.js'
import { type SentTransaction, send } from '../../simulation/trader.js'
import { failureReason } from './failure-reason.js'

/** A pair of the V2 family, as its own documentation lists the calls. */
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
const tokenAbi = parseAbi(['function transferFrom(address from, address to, uint256 amount) returns (bool)'])
/** No pair of the family keeps more of what comes in than this. */
const FEE_MARGIN_BPS = 100n

/** Who brings the tokens to the pair: a contract that the seller lets, or the seller himself. */
export type Bringer = Address | 'seller'

/** What a sale without the exchange's router came to. */
export interface DirectSale {
  success: boolean
  /** What did not arrive at the pool, or of what it paid at the seller. */
  taxBps: number | undefined
  errorReason: string
}

/**
 * Sells without the exchange's router, as another router would: a contract that the trader lets
 * brings the tokens to the pair, which is then told to pay. Whether that paid out; `undefined`
 * where the pool is no pair of that kind. What it did stays on the fork.
 */
export function sellDirectly(context: TradeContext, amount: bigint): boolean | undefined {
  const sold = sellBroughtBy(context, amount, anotherRouter(context))
  // Half of what arrived would be a tax that makes the way worthless.
  return sold?.success && (sold.taxBps ?? FULL_BPS) <= FULL_BPS / 2
}

/** An address that no contract has met. */
export function anotherRouter({ fork, trader }: TradeContext): Address {
  const helper = createSeededRandom(trader.address).address('another router')
  fork.evm.addStranger(helper)
  return helper
}

/** The same by any bringer, at whose address a contract is placed that does what it is asked. */
export function sellBroughtBy(context: TradeContext, amount: bigint, bringer: Bringer): DirectSale | undefined {
  const { fork, market, trader } = context
  const { address: pair, token, quote } = market.pool
  const before = isRemote(fork) ? undefined : readReserves(context)
  if (!before) return undefined
  const balance = () => balanceOf(fork, token, pair) ?? 0n
  // What lies there besides, because it was sent or has grown.
  const besides = balance() - before.tokenReserve
  const next = () => fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const refused = (errorReason: string): DirectSale => ({ success: false, taxBps: FULL_BPS, errorReason })
  const why = ({ call }: SentTransaction) => failureReason(call, token)

  if (bringer !== 'seller') {
    const { spender } = market.venue
    fork.evm.setCode(bringer, forwarderTo(token, spender ? fork.evm.code(spender) : new Uint8Array()))
    const granted = grantAllowance(fork, trader, { token, spender: bringer, amount })
    if (!granted.success) return refused('the approval is refused')
    next()
  }
  const brought = send(fork, trader, bringing(context, amount, bringer))
  // No router takes a no for a yes; no answer is one (USDT).
  const { status, output } = brought.result
  if (status !== 'success') return refused(why(brought))
  if (output !== '0x' && BigInt(output) !== 1n) return refused('the token says no')
  next()
  const now = readReserves(context)
  if (!now) return refused('the pool is gone')
  const arrived = balance() - now.tokenReserve - (now.tokenReserve === before.tokenReserve ? besides : 0n)
  const counted = (arrived * (BigInt(FULL_BPS) - FEE_MARGIN_BPS)) / BigInt(FULL_BPS)
  // Of a few base units a pair's fee leaves nothing to ask for, which says nothing of the token.
  if (counted <= 0n && arrived > 0n) return { success: true, taxBps: undefined, errorReason: '' }
  if (counted <= 0n) return { success: true, taxBps: FULL_BPS, errorReason: '' }
  const out = (counted * now.quoteReserve) / (now.tokenReserve + counted)
  const args = [token < quote ? 0n : out, token < quote ? out : 0n, trader.address, '0x'] as const
  const had = balanceOf(fork, quote, trader.address) ?? 0n
  const swapped = send(fork, trader, {
    to: pair,
    data: encodeCall({ abi: pairAbi, functionName: 'swap', args }),
  })
  if (swapped.result.status !== 'success') return refused(why(swapped))
  const received = (balanceOf(fork, quote, trader.address) ?? 0n) - had
  return { success: true, taxBps: chainTaxes(taxBps(amount, arrived), taxBps(out, received)), errorReason: '' }
}

function bringing({ market: { pool }, trader }: TradeContext, amount: bigint, bringer: Bringer) {
  if (bringer === 'seller')
    return {
      to: pool.token,
      data: encodeCall({ abi: erc20Abi, functionName: 'transfer', args: [pool.address, amount] }),
    }
  const args = [trader.address, pool.address, amount] as const
  return { to: bringer, data: encodeCall({ abi: tokenAbi, functionName: 'transferFrom', args }) }
}

function readReserves({ fork, market: { pool } }: TradeContext): PoolReserves | undefined {
  const { address: pair, token, quote } = pool
  const isFirst = token < quote
  const [first, second] = readWords(fork, pair, encodeCall({ abi: pairAbi, functionName: 'getReserves' })) ?? []
  const [tokenReserve, quoteReserve] = isFirst ? [first, second] : [second, first]
  const isPair = readWord(fork, pair, pairAbi, 'token0', []) === BigInt(isFirst ? token : quote)
  return isPair && tokenReserve && quoteReserve ? { tokenReserve, quoteReserve } : undefined
}

/**
 * Code that calls `target` with whatever it is called with, and answers what it is answered. The
 * code of a real router stands behind it and never runs: the size of a helper's code would tell it
 * from a router. Without PUSH0, which older blocks do not know.
 */
function forwarderTo(target: Address, router: Uint8Array): Uint8Array {
  const forwarder = hexToBytes(`0x363d3d373d3d363d3d73${target.slice(2)}5af13d600060003e602d573d6000fd5b3d6000f3`)
  return withBehind(forwarder, router)
}

/** The code with another behind it that never runs. */
export function withBehind(code: Uint8Array, behind: Uint8Array): Uint8Array {
  const both = new Uint8Array(code.length + behind.length)
  both.set(code)
  both.set(behind, code.length)
  return both
}
