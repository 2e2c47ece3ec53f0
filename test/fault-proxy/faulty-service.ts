import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBytecodeJudge } from '../../src/checks/bytecode/bytecode-judge.js'
import { createReadTransfers } from '../../src/checks/history/read-transfers.js'
import { createCheckHoneypot } from '../../src/checks/honeypot/check-honeypot.js'
import { createReadShares } from '../../src/checks/liquidity/read-shares.js'
import { createRecipeMemory } from '../../src/checks/powers/recipe-memory.js'
import { type CheckDependencies, createCheckSimulation } from '../../src/checks/simulation/check-simulation.js'
import { createSystemClock } from '../../src/clock.js'
import { readConfig } from '../../src/config.js'
import type { Devnet } from '../../src/devnet/start-devnet.js'
import { createApp } from '../../src/http/app.js'
import { listen } from '../../src/http/listen.js'
import { issueKey } from '../../src/keys/issue.js'
import { type Checks, createAssess } from '../../src/reports/assess.js'
import { createRpcClient, type RpcLimits } from '../../src/rpc/rpc-client.js'
import { createConcurrencyLimit } from '../../src/scheduling/concurrency-limit.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'
import { createServices } from '../../src/wiring/create-services.js'
import { threadsOfWorker } from '../threads-of-worker.js'

export const ROUTES = ['/api/simulate/execute-simulation', '/api/honeypot/honeypot-checks'] as const
export type AnalysisPath = (typeof ROUTES)[number]

export interface Answer {
  status: number
  /** The body as it came. */
  text: string
  elapsedMs: number
}

export interface FaultyService {
  /**
   * Asks the running service, which for this one request believes these to be its nodes and has met
   * neither them nor the token.
   */
  ask(nodeUrls: readonly string[], path: AnalysisPath, target: string): Promise<Answer>
  stop(): Promise<void>
}

export interface FaultyServiceOptions {
  devnet: Devnet
  limits: Partial<RpcLimits>
  /** Requests that are worked on at the same time. */
  concurrency: number
}

/**
 * The service on a port, with its stores, threads and routes, but with nodes and memory of their
 * own for each request: what one fault leaves behind (a node left alone, a token remembered) does
 * not reach the next. Requests are told apart by the odd amount that each asks to trade.
 */
export async function startFaultyService({
  devnet,
  limits,
  concurrency,
}: FaultyServiceOptions): Promise<FaultyService> {
  const { chain } = devnet
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  const config = readConfig({ HOST: '127.0.0.1', PORT: '0', ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'silent' })
  const threads = threadsOfWorker()
  const { services, keyStore, close } = await createServices(config, { threads })
  const clock = createSystemClock()
  const simulator = createSimulator({ ...PATIENCE, threads: threads.trades })
  const bytecodeJudge = createBytecodeJudge({ threads: threads.codes })
  const asked = new Map<bigint, Omit<CheckDependencies, 'tradeAsked'>>()
  const of = (amount: bigint | undefined) => {
    const dependencies = asked.get(amount ?? 0n)
    if (dependencies === undefined) throw new RangeError('a request that nobody sent')
    return dependencies
  }
  const checks: Checks = {
    simulation: ({ amount, ...target }) => createCheckSimulation(of(amount))({ ...target, chain }),
    honeypot({ amount, ...target }) {
      const dependencies = { ...of(amount), recipes: createRecipeMemory(), looksAround: false }
      return createCheckHoneypot(dependencies)({ ...target, chain })
    },
    phishing: () => Promise.reject(new RangeError('phishing is not asked for')),
  }
  const app = createApp({
    ...services,
    slots: createConcurrencyLimit({ concurrency, maxWaiting: MAX_WAITING }),
    assess: createAssess(checks, { onFailure: () => {} }),
  })
  const { url, stop } = await listen(app, config)
  const tier = { tier: 'partner', limits: { analysis: 10_000, general: 10_000 } } as const
  const { key } = await issueKey({ store: keyStore, clock }, { label: 'faults', ...tier })
  let requests = 0n

  return {
    async ask(nodeUrls, path, targetContractAddress) {
      requests += 1n
      const amount = requests
      const rpc = createRpcClient({ urls: nodeUrls, chainId: chain.id, clock, limits })
      const memory = createStateMemory({ clock })
      asked.set(amount, {
        openState: ({ blockNumber, signal }, plan) =>
          openState({
            suspect: 'chain',
            rpc,
            chain,
            blockNumber,
            memory,
            plan,
            budget: rpc.createBudget(signal ? { signal } : {}),
          }),
        readTransfers: createReadTransfers(() => rpc),
        readShares: createReadShares(() => rpc),
        simulator,
        bytecodeJudge,
        clock,
        traderSecret: TRADER_SECRET,
        onCheckFailure: () => {},
      })
      const start = performance.now()
      try {
        const response = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ targetContractAddress, chainId: chain.id, amount: String(amount), only: true }),
        })
        return { status: response.status, text: await response.text(), elapsedMs: performance.now() - start }
      } finally {
        asked.delete(amount)
        await rpc.close()
      }
    },
    async stop() {
      await stop()
      await Promise.all([close(), simulator.close(), bytecodeJudge.close()])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const MAX_WAITING = 64
/** What a loaded machine takes for a run is not what is tested here. */
const PATIENCE = { runTimeoutMs: 60_000, limits: { wallClockMs: 30_000 } }
/** The same trader each time, so that reports can be compared. */
const TRADER_SECRET = Buffer.alloc(32, 7)
