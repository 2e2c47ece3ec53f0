import { afterAll, expect, test } from 'vitest'
import { callArbOs, callToken, failsInside, followSlots, neverEnds, neverSettles } from '../../test/scenarios.js'
import { arbitrum } from '../chains/arbitrum.js'
import { ethereum } from '../chains/ethereum.js'
import { UnsupportedExecutionError } from '../evm/chain-extras.js'
import { AnalysisResistedError } from '../evm/limits.js'
import { type Address, hexToBytes, ZERO_ADDRESS } from '../hex.js'
import { MachineBusyError } from '../scheduling/machine-load.js'
import { createMemoryStateSource } from '../state/memory-state-source.js'
import type { StateMiss } from '../state/state-reader.js'
import type { Scenario } from './scenario.js'
import { createSimulator, StateUnsettledError } from './simulator.js'

const TOKEN: Address = '0x00000000000000000000000000000000000a11ce'
const chain = ethereum
/** Longer than a thread needs to start on a loaded machine. */
const STRICT_MS = 5_000

const simulator = createSimulator({ threads: 1 })
afterAll(() => simulator.close())

/** A state source that counts how often it was asked. */
function countingState(code = '0x', storage: Record<string, bigint> = {}) {
  const state = createMemoryStateSource({
    accounts: { [TOKEN]: { code: hexToBytes(code), storage }, [ZERO_ADDRESS]: {} },
  })
  const loads: number[] = []
  return {
    loads,
    state: {
      ...state,
      load(misses: Parameters<typeof state.load>[0]) {
        loads.push(misses.length)
        return state.load(misses)
      },
    },
  }
}

test('fetches what a run turns out to need and repeats it, until it runs on known state alone', async () => {
  const { state, loads } = countingState('0x', { 1: 2n, 2: 3n, 3: 77n })
  expect(await simulator.simulate({ scenario: followSlots, input: 3, chain, state })).toBe(77n)
  // Each slot is known only when the one before it is; the account itself comes along with the
  // first.
  expect(loads).toHaveLength(3)
})

test('asks once when all that is needed is foreseen', async () => {
  const { state, loads } = countingState('0x', { 1: 2n, 2: 3n })
  const seeds = [1n, 2n].map((slot) => ({ kind: 'storage', address: TOKEN, slot }) as const)
  const output = await simulator.simulate({
    scenario: followSlots,
    input: 2,
    chain,
    state,
    seeds: [...seeds, { kind: 'account', address: TOKEN }],
  })
  expect(output).toBe(3n)
  expect(loads).toEqual([3])
})

test.each<[string, Scenario<number, bigint>, number]>([
  ['the run', followSlots, 2],
  ['a run that never settles', { ...followSlots, maxRounds: 1 }, 3],
])('tells the source what %s used of what was read ahead', async (_, scenario, input) => {
  const { state } = countingState('0x', { 1: 2n, 2: 3n, 3: 4n })
  const slots = new Set<bigint>()
  const noteUse = (reads: readonly StateMiss[]) => {
    for (const read of reads) if (read.kind === 'storage') slots.add(read.slot)
  }
  const seeds = [1n, 2n, 9n].map((slot): StateMiss => ({ kind: 'storage', address: TOKEN, slot }))
  await simulator
    .simulate({
      scenario,
      input,
      chain,
      state: { ...state, noteUse },
      seeds: [...seeds, { kind: 'account', address: TOKEN }],
    })
    .catch((error: unknown) => expect(error).toBeInstanceOf(StateUnsettledError))
  expect(slots).toEqual(new Set([1n, 2n]))
})

test("an error on complete state is the scenario's own, and passed on", async () => {
  const { state } = countingState('0x', { 1: 2n })
  await expect(simulator.simulate({ scenario: followSlots, input: 3, chain, state })).rejects.toThrow(
    'the chain of slots ended',
  )
  await expect(simulator.simulate({ scenario: failsInside, input: undefined, chain, state })).rejects.toThrow(
    'a fault of our own',
  )
})

