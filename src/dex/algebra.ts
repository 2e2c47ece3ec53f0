import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { AlgebraDeployment } from '../chains/exchanges.js'
import { toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { createConcentrated, readPriceByCalls, UNISWAP_V3_SWAP } from './concentrated.js'
import { create2Address, hashOf, sortTokens } from './create2.js'
import { encodeCall } from './encode-call.js'
import { nestedMappingSlot } from './mapping-slot.js'
import { callData, readAddress } from './read-contract.js'
import type { Venue } from './venue.js'

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limitSqrtPrice; }',
  'struct Along { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInputSingle(Single params) payable returns (uint256 amountOut)',
  'function exactInput(Along params) payable returns (uint256 amountOut)',
  'function refundNativeToken() payable',
  'function unwrapWNativeToken(uint256 amountMinimum, address recipient) payable',
])

/** `poolByPair(address,address)` and `globalState()` */
export const POOL_BY_PAIR = '0xd9a641e1'
const GLOBAL_STATE = '0xe76c01e4'

/**
 * An exchange on Algebra (version 1.9, as Camelot V3): concentrated liquidity with one pool for
 * each pair, whose fee follows the market.
 */
export function createAlgebra(chain: Chain, deployment: AlgebraDeployment): Venue {
  const { name, factory, poolDeployer, router, initCodeHash } = deployment
  return createConcentrated(chain, {
    name,
    factory,
    router,
    tiers: [0],
    tierBytes: 0,
    swapTopic: UNISWAP_V3_SWAP,
    guessPool(...tokens) {
      const salt = hashOf(...tokens.slice(0, 2).map((token) => toPaddedHex(BigInt(token), 32)))
      return create2Address(poolDeployer, salt, initCodeHash)
    },
    findPool: (fork, token0, token1) => readAddress(fork, factory, callData(POOL_BY_PAIR, [token0, token1])),
    readPrice: (fork, pool) => readPriceByCalls(fork, pool, GLOBAL_STATE),
    probes: ({ address, token, quote }) => [
      { kind: 'account', address: factory },
      {
        kind: 'storage',
        address: factory,
        slot: nestedMappingSlot(FACTORY_POOL_BY_PAIR_SLOT, ...sortTokens(token, quote)),
      },
      ...PRICE_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
    ],
    seeds: ({ address, token, quote }) =>
      [router, address, token, quote].map((each) => ({ kind: 'account', address: each }) as const),
    routerItself: ZERO_ADDRESS,
    exactInputSingle: ({ tier: _, ...swap }) =>
      encodeCall({
        abi,
        functionName: 'exactInputSingle',
        args: [{ ...swap, amountOutMinimum: 0n, limitSqrtPrice: 0n }],
      }),
    exactInput: (swap) => encodeCall({ abi, functionName: 'exactInput', args: [{ ...swap, amountOutMinimum: 0n }] }),
    refund: encodeCall({ abi, functionName: 'refundNativeToken' }),
    unwrap: (recipient) => encodeCall({ abi, functionName: 'unwrapWNativeToken', args: [0n, recipient] }),
  })
}

/**
 * Inferred from the source of AlgebraFactory 1.9: behind the owner, two addresses and the
 * configuration of the fee.
 */
const FACTORY_POOL_BY_PAIR_SLOT = 4n
/**
 * Inferred from the source of AlgebraPool 1.9: `globalState` and liquidity, behind the growth of
 * fees.
 */
const PRICE_SLOTS = [2n, 3n]
