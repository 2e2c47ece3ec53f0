import { parseAbi } from 'viem'
import { encodeCall } from '../dex/encode-call.js'
import { grantAllowance } from '../dex/grant-allowance.js'
import type { TradeContext } from '../dex/legs.js'
import { balanceOf, readWord, readWords } from '../dex/read-contract.js'
import { FULL_BPS } from '../dex/tax.js'
import { type Address, hexToBytes } from '../hex.js'
import { nextBlock } from '../simulation/pending-block.js'
import { createSeededRandom } from '../simulation/random.js'
import { isRemote } from '../simulation/scenario.js'
import { send } from '../simulation/trader.js'

/** A pair of the V2 family, as its own documentation lists the calls. */
const pairAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
const tokenAbi = parseAbi(['function transferFrom(address from, address to, uint256 amount) returns (bool)'])
/** No pair of the family keeps more of what comes in than this. */
const FEE_MARGIN_BPS = 100n

/**
 * Sells without the exchange's router, as another router would: a contract that the trader lets
 * brings the tokens to the pair, which is then told to pay. Whether that paid out; `undefined`
 * where the pool is no pair of that kind. What it did stays on the fork.
 */
export function sellDirectly(context: TradeContext, amount: bigint): boolean | undefined {
  const { fork, market, trader } = context
  if (isRemote(fork)) return undefined
  const { address: pair, token, quote } = market.pool
  const reserves = readWords(fork, pair, encodeCall({ abi: pairAbi, functionName: 'getReserves' }))
  const [first, second] = reserves ?? []
  const isFirst = token < quote
  const tokenReserve = isFirst ? first : second
  const quoteReserve = isFirst ? second : first
  if (!tokenReserve || !quoteReserve || readWord(fork, pair, pairAbi, 'token0', []) !== BigInt(isFirst ? token : quote))
    return undefined

  const helper = createSeededRandom(trader.address).address('another router')
  fork.evm.addStranger(helper)
  fork.evm.setCode(
    helper,
    forwarderTo(token, market.venue.spender ? fork.evm.code(market.venue.spender) : new Uint8Array()),
  )
  const next = () => fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  if (!grantAllowance(fork, trader, { token, spender: helper, amount }).success) return false
  next()
  const bring = encodeCall({
    abi: tokenAbi,
    functionName: 'transferFrom',
    args: [trader.address, pair, amount],
  })
  const brought = send(fork, trader, { to: helper, data: bring }).result
  // No router takes a no for a yes; no answer is one (USDT).
  if (brought.status !== 'success' || (brought.output !== '0x' && BigInt(brought.output) !== 1n)) return false
  next()
  const arrived = (balanceOf(fork, token, pair) ?? 0n) - tokenReserve
  const counted = (arrived * (BigInt(FULL_BPS) - FEE_MARGIN_BPS)) / BigInt(FULL_BPS)
  // Half of what arrived would be a tax that makes the way worthless.
  if (arrived < amount / 2n || counted <= 0n) return false
  const out = (counted * quoteReserve) / (tokenReserve + counted)
  const args = [isFirst ? 0n : out, isFirst ? out : 0n, trader.address, '0x'] as const
  const data = encodeCall({ abi: pairAbi, functionName: 'swap', args })
  return send(fork, trader, { to: pair, data }).result.status === 'success'
}

/**
 * Code that calls `target` with whatever it is called with, and answers what it is answered. The
 * code of a real router stands behind it and never runs: the size of a helper's code would tell it
 * from a router.
 */
function forwarderTo(target: Address, router: Uint8Array): Uint8Array {
  const forwarder = hexToBytes(`0x365f5f375f5f365f5f73${target.slice(2)}5af13d5f5f3e602a573d5ffd5b3d5ff3`)
  const code = new Uint8Array(forwarder.length + router.length)
  code.set(forwarder)
  code.set(router, forwarder.length)
  return code
}
