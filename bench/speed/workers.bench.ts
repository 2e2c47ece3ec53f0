import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { roundTrip } from '../../src/checks/trade/round-trip.js'
import { createSystemClock } from '../../src/clock.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator, type Simulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import type { StateSource } from '../../src/state/state-source.js'
import { type Job, prepareJob } from './evm-job.js'
import { report } from './measure.js'

/**
 * Jobs by which threads are compared, and after which memory is looked at. `BENCH_JOBS` overrides
 * the second.
 */
const COMPARED_JOBS = 400
const MANY_JOBS = Number(process.env.BENCH_JOBS ?? 10_000)
const WARM_UP_JOBS = 100
/**
 * The jobs after which memory is looked at end when this is over, and what is printed says how many
 * there were.
 */
const MEMORY_TIME_MS = 130_000
/** The part of jobs and time that fills caches and pools before memory is looked at. */
const FILLING_SHARE = 0.1
/** Jobs waiting for a thread at a time. */
const IN_FLIGHT = 8
const MB = 2 ** 20

/**
 * Whole simulation jobs through the pool of worker threads, on state that is known: how many a
 * second, and what they leave behind.
 */
export async function run(): Promise<void> {
  const job = await prepareJob()
  const rpc = createRpcClient({ urls: [job.devnet.url], chainId: 1, clock: createSystemClock() })
  try {
    const target = { chain: job.devnet.chain, address: job.token }
    const state = await openState({ suspect: 'chain', rpc, chain: target.chain, plan: tradePlan('simulate', target) })
    await compareThreads(job, state)
    await memoryInWorker(job, state)
  } finally {
    await Promise.all([rpc.close(), job.devnet.stop()])
  }
}

async function compareThreads(job: Job, state: StateSource): Promise<void> {
  const rates: number[] = []
  for (const threads of [1, 2]) {
    const simulator = createSimulator({ threads })
    await playMany(simulator, job, state, WARM_UP_JOBS * threads)
    const start = performance.now()
    await playMany(simulator, job, state, COMPARED_JOBS)
    const rate = (1000 * COMPARED_JOBS) / (performance.now() - start)
    rates.push(rate)
    const [alone = rate] = rates
    report(`simulation jobs over ${threads} worker(s)`, rate, 'jobs/s', `${(rate / alone).toFixed(2)} of one worker`)
    await simulator.close()
  }
}

async function memoryInWorker(job: Job, state: StateSource): Promise<void> {
  const simulator = createSimulator({ threads: 1 })
  const collect = exposeCollector()
  const print = (when: string) => {
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    report(`heap and buffers of the main thread ${when}`, (heapUsed + external) / MB, 'MB')
    report(`resident, worker included, ${when}`, rss / MB, 'MB')
    return rss
  }
  const filled = await playMany(simulator, job, state, MANY_JOBS * FILLING_SHARE, MEMORY_TIME_MS * FILLING_SHARE)
  const before = print(`after ${filled} jobs`)
  const played = await playMany(simulator, job, state, MANY_JOBS, MEMORY_TIME_MS)
  const after = print(`after ${played} more`)
  const ending = played < MANY_JOBS ? `, ended by the clock before ${MANY_JOBS} jobs` : ''
  process.stdout.write(`Resident memory grew to ${(after / before).toFixed(3)} of what it was${ending}\n`)
  await simulator.close()
}

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

/**
 * Judges the token again and again, each time with another trader, until `count` or `timeMs` is
 * reached. Returns how often.
 */
async function playMany(
  simulator: Simulator,
  { devnet: { chain }, token }: Job,
  state: StateSource,
  count: number,
  timeMs = Number.POSITIVE_INFINITY,
): Promise<number> {
  const end = performance.now() + timeMs
  let begun = 0
  const worker = async () => {
    while (begun < count && performance.now() < end) {
      begun += 1
      const seed = `0x${begun.toString(16).padStart(64, '0')}` as const
      await simulator.simulate({ scenario: roundTrip, input: { address: token, seed }, chain, state })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  return begun
}
