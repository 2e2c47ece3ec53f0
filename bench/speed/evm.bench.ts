import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createCodeCache } from '../../src/evm/code.js'
import { createEngine } from '../../src/evm/create-evm.js'
import { NEVER_HOT } from '../../src/evm/heat.js'
import type { Inspector } from '../../src/evm/inspector.js'
import { createBalanceChangesInspector } from '../../src/evm/inspectors/balance-changes.js'
import { createCallTraceInspector } from '../../src/evm/inspectors/call-trace.js'
import { createLogsInspector } from '../../src/evm/inspectors/logs.js'
import { createOpcodeSetInspector } from '../../src/evm/inspectors/opcode-set.js'
import { createReentrancyInspector } from '../../src/evm/inspectors/reentrancy.js'
import { createStorageAccessInspector } from '../../src/evm/inspectors/storage-access.js'
import { createTaintInspector } from '../../src/evm/inspectors/taint.js'
import { type Address, bytesToHex, toQuantity } from '../../src/hex.js'
import { createAllocatedState } from '../../test/conformance/allocated-state.js'
import { createPeer, peerCall } from './ethereumjs.js'
import { type Job, peerJob, playJob, prepareJob } from './evm-job.js'
import { CALLEE, loops } from './loops.js'
import { best, measure, median, report } from './measure.js'

const RUNNER: Address = '0x00000000000000000000000000000000000c0de1'
const CALLEE_ADDRESS: Address = '0x00000000000000000000000000000000000c0de2'
/**
 * Short enough that a busy machine leaves some runs undisturbed; the best one counts, for every
 * engine.
 */
const LOOP_GAS = 1_000_000
const PEER_LOOP_GAS = 1_000_000
const ANVIL_LOOP_GAS = 10_000_000
/** For a call that ends at once. */
const EMPTY_GAS = 30_000
const MEMORY_JOBS = 10_000
/** As many as make the codes hot that a job runs through. */
const WARM_UP_JOBS = 12_000
/** As many as V8 takes to settle on what one loop does after another. */
const WARM_UP_LOOPS = 300
/** Turns by which watched and plain runs are compared, and the runs of one. */
const WATCHED_ROUNDS = 21
const RUNS_IN_A_TURN = 20
/** Inspectors that watch instructions do so in the interpreter, whatever is hot. */
const interpreted = createCodeCache(NEVER_HOT)
const NO_LIMITS = { steps: 1e12, frames: 1e9, precompileMicros: 1e12, wallClockMs: 1e9 }

/** The engine against its peers, each ratio from one run on one machine. */
export async function run(): Promise<void> {
  const job = await prepareJob()
  try {
    await compareLoops(job)
    await compareJob(job)
    await costOfInspectors(job)
    await memoryAfterManyJobs(job)
  } finally {
    await job.devnet.stop()
  }
}

async function compareJob(job: Job): Promise<void> {
  const traced = () => playJob(job, () => [createCallTraceInspector()])
  const ours = median(await measure(300, WARM_UP_JOBS, traced))
  const peer = median(await measure(30, 5, await peerJob(job)))
  const anvil = median(await measure(100, 20, await anvilJob(job)))
  process.stdout.write('\nWarm job: buy, approve, sell at +12 s, +1 d, +7 d through the real Uniswap V2 router\n')
  report('this engine, with call trees', ours, 'ms', `${(1000 / ours).toFixed(0)} jobs/s on one core`)
  report(
    '@ethereumjs/evm, maps as state, no call trees',
    peer,
    'ms',
    `${(peer / ours).toFixed(1)} times as long (target: at least 20)`,
  )
  report(
    'anvil eth_simulateV1 over HTTP',
    anvil,
    'ms',
    `${(anvil / ours).toFixed(1)} times as long (target: at least 1)`,
  )
}

async function anvilJob(job: Job): Promise<() => Promise<void>> {
  const { amount } = playJob(job, () => [])
  const call = ({ from, to, value = 0n, data, gasLimit, maxFeePerGas }: typeof job.buy) => ({
    from,
    to,
    data,
    value: toQuantity(value),
    gas: toQuantity(gasLimit),
    maxFeePerGas: toQuantity(maxFeePerGas ?? 0n),
    maxPriorityFeePerGas: '0x0',
  })
  const time = (seconds: number) => ({ time: toQuantity(Number(job.block.timestamp) + seconds) })
  return async () => {
    const [blocks] = await job.rpc.batch<{ calls: { status: string }[] }[]>([
      {
        method: 'eth_simulateV1',
        params: [
          {
            blockStateCalls: [
              { blockOverrides: time(0), calls: [call(job.buy), call(job.approve)] },
              ...job.sellAfter.map((seconds) => ({
                blockOverrides: time(seconds),
                calls: [call(job.sell(amount / BigInt(job.sellAfter.length)))],
              })),
            ],
          },
          'latest',
        ],
      },
    ])
    if (blocks?.some(({ calls }) => calls.some(({ status }) => status !== '0x1')))
      throw new Error('anvil failed the job')
  }
}

