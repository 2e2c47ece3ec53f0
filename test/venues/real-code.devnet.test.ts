import { afterAll, beforeAll, describe } from 'vitest'
import type { Chain } from '../../src/chains/chain.js'
import { defineChain } from '../../src/chains/chain.js'
import { FIRST_UNISWAP_V3, uniswapV3 } from '../../src/chains/exchanges.js'
import { findChain } from '../../src/chains/index.js'
import { mappingSlot } from '../../src/dex/mapping-slot.js'
import { venueConformance } from '../../src/dex/venue.conformance.js'
import { venuesOf } from '../../src/dex/venues.js'
import type { Address } from '../../src/hex.js'
import { hasSharedData } from '../conformance/shared-data.js'
import {
  type ListPool,
  listOnRealSlipstream,
  listOnRealSolidly,
  listOnV2,
  listOnV3,
  listOnV4,
} from '../dex/list-pool.js'
import { type Stage, startStage } from '../dex/venue-stage.js'
import { placeRealCode, type RealContract } from '../real-blocks/real-code.js'

/**
 * The promises of venues on code that production blocks hold, at its own addresses: what no
 * stand-in can show is whether our calls fit the exchange as it is.
 */

const SWAP_ROUTER_02: Address = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45'
/** What Velodrome's router asks whether a factory is one of its own. */
const FACTORY_REGISTRY: Address = '0xf4c67cdeaab8360370f41514d06e32ccd8aa1d7b'
const VELODROME_FACTORY: Address = '0xf1046053aa5682b4f9a81b5481394da16be5ff5a'
const SLIPSTREAM_POSITIONS: Address = '0x416b433906b1b72fa758e166e239c43d68dc6f29'

interface RealExchange {
  name: string
  /** The deployment that the venue is made of, on the chain as it is on the devnet. */
  on(chain: Chain): Chain
  list(chain: Chain): ListPool
}

interface RealCode {
  chainId: number
  contracts: readonly RealContract[]
  exchanges: readonly RealExchange[]
}

const first = <T>([deployment]: readonly T[]): T => {
  if (deployment === undefined) throw new Error('the chain has no such exchange')
  return deployment
}
const onSwapRouter02 = defineChain({
  ...(findChain(1) as Chain),
  exchanges: [uniswapV3({ ...FIRST_UNISWAP_V3, router: SWAP_ROUTER_02, routerTakesDeadline: false })],
}).v3

const REAL: readonly RealCode[] = [
  {
    chainId: 1,
    contracts: [
      { address: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d', block: '25229957' },
      { address: FIRST_UNISWAP_V3.router, block: '24628607' },
      { address: SWAP_ROUTER_02, block: '15050000' },
      { address: FIRST_UNISWAP_V3.positionManager, block: '25229957' },
      { address: '0x000000000004444c5dc75cb358380d2e3de08a90', block: '24628608' },
      { address: '0x000000000022d473030f116ddee9f6b43ac78ba3', block: '25229957' },
    ],
    exchanges: [
      { name: 'Uniswap V2', on: (chain) => chain, list: ({ v2 }) => listOnV2(first(v2)) },
      {
        name: 'Uniswap V3',
        on: (chain) => chain,
        list: ({ v3 }) => listOnV3(first(v3), FIRST_UNISWAP_V3.positionManager),
      },
      {
        name: 'Uniswap V3 by SwapRouter02',
        on: (chain) => ({
          ...chain,
          v3: onSwapRouter02.map((each) => ({ ...each, name: 'Uniswap V3 by SwapRouter02' })),
        }),
        list: ({ v3 }) => listOnV3(first(v3), FIRST_UNISWAP_V3.positionManager),
      },
      { name: 'Uniswap V4', on: (chain) => chain, list: ({ v4 }) => listOnV4(first(v4), first(v4).positionManager) },
    ],
  },
  {
    chainId: 10,
    contracts: [
      { address: '0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858', block: 'op-132799000' },
      // Its pauser, and the fees of either curve.
      { address: VELODROME_FACTORY, block: 'op-132799000', slots: [0n, 1n, 2n] },
      { address: '0x95885af5492195f0754be71ad1545fe81364e531', block: 'op-132799000' },
      {
        address: FACTORY_REGISTRY,
        block: 'op-132799000',
        // `isPoolFactoryApproved`: the set's place of this factory.
        slots: [mappingSlot(3n, VELODROME_FACTORY)],
      },
      // The fees of its tick spacings are those that the stand-in's constructor wrote.
      { address: '0xcc0bddb707055e04e497ab22a59c2af4391cd12f', block: 'op-132799000' },
      { address: '0xc28ad28853a547556780bebf7847628501a3bcbb', block: 'op-132799000' },
      // Its next two numbers, of a position and of a pool.
      { address: SLIPSTREAM_POSITIONS, block: 'op-132799000', slots: [14n] },
      // Velodrome's voter, which the factory asks for a pool's gauge.
      { address: '0x41c914ee0c7e1a5edcd0295623e6dc557b5abf3c', block: 'op-132799000' },
    ],
    exchanges: [
      {
        name: 'Velodrome V2',
        on: (chain) => ({ ...chain, solidly: findChain(10)?.solidly ?? [] }),
        list: ({ solidly }) => listOnRealSolidly(first(solidly)),
      },
      // Pools are traded in through a stand-in of its router: no block holds that one.
      { name: 'Velodrome Slipstream', on: (chain) => chain, list: () => listOnRealSlipstream(SLIPSTREAM_POSITIONS) },
    ],
  },
]

describe.runIf(hasSharedData())('on code of production chains', () => {
  describe.each(REAL.map((each) => ({ ...each, name: findChain(each.chainId)?.name })))(
    '$name',
    ({ chainId, contracts, exchanges }) => {
      let stage: Stage
      beforeAll(async () => {
        stage = await startStage(chainId)
        await placeRealCode(stage.devnet.node, contracts)
      })
      afterAll(() => stage?.stop())

      for (const { name, on, list } of exchanges) {
        const chain = () => on(stage.chain)
        venueConformance(name, {
          stage: () => ({ ...stage, chain: chain() }),
          venue: () => venuesOf(chain()).find((each) => each.name === name) ?? raise(name),
          list: (at, listing) => list(chain())(at, listing),
          stable: () => stableOf(chain()),
        })
      }
    },
  )
})

function raise(name: string): never {
  throw new Error(`no venue ${name}`)
}

const stableOf = ({ watchedTokens, wrappedNative }: Chain) =>
  watchedTokens.find(({ address }) => address !== wrappedNative) ?? raise('of a dollar')
