import { concatHex, encodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from 'viem'
import type { Chain, V4Deployment } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import { type Address, ZERO_ADDRESS } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { mappingSlot } from './mapping-slot.js'
import { readPoolKey, type V4PoolKey, v4PoolId } from './v4-pool-key.js'
import type { Order, Pool, PoolReserves, PoolSwap, Venue } from './venue.js'

const routerAbi = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline) payable'])
const permit2Abi = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)'])

/** UniversalRouter's `Commands`. */
const WRAP_ETH = '0x0b'
const UNWRAP_WETH = '0x0c'
const V4_SWAP = '0x10'
/** V4's `Actions`. */
const SWAP_EXACT_IN_SINGLE = '0x06'
const SWAP_EXACT_IN = '0x07'
const SETTLE = '0x0b'
const SETTLE_ALL = '0x0c'
const TAKE = '0x0e'
const TAKE_ALL = '0x0f'
/** V4's `ActionConstants`. */
const ADDRESS_THIS: Address = '0x0000000000000000000000000000000000000002'
const OPEN_DELTA = 0n

/** `Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160, uint128, int24, uint24)` */
const SWAP_TOPIC = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f'

/**
 * Uniswap V4: pools are entries of one contract. Found are those without hooks at the usual fees, against the native coin itself as well as
 * wrapped; a pool with hooks, or at another fee, has a key that nobody can guess, and is found when it is named.
 */
export function createUniswapV4(chain: Chain, deployment: V4Deployment): Venue {
  const { name, poolManager, positionManager, router, permit2, tiers } = deployment
  const guessPools = (token: Address, quotes: readonly Address[]) =>
    quotes.flatMap((quote) =>
      (quote === chain.wrappedNative ? [ZERO_ADDRESS, quote] : [quote]).flatMap((currency) =>
        tiers.map(({ fee }): Pool => {
          const pool = { venue: name, address: poolManager, token, quote: currency, quoteReserve: 0n, tokenReserve: 0n }
          return { ...pool, tier: fee, id: v4PoolId(keyOf(deployment, { token, quote: currency, tier: fee })) }
        }),
      ),
    )
  const execute = (commands: readonly [command: Hex, input: Hex][], value: bigint, deadline: bigint) => ({
    to: router,
    value,
    data: encodeCall({
      abi: routerAbi,
      functionName: 'execute',
      args: [concatHex(commands.map(([command]) => command)), commands.map(([, input]) => input), deadline],
    }),
  })

  return {
    name,
    spender: permit2,
    permit: ({ pool, amountIn, deadline }) => ({
      to: permit2,
      value: 0n,
      data: encodeCall({
        abi: permit2Abi,
        functionName: 'approve',
        args: [pool.token, router, atMost(160, amountIn), Number(atMost(48, deadline))],
      }),
    }),
    guessPools,
    findPools: (fork, token, quotes) =>
      guessPools(token, quotes).flatMap((pool) => {
        const reserves = readReserves(fork, pool, keyOf(deployment, pool).tickSpacing)
        return reserves ? [{ ...pool, ...reserves }] : []
      }),
    findNamed: (fork, token, names) =>
      names.flatMap((named) => {
        const key = typeof named === 'string' ? readPoolKey(fork, positionManager, named) : named
        const pool = key && toPool(key)
        if (!pool || pool.token !== token) return []
        const reserves = readReserves(fork, pool, key.tickSpacing)
        return reserves ? [{ ...pool, ...reserves }] : []

        function toPool({ currency0, currency1, fee, tickSpacing, hooks }: V4PoolKey): Pool {
          const quote = currency0 === token ? currency1 : currency0
          const pool = { venue: name, address: poolManager, token: currency0 === token ? currency0 : currency1, quote }
          const id = v4PoolId({ currency0, currency1, fee, tickSpacing, hooks })
          return { ...pool, tier: fee, tickSpacing, hooks, id, quoteReserve: 0n, tokenReserve: 0n }
        }
      }),
    probes: ({ address, id = '0x' }) => [
      { kind: 'account', address },
      ...[PRICE_OFFSET, LIQUIDITY_OFFSET].map(
        (offset) => ({ kind: 'storage', address, slot: stateSlot(id) + offset }) as const,
      ),
    ],
    seeds: ({ address, token, id = '0x' }) => [
      ...[router, permit2, token].map((each) => ({ kind: 'account', address: each }) as const),
      ...GROWTH_OFFSETS.map((offset) => ({ kind: 'storage', address, slot: stateSlot(id) + offset }) as const),
    ],
    buy(order) {
      const { amountIn, deadline, pool, via } = order
      const coin = (via ?? pool).quote
      const swap = encodeSwap(deployment, order, 'buy')
      if (coin === ZERO_ADDRESS)
        return execute(
          [[V4_SWAP, encodeActions([swap, settleAll(coin, amountIn), takeAll(pool.token)])]],
          amountIn,
          deadline,
        )
      const wrap = encodeAbiParameters(RECIPIENT_AND_AMOUNT, [ADDRESS_THIS, amountIn])
      const settle = encodeAbiParameters(CURRENCY_AMOUNT_AND_PAYER, [coin, amountIn, false])
      const trade = encodeActions([[SETTLE, settle], swap, takeAll(pool.token)])
      return execute(
        [
          [WRAP_ETH, wrap],
          [V4_SWAP, trade],
        ],
        amountIn,
        deadline,
      )
    },
    sell(order) {
      const { amountIn, deadline, pool, via, trader } = order
      const coin = (via ?? pool).quote
      const swap = encodeSwap(deployment, order, 'sell')
      const settle = settleAll(pool.token, amountIn)
      if (coin === ZERO_ADDRESS) return execute([[V4_SWAP, encodeActions([swap, settle, takeAll(coin)])]], 0n, deadline)
      const take = encodeAbiParameters(CURRENCY_RECIPIENT_AND_AMOUNT, [coin, ADDRESS_THIS, OPEN_DELTA])
      const unwrap = encodeAbiParameters(RECIPIENT_AND_AMOUNT, [trader, 0n])
      return execute(
        [
          [V4_SWAP, encodeActions([swap, settle, [TAKE, take]])],
          [UNWRAP_WETH, unwrap],
        ],
        0n,
        deadline,
      )
    },
    readSwap: readV4Swap,
  }
}

