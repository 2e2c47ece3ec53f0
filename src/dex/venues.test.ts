import { afterAll, beforeAll, describe } from 'vitest'
import { type ListPool, listOnV2, listOnV3 } from '../../test/dex/list-pool.js'
import { type Stage, startStage } from '../../test/dex/stage.js'
import type { Chain } from '../chains/chain.js'
import { chains } from '../chains/index.js'
import { positionManagerOf } from '../devnet/place-exchanges.js'
import { venueConformance } from './venue.conformance.js'
import { createVenues } from './venues.js'

/** How pools are opened on each of a chain's exchanges, by the exchange's name. */
function listers(chain: Chain): Record<string, ListPool> {
  return Object.fromEntries([
    ...chain.v2.map((deployment) => [deployment.name, listOnV2(deployment)] as const),
    ...chain.v3.map((deployment) => [deployment.name, listOnV3(deployment, positionManagerOf(deployment))] as const),
  ])
}

describe.each(chains.map((chain) => ({ chain, name: chain.name })))('$name', ({ chain }) => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage(chain.id)
  })
  afterAll(() => stage?.stop())

  for (const [name, list] of Object.entries(listers(chain))) {
    venueConformance(name, {
      stage: () => stage,
      venue: () => findVenue(stage.chain, name),
      list,
      stable: () => stableOf(stage.chain),
    })
  }
})

function findVenue(chain: Chain, name: string) {
  const venue = createVenues(chain).find((each) => each.name === name)
  if (!venue) throw new Error(`no venue ${name}`)
  return venue
}

function stableOf({ watchedTokens, wrappedNative }: Chain) {
  const stable = watchedTokens.find(({ address }) => address !== wrappedNative)
  if (!stable) throw new Error('no dollar')
  return stable
}
