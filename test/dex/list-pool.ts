import {
  encodeAbiParameters,
  encodeFunctionData,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import type {
  AlgebraDeployment,
  SlipstreamDeployment,
  SolidlyDeployment,
  V2Deployment,
  V3Deployment,
  V4Deployment,
} from '../../src/chains/exchanges.js'
import { callData } from '../../src/dex/read-contract.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../src/hex.js'
import type { Stage } from './venue-stage.js'

/** What the issuer puts into a pool. Base units. */
export interface Listing {
  token: Address
  quote: Address
  tokenAmount: bigint
  quoteAmount: bigint
}

/** Opens a pool on an exchange. */
export type ListPool = (stage: Stage, listing: Listing) => Promise<void>

/**
 * Opens a pool on an exchange that takes liquidity as it is sent: create, send, tell. `key` is what
 * the factory wants to know besides the tokens; `names`: the pool is told whose it is.
 */
const listByHand =
  (factory: Address, create: string, find: string, tell: string, key: readonly bigint[], names = false): ListPool =>
  async (stage, { token, quote, tokenAmount, quoteAmount }) => {
    const ask = (signature: string, args: readonly (Address | bigint)[]) =>
      callData(toFunctionSelector(signature), args)
    const zeros = Array.from({ length: create.split(',').length - 2 - key.length }, () => 0n)
    await stage.send({ to: factory, data: ask(create, [token, quote, ...key, ...zeros]) })
    const question = { to: factory, data: ask(find, [token, quote, ...key]) }
    const answer = await stage.devnet.node.call<Hex>('eth_call', question, 'latest')
    const pool: Address = `0x${answer.slice(26)}`
    await stage.send({ to: token, data: ask('transfer(address,uint256)', [pool, tokenAmount]) })
    await stage.send({ to: quote, data: ask('transfer(address,uint256)', [pool, quoteAmount]) })
    await stage.send({ to: pool, data: ask(tell, names ? [stage.issuer] : []) })
  }

const TIER = 2_500n
const TICK_SPACING = 200n
/** Whether on the curve for things of equal worth. */
const VOLATILE = 0n
export const STABLE = 1n

export const listOnPancakeV3 = ({ factory }: V3Deployment) =>
  listByHand(factory, 'createPool(address,address,uint24)', 'getPool(address,address,uint24)', 'provide()', [TIER])

export const listOnSlipstream = ({ factory }: SlipstreamDeployment) =>
  listByHand(factory, 'createPool(address,address,int24,uint160)', 'getPool(address,address,int24)', 'provide()', [
    TICK_SPACING,
  ])

export const listOnAlgebra = ({ factory }: AlgebraDeployment) =>
  listByHand(factory, 'createPool(address,address)', 'poolByPair(address,address)', 'provide()', [])

export const listOnSolidly = ({ factory }: SolidlyDeployment, curve: bigint = VOLATILE) =>
  listByHand(factory, 'createPool(address,address,bool)', 'getPool(address,address,bool)', 'sync()', [curve])

/** The real code trades only with shares about. */
export const listOnRealSolidly = ({ factory }: SolidlyDeployment) =>
  listByHand(
    ...([factory, 'createPool(address,address,bool)', 'getPool(address,address,bool)', 'mint(address)'] as const),
    [VOLATILE],
    true,
  )

export const listOnCamelotV2 = ({ factory }: V2Deployment) =>
  listByHand(factory, 'createPair(address,address)', 'getPair(address,address)', 'sync()', [])

const v2Abi = parseAbi([
  'function addLiquidity(address tokenA, address tokenB, uint256 amountA, uint256 amountB, uint256, uint256, address to, uint256 deadline)',
])

export const listOnV2 =
  ({ router }: V2Deployment): ListPool =>
  async (stage, { token, quote, tokenAmount, quoteAmount }) => {
    await stage.approve(token, router)
    await stage.approve(quote, router)
    const args = [token, quote, tokenAmount, quoteAmount, 0n, 0n, stage.issuer, maxUint256] as const
    await stage.send({ to: router, data: encodeFunctionData({ abi: v2Abi, functionName: 'addLiquidity', args }) })
  }

const v3Abi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable',
  'function getPool(address, address, uint24) view returns (address)',
  'function setFeeProtocol(uint8, uint8)',
])
const FEE = 3_000
/** The widest range of the 0.3 % tier. */
const WIDEST_TICK = 887_220

/**
 * In the 0.3 % tier, over all prices or so many ticks to either side of one for one, with the
 * protocol's share of the fees switched on.
 */