function keyOf(
  { tiers }: V4Deployment,
  { token, quote, tier: fee = 0, ...odd }: Pick<Pool, 'token' | 'quote' | 'tier' | 'tickSpacing' | 'hooks'>,
): V4PoolKey {
  const [currency0, currency1] = sortTokens(token, quote)
  const tickSpacing = odd.tickSpacing ?? tiers.find((tier) => tier.fee === fee)?.tickSpacing ?? 0
  return { currency0, currency1, fee, tickSpacing, hooks: odd.hooks ?? ZERO_ADDRESS }
}

/** What a token says that somebody has may be more than V4 can count. */
const atMost = (bits: number, value: bigint) => (value >> BigInt(bits) === 0n ? value : 2n ** BigInt(bits) - 1n)

/*
 * PoolManager keeps `pools[id]` at 6 (V4's StateLibrary): price with tick 0, growth of fees 1 and 2, liquidity 3, the bitmap of ticks 5.
 */
const POOLS_SLOT = 6n
const PRICE_OFFSET = 0n
const GROWTH_OFFSETS = [1n, 2n]
const LIQUIDITY_OFFSET = 3n
const TICK_BITMAP_OFFSET = 5n
const stateSlot = (id: Hex) => mappingSlot(POOLS_SLOT, id)

const PRICE_BITS = 160
const TICK_BITS = 24
/** Prices at ticks are needed for a comparison of depths: this many binary digits of them. */
const FRACTION_BITS = 48

/**
 * What the pool could pay out before its liquidity changes for the first time, as far as some words of the bitmap show: all pools share one
 * balance, so there is no other bound to what a narrow position pretends.
 */
function readReserves(fork: Fork, pool: Pool, tickSpacing: number): PoolReserves | undefined {
  const { address, token, quote, id = '0x' } = pool
  const slot = stateSlot(id)
  const liquidity = BigInt.asUintN(128, fork.evm.storage(address, slot + LIQUIDITY_OFFSET))
  const state = fork.evm.storage(address, slot + PRICE_OFFSET)
  const sqrtPriceX96 = BigInt.asUintN(PRICE_BITS, state)
  if (liquidity === 0n || sqrtPriceX96 === 0n) return undefined
  const tokenIsFirst = token < quote
  const tick = Number(BigInt.asIntN(TICK_BITS, state >> BigInt(PRICE_BITS)))
  const ticks = ticksUntilChange(fork, pool, Math.floor(tick / tickSpacing), tokenIsFirst ? -1 : 1) * tickSpacing
  const share = BigInt(Math.floor((1 - TICK_BASE ** (-ticks / 2)) * 2 ** FRACTION_BITS))
  const virtual = tokenIsFirst ? (liquidity * sqrtPriceX96) >> 96n : (liquidity << 96n) / sqrtPriceX96
  const quoteReserve = (virtual * share) >> BigInt(FRACTION_BITS)
  const square = sqrtPriceX96 * sqrtPriceX96
  const tokenReserve = tokenIsFirst ? (quoteReserve << 192n) / square : (quoteReserve * square) >> 192n
  return quoteReserve > 0n && tokenReserve > 0n ? { quoteReserve, tokenReserve } : undefined
}

/** A tick is this much of a price. */
const TICK_BASE = 1.0001
const WORD_BITS = 256
/** At the spacing of the 0.3 % tier these cover nine tenths of what liquidity over all prices would pay. */
const BITMAP_WORDS = 4

