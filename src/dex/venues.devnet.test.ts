import { afterAll, beforeAll, describe } from 'vitest'
import {
  type ListPool,
  listOnAlgebra,
  listOnCamelotV2,
  listOnPancakeV3,
  listOnSlipstream,
  listOnSolidly,
  listOnV2,
  listOnV3,
  listOnV4,
} from '../../test/dex/list-pool.js'
import { type Stage, startStage } from '../../test/dex/venue-stage.js'
import { someOf } from '../../test/some-of.js'
import type { Chain } from '../chains/chain.js'
import { chains } from '../chains/index.js'
import { isUniswapV3, positionManagerOf } from '../devnet/place-exchanges.js'
import { venueConformance } from './venue.conformance.js'
import { venuesOf } from './venues.js'

/** One of a chain's exchanges in so many, other ones on each chain. */
const SHARE = 3

/** How pools are opened on each of a chain's exchanges, by the exchange's name. */
function listers(chain: Chain): Record<string, ListPool> {
  return Object.fromEntries([
    ...chain.v2.map(
      (each) => [each.name, each.pairKind === 'camelot' ? listOnCamelotV2(each) : listOnV2(each)] as const,
    ),
    ...chain.v3.map(
      (each) =>
        [each.name, isUniswapV3(each) ? listOnV3(each, positionManagerOf(each)) : listOnPancakeV3(each)] as const,
    ),
    ...chain.v4.map((each) => [each.name, listOnV4(each, each.positionManager)] as const),
    ...chain.solidly.map((each) => [each.name, listOnSolidly(each)] as const),
    ...chain.slipstream.map((each) => [each.name, listOnSlipstream(each)] as const),
    ...chain.algebra.map((each) => [each.name, listOnAlgebra(each)] as const),
  ])
}

describe.each(chains.map((chain) => ({ chain, name: chain.name })))('$name', ({ chain }) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage(chain.id)
  })
  afterAll(() => stage?.stop())

  const exchanges = someOf(Object.entries(listers(chain)), SHARE, chains.indexOf(chain))
  for (const [name, list] of exchanges) {
    venueConformance(name, {
      stage: () => stage,
      venue: () => findVenue(stage.chain, name),
      list,
      stable: () => stableOf(stage.chain),
    })
  }
})

function findVenue(chain: Chain, name: string) {
  const venue = venuesOf(chain).find((each) => each.name === name)
  if (!venue) throw new Error(`no venue ${name}`)
  return venue
}

function stableOf({ watchedTokens, wrappedNative }: Chain) {
  const stable = watchedTokens.find(({ address }) => address !== wrappedNative)
  if (!stable) throw new Error('no dollar')
  return stable
}
