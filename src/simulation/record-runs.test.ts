import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { AnalysisResistedError } from '../evm/limits.js'
import type { StateMiss } from '../state/state-reader.js'
import type { StateSource } from '../state/state-source.js'
import { type RecordedSimulation, recordRuns } from './record-runs.js'
import type { Scenario } from './scenario.js'
import { type SimulationRequest, type Simulator, StateUnsettledError } from './simulator.js'

const TOKEN = '0x00000000000000000000000000000000000a11ce'
const scenario: Scenario<number, string> = { module: 'none', name: 'sample', run: () => '' }
const miss = (slot: number): StateMiss => ({ kind: 'storage', address: TOKEN, slot: BigInt(slot) })
/** Each look at the clock is a millisecond later. */
const clock = () => {
  let now = 0
  return { monotonic: () => ++now }
}

/** A simulator that asks for so much, round by round, and then ends as it is told. */
const asking = (rounds: readonly number[], end: () => string): Simulator => ({
  async simulate<Input, Output>({ state, seeds = [] }: SimulationRequest<Input, Output>) {
    if (seeds.length > 0) await state.load(seeds)
    for (const count of rounds) await state.load(Array.from({ length: count }, (_, i) => miss(i)))
    return end() as Output
  },
  queued: () => 0,
  close: async () => {},
})

async function record(simulator: Simulator, seeds: readonly StateMiss[] = []) {
  const told: RecordedSimulation[] = []
  const loaded: number[] = []
  const state = { load: async (misses: readonly StateMiss[]) => void loaded.push(misses.length) } as StateSource
  const request = { scenario, input: 1, chain: ethereum, state, seeds }
  const outcome = await recordRuns(simulator, clock(), (simulation) => told.push(simulation))
    .simulate(request)
    .catch((error: Error) => error.name)
  return { told, loaded, outcome }
}

test('tells of each round what was missing, and that seeds are none', async () => {
  const { told, loaded, outcome } = await record(
    asking([1, 7], () => 'found'),
    [miss(1), miss(2)],
  )
  expect({ outcome, loaded }).toEqual({ outcome: 'found', loaded: [2, 1, 7] })
  expect(told).toEqual([
    {
      ...{ scenario: 'sample', seeds: 2, roundsLeftOut: 0, ms: expect.any(Number), ended: { how: 'done' } },
      rounds: [
        { accounts: 0, slots: 1, blockHashes: 0, first: [miss(0)], ms: 1 },
        { accounts: 0, slots: 7, blockHashes: 0, first: [0, 1, 2, 3, 4].map(miss), ms: 1 },
      ],
    },
  ])
})

const fails = (error: Error) => () => {
  throw error
}

test.each([
  ['a bound of the engine', new AnalysisResistedError('frames'), { how: 'resisted', bound: 'frames' }],
  ['state without an end', new StateUnsettledError(8), { how: 'unsettled' }],
  ['a failure, without its words', new TypeError('what a node said'), { how: 'failed', error: 'TypeError' }],
])('tells what ended it: %s, and lets it fail', async (_, error, ended) => {
  const { told, outcome } = await record(asking([1], fails(error)))
  expect(outcome).toBe(error.name)
  expect(told).toMatchObject([{ ended, rounds: [{ slots: 1 }] }])
})

test('keeps a bounded number of rounds, and counts the others', async () => {
  const { told } = await record(
    asking(
      Array.from({ length: 40 }, () => 1),
      () => 'found',
    ),
  )
  expect(told).toMatchObject([{ rounds: { length: 32 }, roundsLeftOut: 8 }])
})