async function compareLoops(job: Job): Promise<void> {
  process.stdout.write('Raw speed, million gas per second\n')
  for (const [name, code] of Object.entries(loops)) {
    const ours = LOOP_GAS / best(await measure(150, WARM_UP_LOOPS, loopRun(job, code))) / 1000
    const peer = PEER_LOOP_GAS / best(await measure(4, 1, await peerLoop(job, code))) / 1000
    const anvil = await anvilLoop(job, code)
    const note = `ethereumjs ${peer.toFixed(1)} (we are ${(ours / peer).toFixed(1)} times as fast), anvil ${anvil.toFixed(0)} (${(ours / anvil).toFixed(2)} of it)`
    report(name, ours, 'Mgas/s', note)
  }
}

const loopAlloc = (code: Uint8Array) => ({
  [RUNNER]: { code: bytesToHex(code) },
  [CALLEE_ADDRESS]: { code: bytesToHex(CALLEE) },
})

function loopEvm(job: Job, code: Uint8Array) {
  const state = createAllocatedState(loopAlloc(code), () => '0x00')
  return createEngine({ state, block: job.block, hardfork: 'osaka', limits: NO_LIMITS })
}

function loopRun(job: Job, code: Uint8Array, watch: () => Inspector[] = () => []): () => void {
  const { evm } = loopEvm(job, code)
  evm.setBalance(job.trader, 10n ** 30n)
  const start = evm.snapshot()
  return () => {
    evm.transact(
      { from: job.trader, to: RUNNER, gasLimit: BigInt(LOOP_GAS), gasPrice: job.block.baseFeePerGas },
      watch(),
    )
    evm.restore(start)
  }
}

async function peerLoop(job: Job, code: Uint8Array): Promise<() => Promise<void>> {
  const { world, evm } = loopEvm(job, code)
  for (const address of [RUNNER, CALLEE_ADDRESS, job.trader]) evm.account(address)
  const peer = await createPeer(world)
  return async () => {
    await peer.stateManager.checkpoint()
    await peerCall(peer, job.trader, RUNNER, 0n, new Uint8Array(0), BigInt(PEER_LOOP_GAS), job.block)
    await peer.stateManager.revert()
  }
}

/** What an empty call takes is taken off, so that HTTP does not count. */
async function anvilLoop(job: Job, code: Uint8Array): Promise<number> {
  const call = (gas: number) => () =>
    job.rpc
      .call('eth_call', { to: RUNNER, gas: toQuantity(gas), from: job.trader }, 'latest', loopAlloc(code))
      .catch(() => undefined)
  const whole = best(await measure(25, 3, call(ANVIL_LOOP_GAS)))
  const empty = best(await measure(25, 3, call(EMPTY_GAS)))
  return (ANVIL_LOOP_GAS - EMPTY_GAS) / (whole - empty) / 1000
}

async function costOfInspectors(job: Job): Promise<void> {
  const makers: Record<string, () => Inspector> = {
    'call trace': () => createCallTraceInspector(),
    'call trace with logs': () => createCallTraceInspector({ withLog: true }),
    logs: createLogsInspector,
    'storage access': createStorageAccessInspector,
    'balance changes': createBalanceChangesInspector,
    reentrancy: createReentrancyInspector,
    'opcode set': createOpcodeSetInspector,
    taint: createTaintInspector,
  }
  process.stdout.write('\nCost of each inspector on the warm job, both interpreted\n')
  for (const [name, make] of Object.entries(makers)) {
    // In short turns and by processor time, so that a busy machine slows both alike.
    const ratios: number[] = []
    for (let round = 0; round < WATCHED_ROUNDS; round += 1) {
      const plain = processorTime(round, () => playJob(job, () => [], interpreted))
      const watched = processorTime(round, () => playJob(job, () => [make()], interpreted))
      ratios.push(watched / plain)
    }
    const note = name === 'taint' ? '(target: at most 2)' : ''
    report(name, median(ratios), 'times', note)
  }
}

/**
 * Milliseconds of the whole process for one turn of runs, collecting garbage included; the first
 * turn is preceded by some that do not count.
 */
function processorTime(round: number, work: () => unknown): number {
  for (let run = 0; run < (round === 0 ? 50 : 2); run += 1) work()
  const start = process.cpuUsage()
  for (let run = 0; run < RUNS_IN_A_TURN; run += 1) work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

async function memoryAfterManyJobs(job: Job): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  for (let index = 0; index < 1_000; index += 1) playJob(job, () => [createCallTraceInspector()])
  const before = used()
  for (let index = 0; index < MEMORY_JOBS; index += 1) playJob(job, () => [createCallTraceInspector()])
  process.stdout.write('\nMemory\n')
  report('heap in use after 1,000 jobs', before, 'MB')
  report(`heap in use after ${MEMORY_JOBS} more`, used(), 'MB')
}
