import { randomBytes } from 'node:crypto'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { timeTravel } from '../../src/checks/honeypot/time-travel.js'
import type { AnalysisTarget } from '../../src/checks/target.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { roundTrip } from '../../src/checks/trade/round-trip.js'
import { runTradeScenario, type TradeInput } from '../../src/checks/trade/run-trade-scenario.js'
import { createSystemClock } from '../../src/clock.js'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import { type Address, bytesToHex } from '../../src/hex.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import type { Scenario } from '../../src/simulation/scenario.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import playInThread, { type RunAnswer } from '../../src/simulation/worker.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import type { StateSource } from '../../src/state/state-source.js'
import { startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { listAll } from '../../test/traps/trap-market.js'
import { report } from './measure.js'
import { type Measured, medianOf, sayRatio, startYardstick, type Yardstick } from './yardstick.js'

const ROUNDS = 25
const WARM_UP_ROUNDS = 30
/**
 * An ordinary token, one with fees and a sale of them, one that reads the clock and never looks at
 * it, one whose fee moves, and a plain trap.
 */
const TOKENS = ['SellLimitTwin', 'SwapBack', 'BlockDiary', 'DelayedFeeTwin', 'PairSellBlock']
/** Of the yardstick, for half of the tokens at least: 40 ms where that takes 53. */
const TARGET = 0.75
/** Of a cold check, beyond those of one simulation. */
const TARGET_ROUND_TRIPS = 1

/**
 * What a honeypot check costs: processor time when all state is known, and round trips to a node
 * that knows no shortcuts when none is.
 */
export async function run(): Promise<void> {
  const [, generation] = generations
  const codes = generation && readCompiledTraps(generation)
  if (!codes) throw new Error('contracts/traps has changed. Run: npm run compile:traps')
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const offers = TOKENS.map((name) => ({ name, creationCode: codes.get(name) ?? '0x', after: [] }) as const)
  const addresses = await listAll(devnet, offers)
  const proxy = await startFaultProxy(devnet.url)
  proxy.inject(...limitedNode('debug_traceCall', 'eth_getStorageValues', 'eth_simulateV1', 'eth_createAccessList'))
  const clock = createSystemClock()
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
  await rpc.probe()
  const simulator = createSimulator({ threads: 1 })
  const yardstick = await startYardstick()
  process.stdout.write(`processor time of a warm check, median of ${ROUNDS}\n\n`)
  const all: Measured[] = []
  const targets = addresses.map((address): AnalysisTarget => ({ chain: devnet.chain, address }))
  const runs = await Promise.all(targets.map((target) => prepareRuns(rpc, target)))
  for (const [i, { simulated, checked }] of (await measureWarm(runs, yardstick)).entries()) {
    all.push(checked)
    const note = `${(checked.ms / simulated.ms).toFixed(1)} simulations of ${simulated.ms.toFixed(1)} ms`
    report(TOKENS[i] ?? '', checked.ms, 'ms', note)
  }
  const half = medianOf(all)
  report('half of them at most', half.ms, 'ms', sayRatio(half.ratio, TARGET))
  process.stdout.write(`\nround trips of a cold check, target at most ${TARGET_ROUND_TRIPS} beyond one simulation\n\n`)
  for (const [i, name] of TOKENS.entries()) {
    const target: AnalysisTarget = { chain: devnet.chain, address: addresses[i] ?? '0x' }
    const count = async (job: 'simulate' | 'honeypot', scenario: Scenario<TradeInput, object>) => {
      const state = await openState({ suspect: 'chain', rpc, chain: devnet.chain, plan: tradePlan(job, target) })
      let loads = 0
      const load: StateSource['load'] = (...args) => {
        loads += 1
        return state.load(...args)
      }
      const secret = randomBytes(32)
      await runTradeScenario({ simulator, traderSecret: secret }, scenario, target, { ...state, load })
      return loads + 1
    }
    const one = await count('simulate', roundTrip)
    const all = await count('honeypot', timeTravel)
    const note = `one simulation: ${one}${all - one > TARGET_ROUND_TRIPS ? ', MISSED' : ''}`
    report(name, all, 'trips', note)
  }
  await Promise.all([rpc.close(), simulator.close(), proxy.close(), devnet.stop(), yardstick.stop()])
}

/** A run in this thread; `undefined` where it met state that was not known, which is known then. */
type Play = (measure: Yardstick['measure']) => Promise<Measured | undefined>

/** Simulations, and whole checks, of a token whose state is known once they were played. */
async function prepareRuns(rpc: RpcClient, { chain, address }: AnalysisTarget): Promise<Record<Kind, Play>> {
  const memory = createStateMemory({ clock: createSystemClock() })
  const plan = tradePlan('honeypot', { chain, address })
  const state = await openState({ suspect: 'chain', rpc, chain, memory, plan })
  const seed = bytesToHex(randomBytes(32))
  const input: TradeInput = { address: address as Address, seed }
  const prepare = ({ module, name }: Scenario<TradeInput, object>): Play => {
    return async (measure) => {
      const started = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
      const run = { started, module, name, input, chain, chainKey: 'bench', block: state.block, state: state.log() }
      let answer: RunAnswer | undefined
      const measured = await measure(async () => {
        answer = await playInThread(run)
      })
      if (answer?.kind === 'missing') await state.load(answer.misses)
      // Before its code is compiled, and on a busy machine, a run may take too long.
      return answer?.kind === 'done' ? measured : undefined
    }
  }
  return { simulated: prepare(roundTrip), checked: prepare(timeTravel) }
}

const KINDS = ['simulated', 'checked'] as const
type Kind = (typeof KINDS)[number]

/**
 * The median run of either kind, one token after the other, once all were played so often that V8
 * compiles little any more.
 */
async function measureWarm(runs: readonly Record<Kind, Play>[], yardstick: Yardstick) {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const run of runs) for (const kind of KINDS) await run[kind](unmeasured)
  const took: Record<Kind, Measured>[] = []
  for (const run of runs) {
    const own: Record<Kind, Measured[]> = { simulated: [], checked: [] }
    for (const kind of KINDS)
      for (let round = 0; round < ROUNDS; round += 1) {
        const measured = await run[kind](yardstick.measure)
        if (measured) own[kind].push(measured)
      }
    took.push({ simulated: medianOf(own.simulated), checked: medianOf(own.checked) })
  }
  return took
}

const unmeasured: Yardstick['measure'] = async (work) => {
  await work()
  return { ms: 0, ratio: 0 }
}
