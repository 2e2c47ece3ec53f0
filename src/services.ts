import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createSignIn } from './accounts/sign-in.js'
import { createSqlAccountStore } from './accounts/sql-account-store.js'
import type { CallNode } from './accounts/verify-signature.js'
import { createWalletKeys } from './accounts/wallet-keys.js'
import { type Batches, createBatches } from './batches/create-batches.js'
import { createDeliverWebhook } from './batches/deliver-webhook.js'
import { createRedisJobQueue } from './batches/redis-job-queue.js'
import { createSqlBatchStore } from './batches/sql-batch-store.js'
import { createSqlJobQueue } from './batches/sql-job-queue.js'
import { type BatchWorkOptions, createBatchWork } from './batches/work-on-batch.js'
import type { Chain } from './chains/chain.js'
import { chains } from './chains/index.js'
import { type BytecodeJudge, createBytecodeJudge } from './checks/bytecode/bytecode-judge.js'
import { type CheckDependencies, createExecuteSimulation } from './checks/execute-simulation.js'
import { createReadTransfers } from './checks/history/read-transfers.js'
import { createCheckHoneypot } from './checks/honeypot/check-honeypot.js'
import { createReadShares } from './checks/liquidity/read-shares.js'
import { createNativeTokenJudge } from './checks/native-tokens/native-token-judge.js'
import { createReadB20 } from './checks/native-tokens/read-b20.js'
import { createCheckPhishing } from './checks/phishing/check-phishing.js'
import { createReadRoleMembers } from './checks/powers/read-role-members.js'
import { createRecipeMemory } from './checks/powers/recipe-memory.js'
import { createReadMarketHints } from './checks/read-market-hints.js'
import { createCheckSolanaToken } from './checks/solana/check-token.js'
import { createReadSets } from './checks/solana/read-sets.js'
import { TRUSTED_MINTS } from './checks/solana/trusted-mints.js'
import type { AnalysisTarget } from './checks/target.js'
import { type Clock, createSystemClock } from './clock.js'
import type { Config } from './config.js'
import { toQuantity } from './hex.js'
import { createAnswerCache } from './http/answer-cache.js'
import { createLog, type Log } from './http/log.js'
import { analyseBatchItem, refuseBatchItem } from './http/routes/batch/analyse-item.js'
import type { Services } from './http/services.js'
import { openStores } from './keys/create-key-store.js'
import type { Db } from './keys/database.js'
import type { KeyStore } from './keys/key-store.js'
import { createKeyVerifier } from './keys/verify.js'
import { writeUses } from './keys/write-uses.js'
import { createLimiter } from './limits/create-limiter.js'
import type { Limiter } from './limits/limiter.js'
import { createSlots, type Slots } from './limits/slots.js'
import { createMetrics, type Metrics } from './metrics/create-metrics.js'
import { createReportSeal } from './reports/seal.js'
import { createSigningKey } from './reports/signing-key.js'
import { createRpcClient, type RpcClient } from './rpc/client.js'
import { ethCall } from './rpc/methods.js'
import { createNodeEngines } from './simulation/node-engine/create-node-engines.js'
import { createSimulator, type Simulator } from './simulation/simulator.js'
import { createProgramMemory } from './solana/program-memory.js'
import { createSolanaRpc } from './solana/rpc/client.js'
import { createSvmEngine } from './solana/svm/engine.js'
import { createRedisFactStore } from './state/redis-fact-store.js'
import { openState } from './state/rpc-state-source.js'
import { createStateMemory, type StateMemory } from './state/state-memory.js'
import { createTracing, type Tracing } from './tracing/create-tracing.js'

/** The services with what only their owner may touch. */
export interface OwnedServices {
  services: Services
  keyStore: KeyStore
  clock: Clock
  log: Log
  batches: Batches
  metrics: Metrics
  /** Lets go of every node, store and thread. */
  close(): Promise<void>
}

export interface ServicesOptions {
  /** Whether the honeypot check looks beyond the trade: at powers, holders and liquidity. For tests and benches that are about trading. */
  looksAround?: boolean
}

