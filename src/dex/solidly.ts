import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { SolidlyDeployment } from '../chains/exchanges.js'
import type { Address, Hex } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { cloneAddress, hashOf, sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { mappingSlot, nestedMappingSlot } from './mapping-slot.js'
import { productCurve, stableCurve } from './pool-curve.js'
import { callData, readAddress, readWords } from './read-contract.js'
import { readV2Swap } from './v2-swap.js'
import type { Pool, PoolReserves, Route, Venue } from './venue.js'

const abi = parseAbi([
  'struct Hop { address from; address to; bool stable; address factory; }',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, Hop[] routes, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, Hop[] routes, address to, uint256 deadline)',
])

/** `getPool(address,address,bool)` and `getReserves()` */
export const GET_POOL_BY_CURVE = '0x79bc57d5'
const GET_RESERVES = '0x0902f1ac'
/** `metadata()`: base units of one whole of either token come first. */
const METADATA = '0x392f37e9'
/**
 * `Swap(address indexed sender, address indexed to, uint amount0In, uint amount1In, uint
 * amount0Out, uint amount1Out)`
 */
const SWAP_TOPIC = '0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b'

/** What `tier` means here: whether the pool is on the curve for things of equal worth. */
const VOLATILE = 0
const STABLE = 1

/**
 * An exchange in the manner of Solidly, as Aerodrome: two pools for each pair, spoken to through a
 * router that is told which.
 */
export function createSolidly({ wrappedNative }: Chain, deployment: SolidlyDeployment): Venue {
  const { name, factory, router, poolImplementation } = deployment
  const candidates = (token: Address, quotes: readonly Address[]) =>
    quotes.flatMap((quote) => [VOLATILE, STABLE].map((tier) => ({ venue: name, token, quote, tier })))
  /** From the native coin to the token. */
  const hopsOf = ({ pool, via }: Route) =>
    [...(via ? [via] : []), pool].map(({ token, tier }, i) => {
      const from = i > 0 && via ? via.token : wrappedNative
      return { from, to: token, stable: tier === STABLE, factory }
    })
  return {
    name,
    factory,
    router,
    spender: router,
    guessPools: (token, quotes) =>
      candidates(token, quotes).map((candidate) => {
        const salt = hashOf(...sortTokens(token, candidate.quote), candidate.tier === STABLE ? '0x01' : '0x00')
        const address = cloneAddress(factory, salt, poolImplementation)
        return { ...candidate, address, quoteReserve: 0n, tokenReserve: 0n }
      }),
    findPools: (fork, token, quotes) =>
      candidates(token, quotes).flatMap((candidate) => {
        const address = readAddress(
          fork,
          factory,
          callData(GET_POOL_BY_CURVE, [token, candidate.quote, BigInt(candidate.tier)]),
        )
        const reserves = address && readReserves(fork, address, token < candidate.quote)
        return reserves ? [{ ...candidate, address, ...reserves }] : []
      }),
    curve(fork, { address, token, quote, tier = VOLATILE }) {
      const reserves = readReserves(fork, address, token < quote)
      if (!reserves || tier === VOLATILE) return reserves && productCurve(reserves)
      const [first, second] = readWords(fork, address, METADATA) ?? []
      if (!first || !second) return undefined
      const [tokenUnit, quoteUnit] = token < quote ? [first, second] : [second, first]
      return stableCurve(reserves, { tokenUnit, quoteUnit })
    },
    probes: ({ address, token, quote, tier = VOLATILE }) => [
      { kind: 'account', address: factory },
      ...POOLS_SLOTS.map(
        (slot) => ({ kind: 'storage', address: factory, slot: slotOfPool(slot, token, quote, tier) }) as const,
      ),
      ...POOL_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
    ],
    seeds: ({ address, token, quote }) => [
      ...[router, poolImplementation, address, token, quote].map(
        (each) => ({ kind: 'account', address: each }) as const,
      ),
      ...SWAP_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
      ...FACTORY_FEE_SLOTS.map((slot) => ({ kind: 'storage', address: factory, slot }) as const),
    ],
    buy: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: amountIn,
      data: encodeCall({
        abi,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, hopsOf(route), trader, deadline],
      }),
    }),
    sell: ({ trader, amountIn, deadline, ...route }) => ({
      to: router,
      value: 0n,
      data: encodeCall({
        abi,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amountIn, 0n, hopsOf(route).toReversed().map(turn), trader, deadline],
      }),
    }),
    readSwap: (pool: Pool, direction, logs) => readV2Swap(SWAP_TOPIC, pool, direction, logs),
  }
}

/**
 * Where PoolFactory keeps the pools: Aerodrome's behind the pauser, two fees, the fee manager and
 * the voter; Velodrome's three words later, as its code on OP Mainnet shows.
 */
const POOLS_SLOTS = [5n, 8n]
/**
 * Inferred from the source of Aerodrome's Pool: reserves and their time behind the shares, the
 * tokens, the observations and the decimals.
 */
const POOL_SLOTS = [20n, 21n, 22n]
/** Which curve, the tokens, the factory; and what the factory asks for. */
const SWAP_SLOTS = [12n, 13n, 14n, 16n]
const FACTORY_FEE_SLOTS = [2n]

function slotOfPool(poolsSlot: bigint, token: Address, quote: Address, tier: number): bigint {
  return mappingSlot(nestedMappingSlot(poolsSlot, token, quote), BigInt(tier))
}

const turn = <T extends { from: Hex; to: Hex }>(hop: T): T => ({ ...hop, from: hop.to, to: hop.from })

/**
 * On the stable curve the reserves are not quite the price, but near it unless the pool has lost
 * its balance.
 */
function readReserves(fork: Fork, pool: Address, tokenIsFirst: boolean): PoolReserves | undefined {
  const [reserve0, reserve1] = readWords(fork, pool, GET_RESERVES) ?? []
  if (!reserve0 || !reserve1) return undefined
  return tokenIsFirst
    ? { tokenReserve: reserve0, quoteReserve: reserve1 }
    : { tokenReserve: reserve1, quoteReserve: reserve0 }
}
