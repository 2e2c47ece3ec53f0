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
import playInThread from '../../src/simulation/worker.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import type { StateSource } from '../../src/state/state-source.js'
import { startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { listAll } from '../../test/traps/trap-market.js'
import { median, report } from './measure.js'

const ROUNDS = 25
const WARM_UP_ROUNDS = 10
/** Rounds, those that fetch state, and those that a busy machine spoils. */
const MAX_TRIES = 100
/**
 * An ordinary token, one with fees and a sale of them, one that reads the clock and never looks at
 * it, one whose fee moves, and a plain trap.
 */
const TOKENS = ['SellLimitTwin', 'SwapBack', 'BlockDiary', 'DelayedFeeTwin', 'PairSellBlock']
/**
 * Milliseconds of processor time for a warm check, for half of the tokens at least, and round trips
 * of a cold one beyond those of one simulation.
 */
const TARGET_MS = 150
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

  process.stdout.write(`processor time of a warm check, median of ${ROUNDS}, target below ${TARGET_MS} ms for half\n\n`)
  const all: number[] = []
  for (const [i, name] of TOKENS.entries()) {
    const target: AnalysisTarget = { chain: devnet.chain, address: addresses[i] ?? '0x' }
    const { simulated, checked } = await measureWarm(rpc, target)
    all.push(checked)
    report(`${name}`, checked, 'ms', `${(checked / simulated).toFixed(1)} simulations of ${simulated.toFixed(1)} ms`)
  }
  report('half of them at most', median(all), 'ms', median(all) < TARGET_MS ? '' : 'MISSED')
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
  await Promise.all([rpc.close(), simulator.close(), proxy.close(), devnet.stop()])
}

/**
 * Milliseconds of processor time for one simulation and for the whole check, in this thread, on
 * state that is known.
 */
async function measureWarm(rpc: RpcClient, target: AnalysisTarget) {
  const { chain, address } = target
  const memory = createStateMemory({ clock: createSystemClock() })
  const state = await openState({ suspect: 'chain', rpc, chain, memory, plan: tradePlan('honeypot', target) })
  const seed = bytesToHex(randomBytes(32))
  const input: TradeInput = { address: address as Address, seed }
  const play = async ({ module, name }: Scenario<TradeInput, object>) => {
    const times: number[] = []
    for (let tries = 0; times.length < WARM_UP_ROUNDS + ROUNDS; tries += 1) {
      if (tries > MAX_TRIES) throw new Error('the check does not come to an end')
      const start = process.cpuUsage()
      const started = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
      const run = { started, module, name, input, chain, chainKey: 'bench', block: state.block, state: state.log() }
      const answer = await playInThread(run)
      const { user, system } = process.cpuUsage(start)
      if (answer.kind === 'missing') await state.load(answer.misses)
      // Before its code is compiled, and on a busy machine, a run may take too long.
      if (answer.kind === 'done') times.push((user + system) / 1_000)
    }
    return median(times.slice(WARM_UP_ROUNDS))
  }
  return { simulated: await play(roundTrip), checked: await play(timeTravel) }
}