export const listOnV3 =
  ({ factory }: V3Deployment, positionManager: Address, ticks = WIDEST_TICK): ListPool =>
  async (stage, { token, quote, tokenAmount, quoteAmount }) => {
    await stage.approve(token, positionManager)
    await stage.approve(quote, positionManager)
    const [token0, token1] = token < quote ? [token, quote] : [quote, token]
    const [amount0, amount1] = token < quote ? [tokenAmount, quoteAmount] : [quoteAmount, tokenAmount]
    const create = encodeFunctionData({
      abi: v3Abi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, FEE, squareRoot((amount1 << 192n) / amount0)],
    })
    const position = {
      ...{ token0, token1, fee: FEE, tickLower: -ticks, tickUpper: ticks },
      ...{ amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n },
      ...{ recipient: stage.issuer, deadline: maxUint256 },
    }
    await stage.send({ to: positionManager, data: create })
    await stage.send({
      to: positionManager,
      data: encodeFunctionData({ abi: v3Abi, functionName: 'mint', args: [position] }),
    })
    const getPool = encodeFunctionData({ abi: v3Abi, functionName: 'getPool', args: [token0, token1, FEE] })
    const pool = await stage.devnet.node.call<Hex>('eth_call', { to: factory, data: getPool }, 'latest')
    const share = encodeFunctionData({ abi: v3Abi, functionName: 'setFeeProtocol', args: [4, 4] })
    await stage.send({ to: `0x${pool.slice(26)}`, data: share })
  }

const slipstreamAbi = parseAbi([
  'struct Mint { address token0; address token1; int24 tickSpacing; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; uint160 sqrtPriceX96; }',
  'function mint(Mint params) payable',
])
const WIDEST_SLIPSTREAM_TICK = 887_200

/** At the tick spacing of 200, over all prices, by Slipstream's own position manager. */
export const listOnRealSlipstream =
  (positionManager: Address): ListPool =>
  async (stage, { token, quote, tokenAmount, quoteAmount }) => {
    await stage.approve(token, positionManager)
    await stage.approve(quote, positionManager)
    const [token0, token1] = token < quote ? [token, quote] : [quote, token]
    const [amount0, amount1] = token < quote ? [tokenAmount, quoteAmount] : [quoteAmount, tokenAmount]
    const position = {
      ...{ token0, token1, tickSpacing: Number(TICK_SPACING) },
      ...{ tickLower: -WIDEST_SLIPSTREAM_TICK, tickUpper: WIDEST_SLIPSTREAM_TICK },
      ...{ amount0Desired: amount0, amount1Desired: amount1, amount0Min: 0n, amount1Min: 0n },
      ...{ recipient: stage.issuer, deadline: maxUint256, sqrtPriceX96: squareRoot((amount1 << 192n) / amount0) },
    }
    const data = encodeFunctionData({ abi: slipstreamAbi, functionName: 'mint', args: [position] })
    await stage.send({ to: positionManager, data })
  }

const v4Abi = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initializePool(Key key, uint160 sqrtPriceX96) payable',
  'function modifyLiquidities(bytes unlockData, uint256 deadline) payable',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
/** V4's `Actions`: MINT_POSITION, SETTLE_PAIR, SWEEP. */
const MINT_SETTLE_SWEEP = '0x020d14'
const V4_SPACING = 60

/** At 0.3 %, over all prices, against the native coin itself where the wrapped one is asked for. */
export const listOnV4 =
  ({ permit2 }: V4Deployment, positionManager: Address): ListPool =>
  async (stage, { token, quote, tokenAmount, quoteAmount }) => {
    const { send, approve, chain, issuer } = stage
    const currency = quote === chain.wrappedNative ? ZERO_ADDRESS : quote
    for (const each of [token, currency].filter((address) => address !== ZERO_ADDRESS)) {
      await approve(each, permit2)
      const args = [each, positionManager, 2n ** 160n - 1n, 2 ** 48 - 1] as const
      await send({ to: permit2, data: encodeFunctionData({ abi: v4Abi, functionName: 'approve', args }) })
    }
    const isFirst = token < currency
    const [currency0, currency1] = isFirst ? [token, currency] : [currency, token]
    const [amount0, amount1] = isFirst ? [tokenAmount, quoteAmount] : [quoteAmount, tokenAmount]
    const key = { currency0, currency1, fee: FEE, tickSpacing: V4_SPACING, hooks: ZERO_ADDRESS }
    const price = squareRoot((amount1 << 192n) / amount0)
    await send({
      to: positionManager,
      data: encodeFunctionData({ abi: v4Abi, functionName: 'initializePool', args: [key, price] }),
    })
    const mint = encodeAbiParameters(
      parseAbiParameters([
        'Key key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 most0, uint128 most1, address owner, bytes hookData',
        'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
      ]),
      [key, -WIDEST_TICK, WIDEST_TICK, squareRoot(amount0 * amount1), 2n * amount0, 2n * amount1, issuer, '0x'],
    )
    const pair = encodeAbiParameters(parseAbiParameters('address, address'), [currency0, currency1])
    const sweep = encodeAbiParameters(parseAbiParameters('address, address'), [ZERO_ADDRESS, issuer])
    const unlockData = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), [
      MINT_SETTLE_SWEEP,
      [mint, pair, sweep],
    ])
    await send({
      to: positionManager,
      value: currency === ZERO_ADDRESS ? 2n * quoteAmount : 0n,
      data: encodeFunctionData({ abi: v4Abi, functionName: 'modifyLiquidities', args: [unlockData, 2n ** 63n] }),
    })
  }

/** Newton from above. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
