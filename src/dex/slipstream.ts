import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { SlipstreamDeployment } from '../chains/exchanges.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { createConcentrated, readPriceByCalls, UNISWAP_V3_SWAP } from './concentrated.js'
import { cloneAddress, hashOf, sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { mappingSlot, nestedMappingSlot } from './mapping-slot.js'
import { callData, readAddress } from './read-contract.js'
import type { Venue } from './venue.js'

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; int24 tickSpacing; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct Along { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params) payable returns (uint256 amountOut)',
  'function exactInput(Along params) payable returns (uint256 amountOut)',
  'function refundETH() payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
])

/** `getPool(address,address,int24)` and `slot0()` */
export const GET_POOL_BY_TICK_SPACING = '0x28af8d0b'
const SLOT0 = '0x3850c7bd'

/**
 * An exchange in the manner of Slipstream: Uniswap V3 with tick spacings in place of fees, and
 * pools that are minimal proxies.
 */
export function createSlipstream(chain: Chain, deployment: SlipstreamDeployment): Venue {
  const { name, factory, router, poolImplementation, tickSpacings } = deployment
  return createConcentrated(chain, {
    name,
    factory,
    router,
    tiers: tickSpacings,
    tierBytes: 3,
    swapTopic: UNISWAP_V3_SWAP,
    guessPool(token0, token1, tickSpacing) {
      const salt = hashOf(
        ...[token0, token1, `0x${tickSpacing.toString(16)}`].map((part) => toPaddedHex(BigInt(part), 32)),
      )
      return cloneAddress(factory, salt, poolImplementation)
    },
    findPool: (fork, token0, token1, tickSpacing) =>
      readAddress(fork, factory, callData(GET_POOL_BY_TICK_SPACING, [token0, token1, BigInt(tickSpacing)])),
    readPrice: (fork, pool) => readPriceByCalls(fork, pool, SLOT0),
    probes: ({ address, token, quote, tier = 0 }) => [
      { kind: 'account', address: factory },
      { kind: 'storage', address: factory, slot: slotOfPool(token, quote, tier) },
      ...PRICE_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
    ],
    seeds: ({ address, token, quote }) =>
      [router, poolImplementation, address, token, quote].map((each) => ({ kind: 'account', address: each }) as const),
    routerItself: ZERO_ADDRESS,
    exactInputSingle: ({ tier, ...swap }) =>
      encodeCall({
        abi,
        functionName: 'exactInputSingle',
        args: [{ ...swap, tickSpacing: tier, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }],
      }),
    exactInput: (swap) => encodeCall({ abi, functionName: 'exactInput', args: [{ ...swap, amountOutMinimum: 0n }] }),
    refund: encodeCall({ abi, functionName: 'refundETH' }),
    unwrap: (recipient) => encodeCall({ abi, functionName: 'unwrapWETH9', args: [0n, recipient] }),
  })
}

/** CLFactory keeps the pools behind the owner, the fee managers and modules, and the fees. */
const FACTORY_GET_POOL_SLOT = 6n
/** Of CLPool, as block 132799000 of OP Mainnet holds its code: price, and liquidity. */
const PRICE_SLOTS = [6n, 16n]

function slotOfPool(token: Address, quote: Address, tickSpacing: number): bigint {
  return mappingSlot(nestedMappingSlot(FACTORY_GET_POOL_SLOT, ...sortTokens(token, quote)), BigInt(tickSpacing))
}
