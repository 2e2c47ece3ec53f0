import { tradePlan } from '../../src/checks/open-state.js'
import { roundTrip } from '../../src/checks/simulate/round-trip.js'
import { createSystemClock } from '../../src/clock.js'
import { createRpcClient } from '../../src/rpc/client.js'
import { createSimulator, type Simulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import type { StateSource } from '../../src/state/state-source.js'
import { type Job, prepareJob } from './evm-job.js'
import { report } from './measure.js'

/** Jobs by which threads are compared, and after which memory is looked at. `BENCH_JOBS` overrides the second. */
const COMPARED_JOBS = 400
const MANY_JOBS = Number(process.env.BENCH_JOBS ?? 10_000)
const WARM_UP_JOBS = 100
/** Jobs waiting for a thread at a time. */
const IN_FLIGHT = 8
const MB = 2 ** 20

/** Whole simulation jobs through the pool of worker threads, on state that is known: how many a second, and what they leave behind. */
export async function run(): Promise<void> {
  const job = await prepareJob()
  const rpc = createRpcClient({ urls: [job.devnet.url], chainId: 1, clock: createSystemClock() })
  try {
    const target = { chain: job.devnet.chain, address: job.token }
    const state = await openState({ rpc, chain: target.chain, plan: tradePlan('simulate', target) })
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
  await playMany(simulator, job, state, MANY_JOBS / 10)
  const before = process.memoryUsage.rss() / MB
  await playMany(simulator, job, state, MANY_JOBS)
  const after = process.memoryUsage.rss() / MB
  report(`resident after ${MANY_JOBS / 10} jobs in a worker`, before, 'MB')
  report(`resident after ${MANY_JOBS} more`, after, 'MB', `${(after / before).toFixed(3)} of it`)
  await simulator.close()
}

/** Judges the token again and again, each time with another trader. */
async function playMany(simulator: Simulator, { devnet: { chain }, token }: Job, state: StateSource, count: number) {
  let begun = 0
  const worker = async () => {
    while (begun < count) {
      begun += 1
      const seed = `0x${begun.toString(16).padStart(64, '0')}` as const
      await simulator.simulate({ scenario: roundTrip, input: { target: token, seed }, chain, state })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}
