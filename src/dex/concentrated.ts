import { concatHex, parseAbi } from 'viem'
import { smallerOf } from '../bigints.js'
import type { Chain } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { StateMiss } from '../state/state-reader.js'
import { sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { type PoolPrice, priceCurve } from './pool-curve.js'
import { balanceOf, readWords } from './read-contract.js'
import type { Order, Pool, PoolReserves, PoolSwap, Venue } from './venue.js'

/** `Swap` of Uniswap V3, which the families that come from it have kept. */
export const UNISWAP_V3_SWAP = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'

/**
 * What an exchange with concentrated liquidity has of its own; the rest is {@link
 * createConcentrated}.
 */
export interface ConcentratedFamily {
  name: string
  factory: Address
  router: Address
  /**
   * What tells the pools of one pair apart, most used first: fee tiers or tick spacings; a single 0
   * where there is one pool.
   */
  tiers: readonly number[]
  guessPool(token0: Address, token1: Address, tier: number): Address
  findPool(fork: Fork, token0: Address, token1: Address, tier: number): Address | undefined
  readPrice(fork: Fork, pool: Address): PoolPrice | undefined
  /** State that `findPool` and `readPrice` read. */
  probes(pool: Pool): StateMiss[]
  seeds(pool: Pool): StateMiss[]
  /**
   * Topic of the pool's `Swap` event, whose data begin with the two amounts as int256, what comes
   * in positive.
   */
  swapTopic: Hex
  /** Calldata of the router's trade in one pool, and of one along a path. */
  exactInputSingle(swap: Swap & { tokenIn: Address; tokenOut: Address; tier: number }): Hex
  exactInput(swap: Swap & { path: Hex }): Hex
  /** Bytes of a tier between the tokens of a path; 0 where there are none. */
  tierBytes: number
  /** The recipient that means the router itself. */
  routerItself: Address
  /** Calldata that gives back native coin which was not needed. */
  refund: Hex
  /** Calldata that pays out the wrapped native coin which the router holds. */
  unwrap(recipient: Address): Hex
}

export interface Swap {
  recipient: Address
  deadline: bigint
  amountIn: bigint
}

const multicallAbi = parseAbi(['function multicall(bytes[] data) payable returns (bytes[])'])

/** An exchange with concentrated liquidity and a router in the manner of Uniswap V3. */
export function createConcentrated({ wrappedNative }: Chain, family: ConcentratedFamily): Venue {
  const { name, factory, router, routerItself, swapTopic } = family
  const candidates = (token: Address, quotes: readonly Address[]) =>
    quotes.flatMap((quote) => family.tiers.map((tier) => ({ venue: name, token, quote, tier })))
  /** `tokens` and `pools` from first to last. */
  const swap = (tokens: readonly Address[], pools: readonly Pool[], terms: Swap): Hex => {
    const [tokenIn = wrappedNative, tokenOut = wrappedNative] = tokens
    const tiers = pools.map(({ tier = 0 }) => tier)
    if (tiers.length === 1) return family.exactInputSingle({ ...terms, tokenIn, tokenOut, tier: tiers[0] ?? 0 })
    const hops = tokens.map((token, i) =>
      i === 0 || family.tierBytes === 0
        ? token
        : concatHex([toPaddedHex(BigInt(tiers[i - 1] ?? 0), family.tierBytes), token]),
    )
    return family.exactInput({ ...terms, path: concatHex(hops) })
  }
  const multicall = (calls: Hex[], value: bigint) => ({
    to: router,
    value,
    data: encodeCall({ abi: multicallAbi, functionName: 'multicall', args: [calls] }),
  })
  const poolsOf = ({ pool, via }: Order) => (via ? [via, pool] : [pool])
  const tokensOf = (order: Order) => [wrappedNative, ...poolsOf(order).map(({ token }) => token)]

  return {
    name,
    factory,
    router,
    spender: router,
    guessPools: (token, quotes) =>
      candidates(token, quotes).map((candidate) => {
        const address = family.guessPool(...sortTokens(token, candidate.quote), candidate.tier)
        return { ...candidate, address, quoteReserve: 0n, tokenReserve: 0n }
      }),
    findPools: (fork, token, quotes) =>
      candidates(token, quotes).flatMap((candidate) => {
        const address = family.findPool(fork, ...sortTokens(token, candidate.quote), candidate.tier)
        const price = address && family.readPrice(fork, address)
        const reserves = price && reservesOf(fork, { ...candidate, address }, price)
        return reserves ? [{ ...candidate, address, ...reserves }] : []
      }),
    curve(fork, { address, token, quote }) {
      const price = family.readPrice(fork, address)
      return price && priceCurve(token < quote, price)
    },
    probes: family.probes,
    seeds: family.seeds,
    buy(order) {
      const { trader, amountIn, deadline } = order
      const terms = { recipient: trader, amountIn, deadline }
      return multicall([swap(tokensOf(order), poolsOf(order), terms), family.refund], amountIn)
    },
    sell(order) {
      const { trader, amountIn, deadline } = order
      const terms = { recipient: routerItself, amountIn, deadline }
      const trade = swap(tokensOf(order).toReversed(), poolsOf(order).toReversed(), terms)
      return multicall([trade, family.unwrap(trader)], 0n)
    },
    readSwap: (pool, direction, logs) => readConcentratedSwap(swapTopic, pool, direction, logs),
  }
}

/** `liquidity()` */
const LIQUIDITY = '0x1a686502'

/** For pools whose storage is not laid out as Uniswap's: `stateCall` answers the price first. */
export function readPriceByCalls(fork: Fork, pool: Address, stateCall: Hex): PoolPrice | undefined {
  const [sqrtPriceX96] = readWords(fork, pool, stateCall) ?? []
  const [liquidity] = readWords(fork, pool, LIQUIDITY) ?? []
  if (!sqrtPriceX96 || !liquidity) return undefined
  return { sqrtPriceX96: BigInt.asUintN(160, sqrtPriceX96), liquidity: BigInt.asUintN(128, liquidity) }
}

const PRICE_SCALE_BITS = 192n

/**
 * The quote side that liquidity at the present price amounts to, but no more than the pool has: a
 * little liquidity squeezed around the price looks deep, and a lot of it far from the price looks
 * rich. The token side is the same at that price.
 */
function reservesOf(
  fork: Fork,
  { address, token, quote }: Pick<Pool, 'address' | 'token' | 'quote'>,
  { sqrtPriceX96, liquidity }: PoolPrice,
): PoolReserves | undefined {
  if (sqrtPriceX96 === 0n || liquidity === 0n) return undefined
  const tokenIsFirst = token < quote
  const virtual = tokenIsFirst ? (liquidity * sqrtPriceX96) >> 96n : (liquidity << 96n) / sqrtPriceX96
  const held = balanceOf(fork, quote, address) ?? 0n
  // A run that lacks state is void. It goes on as if there were enough, to find out what else it
  // lacks.
  const isVoid = fork.evm.misses.length > 0
  const quoteReserve = isVoid ? virtual : smallerOf(virtual, held)
  const square = sqrtPriceX96 * sqrtPriceX96
  const tokenReserve = tokenIsFirst
    ? (quoteReserve << PRICE_SCALE_BITS) / square
    : (quoteReserve * square) >> PRICE_SCALE_BITS
  return quoteReserve > 0n && tokenReserve > 0n ? { quoteReserve, tokenReserve } : undefined
}

function readConcentratedSwap(
  topic: Hex,
  { address: pool, token, quote }: Pool,
  direction: 'buy' | 'sell',
  logs: readonly Log[],
): PoolSwap | undefined {
  const [tokenAt, quoteAt] = token < quote ? [0, 1] : [1, 0]
  return logs
    .filter(
      ({ address, topics, data }) => address === pool && topics[0] === topic && data.length >= 2 + 2 * WORD_DIGITS,
    )
    .map(({ data }) => ({ token: signedWord(data, tokenAt), quote: signedWord(data, quoteAt) }))
    .map((amounts) =>
      direction === 'buy'
        ? { amountIn: amounts.quote, amountOut: -amounts.token }
        : { amountIn: amounts.token, amountOut: -amounts.quote },
    )
    .findLast(({ amountIn, amountOut }) => amountIn > 0n && amountOut > 0n)
}

const WORD_DIGITS = 64
const signedWord = (data: Hex, index: number) =>
  BigInt.asIntN(256, BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`))
