import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Chain } from './chains/chain.js'
import { chains } from './chains/index.js'
import { type BytecodeJudge, createBytecodeJudge } from './checks/bytecode/bytecode-judge.js'
import { type CheckDependencies, createExecuteSimulation } from './checks/execute-simulation.js'
import { createReadTransfers } from './checks/history/read-transfers.js'
import { createCheckHoneypot } from './checks/honeypot/check-honeypot.js'
import { type Clock, createSystemClock } from './clock.js'
import type { Config } from './config.js'
import { createLog, type Log } from './http/log.js'
import type { Services } from './http/services.js'
import { createKeyStore } from './keys/create-key-store.js'
import type { KeyStore } from './keys/key-store.js'
import { createKeyVerifier } from './keys/verify.js'
import { writeUses } from './keys/write-uses.js'
import { createLimiter } from './limits/create-limiter.js'
import { createSlots } from './limits/slots.js'
import { createRpcClient, type RpcClient } from './rpc/client.js'
import { createSimulator } from './simulation/simulator.js'
import { createRedisFactStore } from './state/redis-fact-store.js'
import { openState } from './state/rpc-state-source.js'
import { createStateMemory, type StateMemory } from './state/state-memory.js'

/** The services with what only their owner may touch. */
export interface OwnedServices {
  services: Services
  keyStore: KeyStore
  clock: Clock
  log: Log
  /** Lets go of every node, store and thread. */
  close(): Promise<void>
}

/** Wires the real nodes, stores, clock, threads and log, as `config` says. The one place that does. */
export async function createServices(config: Config): Promise<OwnedServices> {
  const clock = createSystemClock()
  const log = createLog({ level: config.logLevel })
  const keyStore = await createKeyStore(config)
  const rpcClients = new Map(chains.map((chain) => [chain.id, createClient(config, chain, clock, log)]))
  const onStrayError = (error: unknown) => log.warn({ error }, 'an error in a worker thread that belongs to no run')
  const simulator = createSimulator({ onStrayError })
  const bytecodeJudge = createBytecodeJudge({ onStrayError })
  const keys = createKeyVerifier({ store: keyStore, clock })
  const uses = writeUses(keys, (error) => log.warn({ error }, 'last uses of keys could not be written'))
  const limiter = createLimiter({
    config,
    clock,
    onOutage: (error) => log.error({ error }, 'limiter store is down, counting in this process'),
    onRecovery: () => log.info('limiter store is back'),
  })
  const fleet = createFleetStore(config, clock, log)
  const memory = createStateMemory({ clock, fleet })
  const checks = createCheckDependencies({ rpcClients, memory, simulator, bytecodeJudge, clock, log })
  const services: Services = {
    config,
    clock,
    log,
    keys,
    limiter,
    slots: createSlots({ concurrency: availableParallelism(), maxWaiting: MAX_WAITING_ANALYSES }),
    dependencies: { keys: () => keyStore.ping() },
    executeSimulation: createExecuteSimulation(checks),
    checkHoneypot: createCheckHoneypot(checks),
  }
  return {
    services,
    keyStore,
    clock,
    log,
    async close() {
      await Promise.all([...rpcClients.values()].map((rpc) => rpc.close()))
      await uses.stop()
      await fleet?.close()
      await Promise.all([simulator.close(), bytecodeJudge.close(), limiter.close(), keyStore.close()])
    },
  }
}

/** Above this a client is better told to come back than left waiting. */
const MAX_WAITING_ANALYSES = 64

function createClient({ rpcUrls, maxHeadAgeMs }: Config, chain: Chain, clock: Clock, log: Log): RpcClient {
  const urls = rpcUrls[chain.id] ?? chain.defaultRpcUrls
  return createRpcClient({ urls, chainId: chain.id, clock, log, limits: { maxHeadAgeMs } })
}

/** What a fleet of machines learns together; each process learns for itself without Redis. */
function createFleetStore({ redisUrl }: Config, clock: Clock, log: Log) {
  if (redisUrl === undefined) return undefined
  const onOutage = (error: unknown) => log.warn({ error }, 'the shared store is down, learning alone')
  return createRedisFactStore({ url: redisUrl, clock, onOutage })
}

interface Parts {
  rpcClients: ReadonlyMap<number, RpcClient>
  memory: StateMemory
  simulator: CheckDependencies['simulator']
  bytecodeJudge: BytecodeJudge
  clock: Clock
  log: Log
}

function createCheckDependencies({
  rpcClients,
  memory,
  simulator,
  bytecodeJudge,
  clock,
  log,
}: Parts): CheckDependencies {
  const rpcOf = (chain: Chain) => {
    const rpc = rpcClients.get(chain.id)
    if (!rpc) throw new RangeError(`no client for chain ${chain.id}`)
    return rpc
  }
  return {
    openState: ({ chain, blockNumber, signal }, plan) => {
      const rpc = rpcOf(chain)
      return openState({ rpc, chain, blockNumber, memory, plan, budget: rpc.createBudget(signal ? { signal } : {}) })
    },
    readTransfers: createReadTransfers(rpcOf),
    simulator,
    bytecodeJudge,
    clock,
    traderSecret: randomBytes(TRADER_SECRET_BYTES),
    onCheckFailure: (check, error) => log.warn({ check, error }, 'a check failed'),
  }
}

const TRADER_SECRET_BYTES = 32