/** Wires the real nodes, stores, clock, threads and log, as `config` says. The one place that does. */
export async function createServices(
  config: Config,
  { looksAround = true }: ServicesOptions = {},
): Promise<OwnedServices> {
  const clock = createSystemClock()
  const log = createLog({ level: config.logLevel })
  const { db, keyStore } = await openStores(config)
  const accountStore = createSqlAccountStore(db)
  const rpcClients = new Map(chains.map((chain) => [chain.id, createClient(config, chain, clock, log)]))
  const onStrayError = (error: unknown) => log.warn({ error }, 'an error in a worker thread that belongs to no run')
  const nodeEngines = (chain: Chain) => {
    const rpc = rpcClients.get(chain.id)
    return rpc ? createNodeEngines({ rpc, chain }) : []
  }
  const tracing = await createTracing({
    endpoint: config.otlpEndpoint,
    version: config.engineVersion,
    onFailure: (error) => log.warn({ error }, 'traces could not be sent'),
  })
  const simulator = traceSimulator(createSimulator({ onStrayError, nodeEngines }), tracing)
  const bytecodeJudge = createBytecodeJudge({ onStrayError })
  const keys = createKeyVerifier({ store: keyStore, clock })
  const uses = writeUses(keys, (error) => log.warn({ error }, 'last uses of keys could not be written'))
  const limiter = await createLimiter({
    config,
    clock,
    onOutage: (error) => log.error({ error }, 'limiter store is down, counting in this process'),
    onRecovery: () => log.info('limiter store is back'),
  })
  const fleet = createFleetStore(config, clock, log)
  const metrics = createMetrics()
  const memory = createStateMemory({ clock, fleet, onLookup: metrics.countLookup })
  const observe = <Report>(check: string, run: (target: AnalysisTarget) => Promise<Report>) =>
    metrics.observe(
      check,
      tracing.observe(`analysis ${check}`, run, ({ chain }) => ({ 'assay.chain_id': chain.id })),
    )
  const checks = createCheckDependencies({ rpcClients, memory, simulator, bytecodeJudge, clock, log, metrics, tracing })
  const solana = createSolana(config, { clock, log, metrics, onStrayError })
  const slots = createSlots({ concurrency: availableParallelism(), maxWaiting: MAX_WAITING_ANALYSES })
  const batches = createBatchService(config, {
    db,
    keyStore,
    limiter,
    slots,
    clock,
    log,
    analyse: (request, signal) => analyseBatchItem(services, request, signal),
  })
  const services: Services = {
    config,
    clock,
    log,
    keys,
    signIn: createSignIn({
      store: accountStore,
      clock,
      origins: config.publicOrigins,
      callNode: callNodeOf(rpcClients),
    }),
    walletKeys: createWalletKeys({ keyStore, accountStore, clock }),
    limiter,
    slots,
    batches,
    answers: createAnswerCache({
      headOf: (chain) => memory.head(chain)?.block.hash,
      onLookup: (isHit) => metrics.countLookup('answers', isHit),
    }),
    seals: createReportSeal({
      traderSecret: checks.traderSecret,
      signingKey: config.signingKey === undefined ? undefined : createSigningKey(config.signingKey),
    }),
    dependencies: { keys: () => keyStore.ping() },
    executeSimulation: observe('simulation', createExecuteSimulation(checks)),
    checkPhishing: observe('phishing', createCheckPhishing(checks)),
    checkSolanaToken: metrics.observe('solana', tracing.observe('analysis solana', solana.check)),
    checkHoneypot: observe(
      'honeypot',
      createCheckHoneypot({
        ...checks,
        recipes: createRecipeMemory(),
        looksAround,
        onSweepFailure: (error) => log.warn({ error }, 'the powers over a token could not be tried'),
      }),
    ),
  }
  metrics.watch({
    nodes: new Map(
      chains.flatMap(({ id, name }) => {
        const rpc = rpcClients.get(id)
        return rpc === undefined ? [] : [[name, () => rpc.stats()]]
      }),
    ),
    memory: () => memory.stats(),
    slots,
    queueDepth: () => batches.depth(),
  })
  return {
    services,
    keyStore,
    clock,
    log,
    batches,
    metrics,
    async close() {
      await batches.close()
      await Promise.all([...rpcClients.values()].map((rpc) => rpc.close()))
      await solana.close()
      await uses.stop()
      await fleet?.close()
      await tracing.close()
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

interface BatchParts extends Pick<BatchWorkOptions, 'analyse'> {
  db: Db
  keyStore: KeyStore
  limiter: Limiter
  slots: Slots
  clock: Clock
  log: Log
}

/** Batches live in the database; who works on which is decided there too, or in Redis when there is one. */
function createBatchService({ redisUrl, privateWebhooks }: Config, parts: BatchParts): Batches {
  const { db, keyStore, clock, log } = parts
  const store = createSqlBatchStore(db)
  const onFailure = (error: unknown) => log.warn({ error }, 'the queue of batches failed; it goes on')
  const work = createBatchWork({
    ...parts,
    store,
    findKey: keyStore.find,
    refuse: refuseBatchItem,
    deliver: createDeliverWebhook({ allowPrivate: privateWebhooks, now: clock.now }),
    onWebhookFailure: (error) => log.warn({ error }, 'a webhook was not delivered'),
  })
  const queue =
    redisUrl === undefined ? createSqlJobQueue({ db, onFailure }) : createRedisJobQueue({ url: redisUrl, onFailure })
  return createBatches({ store, queue, work, clock, onFailure })
}

/** What contract wallets are asked at sign-in; chains without a client do not reach it. */
function callNodeOf(rpcClients: ReadonlyMap<number, RpcClient>): CallNode {
  return async (chainId, { to, data }) => {
    const rpc = rpcClients.get(chainId)
    if (!rpc) throw new RangeError(`no client for chain ${chainId}`)
    return rpc.call(ethCall({ ...(to && { to }), data, gas: WALLET_CALL_GAS }, 'latest'))
  }
}

/** Enough to put a wallet in place and have it check a few signatures. */
const WALLET_CALL_GAS = toQuantity(10_000_000)

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
  metrics: Pick<Metrics, 'countExhaustion'>
  tracing: Tracing
}

function createCheckDependencies({
  rpcClients,
  memory,
  simulator,
  bytecodeJudge,
  clock,
  log,
  metrics,
  tracing,
}: Parts): CheckDependencies {
  const rpcOf = (chain: Chain) => {
    const rpc = rpcClients.get(chain.id)
    if (!rpc) throw new RangeError(`no client for chain ${chain.id}`)
    return rpc
  }
  const readTransfers = tracing.observe('read transfers', createReadTransfers(rpcOf))
  return {
    openState: tracing.observe('open state', async ({ chain, blockNumber, signal }, plan) => {
      const rpc = rpcOf(chain)
      return openState({ rpc, chain, blockNumber, memory, plan, budget: rpc.createBudget(signal ? { signal } : {}) })
    }),
    readTransfers,
    readRoleMembers: tracing.observe('read role members', createReadRoleMembers(rpcOf)),
    readShares: tracing.observe('read shares', createReadShares(rpcOf)),
    readMarketHints: createReadMarketHints(rpcOf, readTransfers),
    simulator,
    bytecodeJudge: createNativeTokenJudge(bytecodeJudge, createReadB20(rpcOf)),
    clock,
    traderSecret: randomBytes(TRADER_SECRET_BYTES),
    onCheckFailure(check, error) {
      metrics.countExhaustion(check, error)
      log.warn({ check, error }, 'a check failed')
    },
  }
}

function traceSimulator(simulator: Simulator, tracing: Tracing): Simulator {
  return {
    ...simulator,
    simulate(request) {
      const run = tracing.observe(`simulate ${request.scenario.name}`, () => simulator.simulate(request))
      return run()
    },
  }
}

const TRADER_SECRET_BYTES = 32

/** The Solana side. Threads and connections are made when the first token is asked about. */
function createSolana(
  { solanaRpcUrls, maxHeadAgeMs }: Config,
  {
    clock,
    log,
    metrics,
    onStrayError,
  }: { clock: Clock; log: Log; metrics: Metrics; onStrayError(error: unknown): void },
): { check: Services['checkSolanaToken']; close(): Promise<void> } {
  const rpc = createSolanaRpc({ urls: solanaRpcUrls, clock, log })
  const engine = createSvmEngine({ onStrayError })
  const check = createCheckSolanaToken({
    rpc,
    engine,
    clock,
    programs: createProgramMemory({ onLookup: (isHit) => metrics.countLookup('Solana programs', isHit) }),
    readSets: createReadSets({ onLookup: (isHit) => metrics.countLookup('Solana read sets', isHit) }),
    trusted: TRUSTED_MINTS,
    secret: randomBytes(TRADER_SECRET_BYTES),
    maxHeadAgeMs,
    onGap: (gap, error) => log.warn({ gap, error }, 'a Solana token could not be analysed completely'),
  })
  return {
    check,
    async close() {
      await Promise.all([rpc.close(), engine.close()])
    },
  }
}
