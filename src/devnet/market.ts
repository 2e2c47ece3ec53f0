import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { Address, Hex } from '../hex.js'
import type { DevnetTransaction } from './devnet-ledger.js'
import { isUniswapV3, positionManagerOf } from './place-exchanges.js'

/**
 * Where examples are listed and traded: transactions as a front end would prepare them. All amounts
 * in base units.
 */
export interface Market {
  /** Who is approved to take the tokens of a sell, and those of a listing. */
  router: Address
  lister: Address
  /** Opens a pool. The tokens must be approved to `lister` first. */
  list(from: Address, token: Address, tokenAmount: bigint, nativeAmount: bigint): DevnetTransaction
  buy(from: Address, token: Address, nativeAmount: bigint): DevnetTransaction
  sell(from: Address, token: Address, tokenAmount: bigint): DevnetTransaction
}

const tokenAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
])

export function approve(from: Address, token: Address, spender: Address, amount = maxUint256): DevnetTransaction {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, amount] })
  return { what: 'approve', from, to: token, data, gas: PLAIN_GAS }
}

export function transfer(from: Address, token: Address, to: Address, amount: bigint): DevnetTransaction {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, amount] })
  return { what: 'transfer', from, to: token, data, gas: PLAIN_GAS }
}

/** Blocks reserve the whole limit, so cheap calls say that they are. */
const PLAIN_GAS = 150_000n
const SWAP_GAS = 500_000n
/** Creating a V2 pair takes 2.3 million, creating a V3 pool 4.6 million. */
const V2_LISTING_GAS = 4_000_000n
const V3_LISTING_GAS = 7_000_000n

const v2Abi = parseAbi([
  'function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

/** Trades on the chain's first V2 exchange. */
export function createV2Market({ v2, wrappedNative }: Chain): Market {
  const [exchange] = v2
  if (!exchange) throw new RangeError('The chain has no V2 exchange')
  const { router } = exchange
  const call = (what: string, from: Address, data: Hex, gas: bigint, value = 0n) => ({
    what,
    from,
    to: router,
    data,
    gas,
    value,
  })
  return {
    router,
    lister: router,
    list(from, token, tokenAmount, nativeAmount) {
      const args = [token, tokenAmount, 0n, 0n, from, maxUint256] as const
      const data = encodeFunctionData({ abi: v2Abi, functionName: 'addLiquidityETH', args })
      return call('list on V2', from, data, V2_LISTING_GAS, nativeAmount)
    },
    buy(from, token, nativeAmount) {
      const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens'
      const args = [0n, [wrappedNative, token], from, maxUint256] as const
      return call('buy on V2', from, encodeFunctionData({ abi: v2Abi, functionName, args }), SWAP_GAS, nativeAmount)
    },
    sell(from, token, tokenAmount) {
      const functionName = 'swapExactTokensForETHSupportingFeeOnTransferTokens'
      const args = [tokenAmount, 0n, [token, wrappedNative], from, maxUint256] as const
      return call('sell on V2', from, encodeFunctionData({ abi: v2Abi, functionName, args }), SWAP_GAS)
    },
  }
}

const v3Abi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable',
  'function refundETH() payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable',
])
const swapRouterAbi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
])
/**
 * SwapRouter02 has no deadline in `exactInputSingle` and names itself by address 2 (its
 * `Constants`).
 */
const swapRouter02Abi = parseAbi([
  'struct Params { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Params params) payable returns (uint256 amountOut)',
])
const ROUTER_ITSELF: Address = '0x0000000000000000000000000000000000000000'
const ROUTER_02_ITSELF: Address = '0x0000000000000000000000000000000000000002'

/** The 0.3 % tier, with its tick spacing of 60, and the widest range that this spacing allows. */
const V3_FEE = 3_000
const V3_WIDEST_TICK = 887_220

/**
 * Trades on the chain's first V3 exchange that is Uniswap's, in a pool of the 0.3 % tier over the
 * whole price range.
 */
export function createV3Market(chain: Chain): Market {
  const { v3, wrappedNative } = chain
  const exchange = v3.find(isUniswapV3)
  if (!exchange) throw new RangeError('The chain has no V3 exchange')
  const { router, routerTakesDeadline } = exchange
  const lister = positionManagerOf(exchange)
  const itself = routerTakesDeadline ? ROUTER_ITSELF : ROUTER_02_ITSELF

  const swap = (tokenIn: Address, tokenOut: Address, recipient: Address, amountIn: bigint) => {
    const shared = { tokenIn, tokenOut, fee: V3_FEE, recipient, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
    return routerTakesDeadline
      ? encodeFunctionData({
          abi: swapRouterAbi,
          functionName: 'exactInputSingle',
          args: [{ ...shared, deadline: maxUint256 }],
        })
      : encodeFunctionData({ abi: swapRouter02Abi, functionName: 'exactInputSingle', args: [shared] })
  }
  const multicall = (calls: Hex[]) => encodeFunctionData({ abi: v3Abi, functionName: 'multicall', args: [calls] })

  return {
    router,
    lister,
    list(from, token, tokenAmount, nativeAmount) {
      const tokenIsFirst = token < wrappedNative
      const [token0, token1] = tokenIsFirst ? [token, wrappedNative] : [wrappedNative, token]
      const [amount0, amount1] = tokenIsFirst ? [tokenAmount, nativeAmount] : [nativeAmount, tokenAmount]
      const create = encodeFunctionData({
        abi: v3Abi,
        functionName: 'createAndInitializePoolIfNecessary',
        args: [token0, token1, V3_FEE, squareRootPrice(amount0, amount1)],
      })
      const position = {
        ...{ token0, token1, fee: V3_FEE, tickLower: -V3_WIDEST_TICK, tickUpper: V3_WIDEST_TICK },
        ...{ amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n },
        ...{ recipient: from, deadline: maxUint256 },
      }
      const mint = encodeFunctionData({ abi: v3Abi, functionName: 'mint', args: [position] })
      const refund = encodeFunctionData({ abi: v3Abi, functionName: 'refundETH' })
      const data = multicall([create, mint, refund])
      return { what: 'list on V3', from, to: lister, data, value: nativeAmount, gas: V3_LISTING_GAS }
    },
    buy: (from, token, nativeAmount) => ({
      ...{ what: 'buy on V3', from, to: router, value: nativeAmount, gas: SWAP_GAS },
      data: swap(wrappedNative, token, from, nativeAmount),
    }),
    sell(from, token, tokenAmount) {
      const unwrap = encodeFunctionData({ abi: v3Abi, functionName: 'unwrapWETH9', args: [0n, from] })
      const data = multicall([swap(token, wrappedNative, itself, tokenAmount), unwrap])
      return { what: 'sell on V3', from, to: router, data, gas: SWAP_GAS }
    },
  }
}

/** `sqrt(amount1 / amount0)` as the 64.96 fixed-point number that V3 keeps as the price. */
function squareRootPrice(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0)
}

function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  // Newton from above: falls until it is the floor of the root.
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