/** How many ticks, counted in spacings from `compressed`, liquidity stays as it is when the price falls (-1) or rises (1). */
function ticksUntilChange({ evm }: Fork, { address, id = '0x' }: Pool, compressed: number, step: -1 | 1): number {
  const bitmapSlot = stateSlot(id) + TICK_BITMAP_OFFSET
  const firstWord = compressed >> 8
  const words = Array.from({ length: BITMAP_WORDS }, (_, i) => {
    const position = BigInt.asUintN(WORD_BITS, BigInt(firstWord + i * step))
    return evm.storage(address, mappingSlot(bitmapSlot, position))
  })
  const isUsed = (at: number) => ((words[Math.abs((at >> 8) - firstWord)] ?? 0n) >> BigInt(at & (WORD_BITS - 1))) & 1n
  let at = step === 1 ? compressed + 1 : compressed
  while (Math.abs((at >> 8) - firstWord) < BITMAP_WORDS && !isUsed(at)) at += step
  return Math.abs(at - compressed)
}

type Action = [action: Hex, params: Hex]

const ACTIONS = parseAbiParameters('bytes actions, bytes[] params')
const CURRENCY_AND_AMOUNT = parseAbiParameters('address currency, uint256 amount')
const RECIPIENT_AND_AMOUNT = parseAbiParameters('address recipient, uint256 amount')
const CURRENCY_AMOUNT_AND_PAYER = parseAbiParameters('address currency, uint256 amount, bool payerIsUser')
const CURRENCY_RECIPIENT_AND_AMOUNT = parseAbiParameters('address currency, address recipient, uint256 amount')
const EXACT_IN_SINGLE = parseAbiParameters([
  'Single params',
  'struct Single { Key poolKey; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; bytes hookData; }',
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
])
const EXACT_IN = parseAbiParameters([
  'Along params',
  'struct Along { address currencyIn; Hop[] path; uint128 amountIn; uint128 amountOutMinimum; }',
  'struct Hop { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }',
])

const encodeActions = (actions: readonly Action[]) =>
  encodeAbiParameters(ACTIONS, [concatHex(actions.map(([action]) => action)), actions.map(([, params]) => params)])
const settleAll = (currency: Address, most: bigint): Action => [
  SETTLE_ALL,
  encodeAbiParameters(CURRENCY_AND_AMOUNT, [currency, most]),
]
const takeAll = (currency: Address): Action => [TAKE_ALL, encodeAbiParameters(CURRENCY_AND_AMOUNT, [currency, 0n])]

function encodeSwap(deployment: V4Deployment, { pool, via, amountIn }: Order, direction: 'buy' | 'sell'): Action {
  const terms = { amountIn: atMost(128, amountIn), amountOutMinimum: 0n }
  if (!via) {
    const poolKey = keyOf(deployment, pool)
    const zeroForOne = poolKey.currency0 === (direction === 'buy' ? pool.quote : pool.token)
    return [
      SWAP_EXACT_IN_SINGLE,
      encodeAbiParameters(EXACT_IN_SINGLE, [{ poolKey, zeroForOne, ...terms, hookData: '0x' }]),
    ]
  }
  const hop = (intermediateCurrency: Address, each: Pool) => {
    const { fee, tickSpacing, hooks } = keyOf(deployment, each)
    return { intermediateCurrency, fee, tickSpacing, hooks, hookData: '0x' } as const
  }
  const [currencyIn, path] =
    direction === 'buy'
      ? [via.quote, [hop(via.token, via), hop(pool.token, pool)]]
      : [pool.token, [hop(pool.quote, pool), hop(via.quote, via)]]
  return [SWAP_EXACT_IN, encodeAbiParameters(EXACT_IN, [{ currencyIn, path, ...terms }])]
}

const WORD_DIGITS = 64

/** The amounts are the trader's: what it pays is negative. */
function readV4Swap(
  { address: manager, id, token, quote }: Pool,
  direction: 'buy' | 'sell',
  logs: readonly Log[],
): PoolSwap | undefined {
  const [tokenAt, quoteAt] = token < quote ? [0, 1] : [1, 0]
  return logs
    .filter(
      ({ address, topics, data }) =>
        address === manager && topics[0] === SWAP_TOPIC && topics[1] === id && data.length >= 2 + 2 * WORD_DIGITS,
    )
    .map(({ data }) => ({ token: signedWord(data, tokenAt), quote: signedWord(data, quoteAt) }))
    .map((amounts) =>
      direction === 'buy'
        ? { amountIn: -amounts.quote, amountOut: amounts.token }
        : { amountIn: -amounts.token, amountOut: amounts.quote },
    )
    .findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

const signedWord = (data: Hex, index: number) =>
  BigInt.asIntN(256, BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`))
