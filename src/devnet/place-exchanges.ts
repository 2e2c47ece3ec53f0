import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encodeFunctionData, keccak256, parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type {
  AlgebraDeployment,
  SolidlyDeployment,
  V2Deployment,
  V3Deployment,
  V4Deployment,
} from '../chains/exchanges.js'
import { type Address, bytesToHex, type Hex, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { type Artifact, readContract, readPackaged, readPermit2 } from './artifacts.js'
import type { DevnetTransaction } from './devnet-ledger.js'
import type { Placement } from './place-contract.js'
import { readV2Code } from './uniswap-v2-code.js'

/** Same address on every chain (multicall3.com). */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/**
 * Uniswap's first Quoter, and the QuoterV2 that stands beside it; every other quoter of the chains
 * is a QuoterV2 itself.
 */
const FIRST_QUOTER: Address = '0xb27308f9f90d607463bb33ea1bebb41c27ce5ab6'
const QUOTER_V2_BESIDE: Address = '0x61ffe014ba17989e743c5f6cb21bf9697530b21e'

export interface Exchanges {
  /** `chain`, with the init code hashes that pools on this devnet really have. */
  chain: Chain
  placements: Placement[]
  /** What governance did after deployment; to be mined once the contracts stand. */
  transactions: DevnetTransaction[]
}

/**
 * The exchanges of a chain, its wrapped native coin and Multicall3, at their addresses. `governor`
 * owns the factories.
 */
export function planExchanges(chain: Chain, governor: Address): Exchanges {
  const { wrappedNative } = chain
  const v2 = chain.v2.map((deployment) => placeV2(chain, deployment, governor))
  const v3 = chain.v3.map((deployment) => placeV3(chain, deployment))
  const algebra = chain.algebra.map((deployment) => placeAlgebra(chain, deployment))
  return {
    chain: {
      ...chain,
      v2: v2.map(({ deployment }) => deployment),
      v3: v3.map(({ deployment }) => deployment),
      algebra: algebra.map(({ deployment }) => deployment),
    },
    placements: [
      {
        address: wrappedNative,
        artifact: readPackaged('canonical-weth/build/contracts/WETH9.json'),
        storage: namesOf(chain),
      },
      { address: MULTICALL3, artifact: { abi: [], bytecode: readMulticall3() } },
      ...[...v2, ...v3, ...algebra].flatMap(({ placements }) => placements),
      ...chain.solidly.flatMap((deployment) => placeClones(chain, deployment, AERODROME)),
      ...chain.slipstream.flatMap((deployment) => placeClones(chain, deployment, SLIPSTREAM)),
      ...chain.v4.flatMap((deployment) => placeV4(chain, deployment, governor)),
    ],
    transactions: chain.v3.filter(isUniswapV3).map((deployment) => enableLowestFee(deployment, governor)),
  }
}

/** A deployment as it is here, with what is put where for it. */
interface Placed<Deployment> {
  deployment: Deployment
  placements: Placement[]
}

/** WETH9 keeps its name in slot 0 and its symbol in slot 1. */
function namesOf({ nativeSymbol }: Chain): Record<Hex, Hex> {
  if (nativeSymbol === 'ETH') return {}
  return { [slot(0n)]: shortString(`Wrapped ${nativeSymbol}`), [slot(1n)]: shortString(`W${nativeSymbol}`) }
}

const slot = (index: bigint) => toPaddedHex(index, 32)

/**
 * Solidity's form of a string of less than 32 bytes: the text, and twice its length in the last
 * byte.
 */
function shortString(text: string): Hex {
  const bytes = Buffer.alloc(32)
  bytes.write(text, 'latin1')
  bytes[31] = 2 * text.length
  return bytesToHex(bytes)
}

function placeV2(chain: Chain, deployment: V2Deployment, governor: Address): Placed<V2Deployment> {
  const { factory, router, pairKind } = deployment
  const { artifacts, initCodeHash } = pairKind === 'camelot' ? readCamelot() : readV2Code(deployment)
  return {
    deployment: { ...deployment, initCodeHash },
    placements: [
      { address: factory, artifact: artifacts.factory, args: [governor] },
      { address: router, artifact: artifacts.router, args: [factory, chain.wrappedNative] },
    ],
  }
}

function readCamelot() {
  return {
    artifacts: { factory: readContract('CamelotFactory'), router: readContract('CamelotRouter') },
    initCodeHash: keccak256(readContract('CamelotPair').bytecode),
  }
}

/** Who makes positions on this V3 exchange. */
export function positionManagerOf({ name, positionManager }: V3Deployment): Address {
  if (!positionManager) throw new RangeError(`The chain's file names no position manager of ${name}`)
  return positionManager
}

const periphery = (path: string): Artifact => readPackaged(`@uniswap/v3-periphery/artifacts/contracts/${path}.json`)

export const isUniswapV3 = ({ poolKind }: V3Deployment) => poolKind === 'uniswap'

function placeV3(chain: Chain, deployment: V3Deployment): Placed<V3Deployment> {
  if (!isUniswapV3(deployment)) return placePancakeV3(chain, deployment)
  const { factory, router, quoter, routerTakesDeadline, positionManager } = deployment
  const args = [factory, chain.wrappedNative]
  const quoterV2 = quoter === FIRST_QUOTER ? QUOTER_V2_BESIDE : quoter
  return {
    deployment,
    placements: [
      {
        address: factory,
        artifact: readPackaged('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
      },
      {
        address: router,
        artifact: routerTakesDeadline ? periphery('SwapRouter.sol/SwapRouter') : readContract('SwapRouter02'),
        args,
      },
      ...(quoter === quoterV2 ? [] : [{ address: quoter, artifact: periphery('lens/Quoter.sol/Quoter'), args }]),
      { address: quoterV2, artifact: periphery('lens/QuoterV2.sol/QuoterV2'), args },
      ...(positionManager === undefined
        ? []
        : [
            {
              address: positionManager,
              artifact: periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager'),
              // The third draws pictures of positions, which are not looked at here.
              args: [...args, ZERO_ADDRESS],
            },
          ]),
    ],
  }
}

function placePancakeV3({ wrappedNative }: Chain, deployment: V3Deployment): Placed<V3Deployment> {
  const { factory, poolDeployer, router } = deployment
  return {
    deployment: { ...deployment, initCodeHash: keccak256(readContract('PancakeV3Pool').bytecode) },
    placements: [
      { address: factory, artifact: readContract('PancakeV3Factory'), args: [poolDeployer] },
      { address: poolDeployer, artifact: readContract('PancakeV3PoolDeployer') },
      { address: router, artifact: readContract('PancakeV3SwapRouter'), args: [factory, wrappedNative] },
    ],
  }
}

function placeAlgebra({ wrappedNative }: Chain, deployment: AlgebraDeployment): Placed<AlgebraDeployment> {
  const { factory, poolDeployer, router } = deployment
  return {
    deployment: { ...deployment, initCodeHash: keccak256(readContract('AlgebraPool').bytecode) },
    placements: [
      { address: factory, artifact: readContract('AlgebraFactory'), args: [poolDeployer] },
      { address: poolDeployer, artifact: readContract('AlgebraPoolDeployer') },
      { address: router, artifact: readContract('AlgebraSwapRouter'), args: [factory, wrappedNative] },
    ],
  }
}

/** Stand-ins for exchanges whose pools are minimal proxies. */
const AERODROME = { factory: 'AerodromeFactory', pool: 'AerodromePool', router: 'AerodromeRouter' }
const SLIPSTREAM = { factory: 'SlipstreamFactory', pool: 'SlipstreamPool', router: 'SlipstreamSwapRouter' }

function placeClones(
  { wrappedNative }: Chain,
  { factory, poolImplementation, router }: SolidlyDeployment,
  contracts: typeof AERODROME,
): Placement[] {
  return [
    { address: factory, artifact: readContract(contracts.factory), args: [poolImplementation] },
    { address: poolImplementation, artifact: readContract(contracts.pool) },
    { address: router, artifact: readContract(contracts.router), args: [factory, wrappedNative] },
  ]
}

function placeV4({ wrappedNative }: Chain, deployment: V4Deployment, governor: Address): Placement[] {
  const { poolManager, positionManager, router, permit2 } = deployment
  return [
    {
      address: poolManager,
      artifact: readPackaged(`${V4_BUILD}/PoolManager.sol/PoolManager.default.json`),
      args: [governor],
    },
    { address: permit2, artifact: readPermit2() },
    { address: router, artifact: readContract('UniversalRouter'), args: [poolManager, permit2, wrappedNative] },
    {
      address: positionManager,
      artifact: readPackaged(`${V4_BUILD}/PositionManager.sol/PositionManager.json`),
      // The third is the gas that subscribers get, the fourth draws pictures.
      args: [poolManager, permit2, 300_000n, ZERO_ADDRESS, wrappedNative],
    },
  ]
}

const V4_BUILD = '@uniswap/v4-periphery/foundry-out'

/**
 * The 0.01 % tier is not in the factory's constructor; Uniswap's governance added it in November
 * 2021.
 */
function enableLowestFee({ factory }: V3Deployment, governor: Address): DevnetTransaction {
  const abi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])
  const data = encodeFunctionData({ abi, functionName: 'enableFeeAmount', args: [100, 1] })
  return { what: 'enable the 0.01 % tier', from: governor, to: factory, data }
}

/**
 * viem carries the creation code for calls to chains without Multicall3, in a module that it does
 * not list among its exports.
 */
function readMulticall3(): Hex {
  const require = createRequire(import.meta.url)
  const constants = require(join(dirname(require.resolve('viem')), 'constants', 'contracts.js'))
  return (constants as { multicall3Bytecode: Hex }).multicall3Bytecode
}
