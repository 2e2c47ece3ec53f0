import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import type { Chain, V3Deployment } from '../chains/chain.js'
import { type Address, bytesToHex, type Hex, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { type Artifact, readContract, readPackaged } from './artifacts.js'
import type { DevnetTransaction } from './ledger.js'
import type { Placement } from './place-contract.js'
import { readV2Code } from './uniswap-v2-code.js'

/** Same address on every chain (multicall3.com). */
export const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Where liquidity positions are made: Uniswap's deployment pages, "NonfungiblePositionManager". */
const POSITION_MANAGERS: Record<number, Address> = {
  1: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
  56: '0x7b8a01b39d58278b5de7e48c8449c9f4f5170613',
  8453: '0x03a520b32c04bf3beef7beb72e919cf822ed34f1',
  42161: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
}

/** Uniswap's deployment pages, "QuoterV2". Where `quoter` of the chain is a QuoterV2 it is this one. */
const QUOTERS_V2: Record<number, Address> = {
  1: '0x61ffe014ba17989e743c5f6cb21bf9697530b21e',
  56: '0x78d78e420da98ad378d7799be8f4af69033eb077',
  8453: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
  42161: '0x61ffe014ba17989e743c5f6cb21bf9697530b21e',
}

export interface Exchanges {
  /** `chain`, with the init code hashes that pairs on this devnet really have. */
  chain: Chain
  placements: Placement[]
  /** What governance did after deployment; to be mined once the contracts stand. */
  transactions: DevnetTransaction[]
}

/** The exchanges of a chain, its wrapped native coin and Multicall3, at their addresses. `governor` owns the factories. */
export function planExchanges(chain: Chain, governor: Address): Exchanges {
  const { wrappedNative } = chain
  const v2 = chain.v2.map((deployment) => ({ deployment, code: readV2Code(deployment) }))
  return {
    chain: { ...chain, v2: v2.map(({ deployment, code }) => ({ ...deployment, initCodeHash: code.initCodeHash })) },
    placements: [
      {
        address: wrappedNative,
        artifact: readPackaged('canonical-weth/build/contracts/WETH9.json'),
        storage: namesOf(chain),
      },
      { address: MULTICALL3, artifact: { abi: [], bytecode: readMulticall3() } },
      ...v2.flatMap(({ deployment: { factory, router }, code }) => [
        { address: factory, artifact: code.factory, args: [governor] },
        { address: router, artifact: code.router, args: [factory, wrappedNative] },
      ]),
      ...chain.v3.flatMap((deployment) => placeV3(chain, deployment)),
    ],
    transactions: chain.v3.map((deployment) => enableLowestFee(deployment, governor)),
  }
}

/** WETH9 keeps its name in slot 0 and its symbol in slot 1. */
function namesOf({ nativeSymbol }: Chain): Record<Hex, Hex> {
  if (nativeSymbol === 'ETH') return {}
  return { [slot(0n)]: shortString(`Wrapped ${nativeSymbol}`), [slot(1n)]: shortString(`W${nativeSymbol}`) }
}

const slot = (index: bigint) => toPaddedHex(index, 32)

/** Solidity's form of a string of less than 32 bytes: the text, and twice its length in the last byte. */
function shortString(text: string): Hex {
  const bytes = Buffer.alloc(32)
  bytes.write(text, 'latin1')
  bytes[31] = 2 * text.length
  return bytesToHex(bytes)
}

/** Who makes V3 positions on this chain. */
export function positionManagerOf({ id }: Chain): Address {
  return entryOf(POSITION_MANAGERS, id)
}

const periphery = (path: string): Artifact => readPackaged(`@uniswap/v3-periphery/artifacts/contracts/${path}.json`)

function placeV3(
  { id, wrappedNative }: Chain,
  { factory, router, quoter, routerTakesDeadline }: V3Deployment,
): Placement[] {
  const args = [factory, wrappedNative]
  const quoterV2 = entryOf(QUOTERS_V2, id)
  return [
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
    {
      address: entryOf(POSITION_MANAGERS, id),
      artifact: periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager'),
      // The third draws pictures of positions, which nobody looks at here.
      args: [...args, ZERO_ADDRESS],
    },
  ]
}

/** The 0.01 % tier is not in the factory's constructor; Uniswap's governance added it in November 2021. */
function enableLowestFee({ factory }: V3Deployment, governor: Address): DevnetTransaction {
  const abi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])
  const data = encodeFunctionData({ abi, functionName: 'enableFeeAmount', args: [100, 1] })
  return { what: 'enable the 0.01 % tier', from: governor, to: factory, data }
}

/** viem carries the creation code for calls to chains without Multicall3, in a module that it does not list among its exports. */
function readMulticall3(): Hex {
  const require = createRequire(import.meta.url)
  const constants = require(join(dirname(require.resolve('viem')), 'constants', 'contracts.js'))
  return (constants as { multicall3Bytecode: Hex }).multicall3Bytecode
}

function entryOf(table: Record<number, Address>, chainId: number): Address {
  const address = table[chainId]
  if (!address) throw new RangeError(`The devnet knows no such contract on chain ${chainId}`)
  return address
}