test('gives up on code that asks for new state in every round', async () => {
  const { state, loads } = countingState()
  await expect(simulator.simulate({ scenario: neverSettles, input: undefined, chain, state })).rejects.toThrow(
    StateUnsettledError,
  )
  expect(loads).toHaveLength(8)
})

test('names the bound that endless code exhausted', async () => {
  // JUMPDEST, PUSH0, JUMP
  const { state } = countingState('0x5b5f56')
  const endless = simulator.simulate({ scenario: callToken, input: undefined, chain, state })
  // Ten million gas end this loop before any other bound does.
  expect(await endless).toBe('halt')
})

test('a thread that does not come back is killed, and the next job is served', async () => {
  const { state } = countingState('0x', { 1: 2n })
  const strict = createSimulator({ threads: 1, runTimeoutMs: STRICT_MS })
  const endless = strict.simulate({ scenario: neverEnds, input: undefined, chain, state })
  // Where the machine leaves it too little time, that is what is said; killed it is all the same.
  await expect(endless).rejects.toSatisfy(
    (error) => error instanceof AnalysisResistedError || error instanceof MachineBusyError,
  )
  expect(await strict.simulate({ scenario: followSlots, input: 1, chain, state })).toBe(2n)
  await strict.close()
})

test('a client who leaves frees the thread', async () => {
  const { state } = countingState('0x', { 1: 2n })
  const gone = AbortSignal.timeout(100)
  await expect(
    simulator.simulate({ scenario: neverEnds, input: undefined, chain, state, signal: gone }),
  ).rejects.not.toThrow(AnalysisResistedError)
  expect(await simulator.simulate({ scenario: followSlots, input: 1, chain, state })).toBe(2n)
})

test('callers take turns at the threads: a run waits for one of another caller, not for all of them', async () => {
  const single = createSimulator({ threads: 1 })
  const done: string[] = []
  const play = async (caller: string) => {
    const { state } = countingState('0x5b5f56')
    await single.simulate({ scenario: callToken, input: undefined, chain, state: { ...state, caller } })
    done.push(caller)
  }
  await play('warm')
  done.length = 0
  const plays = ['a', 'a', 'a', 'a', 'b'].map(play)
  await new Promise(setImmediate)
  expect(single.queued()).toBe(4)
  await Promise.all(plays)
  expect(done).toHaveLength(5)
  expect(done.indexOf('b')).toBeLessThan(2)
  expect(single.queued()).toBe(0)
  await single.close()
})

test('answers that arrive after their run was given up end nothing', async () => {
  const strays: unknown[] = []
  const busy = createSimulator({ threads: 1, onStrayError: (error) => strays.push(error) })
  const { state } = countingState('0x', { 1: 2n })
  const simulate = (signal?: AbortSignal) =>
    busy.simulate({ scenario: followSlots, input: 1, chain, state, ...(signal && { signal }) })
  await simulate()
  for (let i = 0; i < 20; i += 1) {
    const leaving = new AbortController()
    const answer = simulate(leaving.signal).catch(() => 'given up')
    // Its turn comes at once, but not in the same breath.
    await new Promise(process.nextTick)
    // The thread answers while this one is busy, and the answer waits behind the decision to do
    // without it.
    const until = performance.now() + 20
    while (performance.now() < until);
    leaving.abort()
    expect(['given up', 2n]).toContain(await answer)
  }
  expect(await simulate()).toBe(2n)
  await busy.close()
  expect(strays.length).toBeGreaterThan(0)
})

test('says what only the chain itself can execute', async () => {
  const { state } = countingState()
  const run = simulator.simulate({ scenario: callArbOs, input: undefined, chain: arbitrum, state })
  await expect(run).rejects.toThrow(UnsupportedExecutionError)
})
