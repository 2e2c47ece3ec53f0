import { Piscina } from 'piscina'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ethereum } from '../src/chains/ethereum.js'
import { createBytecodeJudge } from '../src/checks/bytecode/bytecode-judge.js'
import { createCheckSimulation } from '../src/checks/simulation/check-simulation.js'
import { createManualClock } from '../src/clock.js'
import { createMetrics } from '../src/metrics/create-metrics.js'
import { createConcurrencyLimit } from '../src/scheduling/concurrency-limit.js'
import { createSimulator } from '../src/simulation/simulator.js'
import { createMemoryStateSource } from '../src/state/memory-state-source.js'
import { createTestApp, request } from './http/test-app.js'
import { tellStack } from './scenarios.js'
import { threadsOfWorker } from './threads-of-worker.js'

/** From the handler that is given the body to the scenario, each call of a function of ours. */
const MOST_CALLS = 20

const simulator = createSimulator({ threads: threadsOfWorker().trades })
const bytecodeJudge = createBytecodeJudge({ threads: threadsOfWorker().codes })
const { stackTraceLimit } = Error
beforeAll(() => {
  Error.stackTraceLimit = 100
})
afterAll(async () => {
  Error.stackTraceLimit = stackTraceLimit
  vi.restoreAllMocks()
  await simulator.close()
  await bytecodeJudge.close()
})

/** Functions of ours on the stack, the outermost first; none that only waits for several others. */
const callsOn = (stack = ''): string[] =>
  stack
    .split('\n')
    .filter((line) => /\/src\/[^ ]+\.[tj]s/.test(line) && !/at (async )?Promise\./.test(line))
    .map((line) =>
      line.replace(/^ *at (async )?/, '').replace(/\(.*\/(src\/[^:]+).*\)$|file:.*\/(src\/[^:]+).*$/, '$1$2'),
    )
    .toReversed()

/** What comes after the place where `calls` go over into those that are known. */
function append(known: string[], calls: string[]): string[] {
  const last = known.at(-1)
  const at = last === undefined ? -1 : calls.lastIndexOf(last)
  return [...known, ...calls.slice(at + 1)]
}

test('few calls lie between the body of a request and the scenario', async () => {
  // The stack is cut where a queue, a node and a thread are waited for.
  const pieces: string[][] = []
  const note = () => pieces.push(callsOn(new Error().stack))
  const slots = createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 })
  const simulation = createCheckSimulation({
    async openState() {
      note()
      return createMemoryStateSource()
    },
    readShares: () => Promise.reject(new Error('no shares here')),
    readTransfers: async () => ({ logs: [], coveredFrom: 0n, coveredSince: 0, samples: [] }),
    simulator,
    bytecodeJudge,
    clock: createManualClock(),
    traderSecret: new Uint8Array(32),
    onCheckFailure: () => {},
  })
  const { post } = await createTestApp({
    services: {
      slots: {
        ...slots,
        take(request) {
          note()
          return slots.take(request)
        },
      },
      simulation: createMetrics().observe('simulation', simulation),
    },
  })
  const runs = vi.spyOn(Piscina.prototype, 'run').mockImplementation((run: { name: string }) => {
    if (run.name === 'roundTrip') note()
    return Promise.reject(new Error('played elsewhere'))
  })
  await post(request())
  runs.mockRestore()
  const state = createMemoryStateSource()
  const inThread = await simulator.simulate({ scenario: tellStack, input: undefined, chain: ethereum, state })
  const ways = [...pieces, callsOn(inThread)].reduce(append, [])
  const calls = ways.slice(ways.findIndex((call) => call.includes('routes/analyses')))
  const [first] = calls
  expect([first, calls.at(-1)]).toEqual([
    expect.stringContaining('routes/analyses/route'),
    expect.stringContaining('simulation/worker'),
  ])
  expect(calls.length).toBeLessThanOrEqual(MOST_CALLS)
})
