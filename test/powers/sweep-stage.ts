import type { PowersFacts, Recipe } from '../../src/checks/powers/power.js'
import { createReadRoleMembers } from '../../src/checks/powers/read-role-members.js'
import { sweepPowers } from '../../src/checks/powers/sweep-powers.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import type { Verdict } from '../../src/reports/verdict.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import { compileSolidity } from '../phishing/grammar.js'
import { threadsOfWorker } from '../threads-of-worker.js'
import { listAll, type Offer } from '../traps/trap-market.js'
import { judgeSweep } from './judge-sweep.js'

/** A devnet on which tokens are listed and their powers swept. */
export interface SweepStage {
  devnet: Devnet
  list(offers: readonly Offer[]): Promise<Address[]>
  /**
   * `loads`: how often the sweep itself had to ask for more state, once trading had read what it
   * needs.
   */
  sweep(token: Address, recipes?: readonly Recipe[]): Promise<{ facts: PowersFacts; verdict: Verdict; loads: number }>
  stop(): Promise<void>
}

/** Lists all contracts of a source as they are; by their names. */
export async function listCompiled({ list }: SweepStage, source: string): Promise<ReadonlyMap<string, Address>> {
  const offers = [...compileSolidity(source)].map(([name, creationCode]) => ({ name, creationCode, after: [] }))
  const listed = await list(offers)
  return new Map(listed.map((token, i) => [offers[i]?.name ?? '', token]))
}

/** What a busy machine takes must not decide: sweeps end by counts. */
const PATIENCE_MS = 60_000
const SEED: Hex = `0x${'5a'.repeat(32)}`
/** Where Safe 1.4.1 lies on every chain. Whose code it is decides; what it does is never asked. */
const SAFE = '0x41675c099f32341bf84bfc5382af534df5c7461a'

export async function startSweepStage(): Promise<SweepStage> {
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const { chain } = devnet
  await devnet.node.call('anvil_setCode', SAFE, '0x60006000fd')
  const rpc = createRpcClient({ urls: [devnet.url], chainId: 1, clock: createSystemClock() })
  const readRoleMembers = createReadRoleMembers(() => rpc)
  const memory = createStateMemory({ clock: createSystemClock(), maxHeadShareMs: 0 })
  const simulator = createSimulator({
    threads: threadsOfWorker().trades,
    limits: { wallClockMs: PATIENCE_MS },
    runTimeoutMs: 2 * PATIENCE_MS,
  })
  return {
    devnet,
    list: (offers) => listAll(devnet, offers),
    async sweep(target, recipes = []) {
      await devnet.node.call('evm_mine')
      const budget = rpc.createBudget({ deadlineMs: PATIENCE_MS })
      const plan = tradePlan('honeypot', { chain, address: target })
      const opened = await openState({ suspect: 'chain', rpc, chain, memory, budget, plan })
      let loads = 0
      const state: typeof opened = {
        ...opened,
        load(misses) {
          loads += 1
          return opened.load(misses)
        },
      }
      const { accounts: members } = await readRoleMembers({ chain, address: target }, opened)
      const input = { address: target, seed: SEED, recipes, members }
      const facts = await simulator.simulate({ scenario: sweepPowers, input, chain, state })
      const sweep = { ...facts, unfinished: facts.unfinished || undefined }
      return { facts, verdict: judgeSweep(sweep), loads }
    },
    async stop() {
      await simulator.close()
      await rpc.close()
      await devnet.stop()
    },
  }
}
