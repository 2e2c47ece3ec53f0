import { availableParallelism } from 'node:os'
import { createSignIn } from '../accounts/sign-in.js'
import { createSqlAccountStore } from '../accounts/sql-account-store.js'
import { createWalletKeys } from '../accounts/wallet-keys.js'
import type { Batches } from '../batches/create-batches.js'
import type { Chain } from '../chains/chain.js'
import { SOLANA_ID } from '../chains/chain-id.js'
import { createLeavesLogs } from '../checks/history/leaves-logs.js'
import { createJudgedBlocks } from '../checks/judged-blocks.js'
import type { AnalysisTarget } from '../checks/target.js'
import { type Clock, createSystemClock } from '../clock.js'
import type { Config } from '../config.js'
import type { Contacts } from '../contacts/create-contacts.js'
import type { Feed } from '../feed/create-feed.js'
import { analyseBatchItem } from '../http/routes/batch/analyse-item.js'
import type { Services } from '../http/services.js'
import { openStores } from '../keys/create-key-store.js'
import type { KeyStore } from '../keys/key-store.js'
import { createKeyUsage } from '../keys/key-usage.js'
import { createSqlUsageStore } from '../keys/sql-usage-store.js'
import { createKeyVerifier } from '../keys/verify-key.js'
import { writeUses } from '../keys/write-uses.js'
import { countUses } from '../limits/count-uses.js'
import { createLimiter } from '../limits/create-limiter.js'
import { createLog, type Log } from '../log.js'
import { createMetrics, type Metrics } from '../metrics/create-metrics.js'
import { createAnswerCache } from '../reports/answer-cache.js'
import { type Checks, createAssess, type PartName } from '../reports/assess.js'
import { neverKinder } from '../reports/never-kinder.js'
import { rememberAssessments, settleBlocks } from '../reports/recent-assessments.js'
import { renewAhead } from '../reports/renew-ahead.js'
import { createReportSeal } from '../reports/seal.js'
import { createSigningKey } from '../reports/signing-key.js'
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js'
import { createFalseResultStore, createFalseResults } from '../saved-reports/create-false-results.js'
import { createSavedReports } from '../saved-reports/create-saved-reports.js'
import { createSqlSavedReportStore } from '../saved-reports/sql-saved-report-store.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { createBlame, createMachineLoad } from '../scheduling/machine-load.js'
import { createRecentTime } from '../scheduling/recent-time.js'
import type { RunThreads } from '../simulation/simulator.js'
import type { SvmThreads } from '../solana/svm/engine.js'
import { createStateMemory } from '../state/state-memory.js'
import { createWriteProbe } from '../stores/write-probe.js'
import { createTracing } from '../tracing/create-tracing.js'
import type { Watches } from '../watching/create-watches.js'
import { createSqlWatchStore } from '../watching/sql-watch-store.js'
import { shareMemory } from './cache-shares.js'
import { createBatchService } from './create-batch-service.js'
import { createCallNode } from './create-call-node.js'
import { createContactService } from './create-contact-service.js'
import { clientOf, createEvmChecks, type EvmChecksOptions } from './create-evm-checks.js'
import { createFeedService } from './create-feed-service.js'
import { createSolanaCheck } from './create-solana-check.js'
import { createTrackRecord, type RecordParts } from './create-track-record.js'
import { createWatchService } from './create-watch-service.js'
import { loadQueues } from './load-queues.js'
import { openLookup } from './open-lookup.js'
import { openSecondOpinions } from './open-second-opinions.js'

/** The services with what only their owner may touch. */
export interface OwnedServices {
  services: Services
  /** The checks themselves, for tests and benches that are about one. */
  checks: Checks
  keyStore: KeyStore
  clock: Clock
  log: Log
  batches: Batches
  watches: Watches
  feed: Feed
  contacts: Contacts
  /** Begins to look back at verdicts, until all is closed. */
  followVerdicts(): void
  metrics: Metrics
  /** Lets go of every node, store and thread. */
  close(): Promise<void>
}

export interface ServicesOptions {
  /**
   * Whether the honeypot check looks beyond the trade: at powers, holders and liquidity. For tests
   * and benches that are about trading.
   */
  looksAround?: boolean
  /** Whether nodes are asked about some simulations again: where a service runs. */
  asksAgain?: boolean
  /** Told of each simulation of a contract once it is over. */
  onSimulation?: EvmChecksOptions['onSimulation']
  /** Threads that run already and outlive the services; they start their own without. */
  threads?: ServiceThreads | undefined
}

/** What plays trades, reads codes, and plays trades on Solana. */
export interface ServiceThreads {
  trades: RunThreads
  codes: RunThreads
  solana: SvmThreads
}

/**
 * Wires the real nodes, stores, clock, threads and log, as `config` says. The one place that does.
 */
export async function createServices(
  config: Config,
  { looksAround = true, asksAgain = false, onSimulation, threads }: ServicesOptions = {},
): Promise<OwnedServices> {
  const clock = createSystemClock()
  const log = createLog({ level: config.logLevel })
  const { db, keyStore } = await openStores(config)
  const accountStore = createSqlAccountStore(db)
  const rpcClients = new Map(config.chains.map((chain) => [chain.id, createClient(config, chain, clock, log)]))
  const tracing = await createTracing({
    endpoint: config.otlpEndpoint,
    version: config.engineVersion,
    onFailure: (error) => log.warn({ error }, 'traces could not be sent'),
  })
  const keys = createKeyVerifier({ store: keyStore, clock })
  const usage = createKeyUsage({ store: createSqlUsageStore(db), clock })
  const uses = writeUses([keys, usage], (error) => log.warn({ error }, 'uses of keys could not be written'))
  const counted = await createLimiter({
    config,
    clock,
    onOutage: (error) => log.error({ error }, 'limiter store is down, counting in this process'),
    onRecovery: () => log.info('limiter store is back'),
  })
  const limiter = countUses(counted, usage.count)
  const fleet = await loadFleetStore(config, clock, log)
  const metrics = createMetrics()
  const shares = shareMemory(config.memoryMb)
  const memory = createStateMemory({
    ...{ clock, fleet, onLookup: metrics.countLookup },
    ...{ maxBlockBytes: shares.blocks, maxCodeBytes: shares.codes, maxReadSetBytes: shares.readSets },
  })
  const judged = createJudgedBlocks({
    maxBytes: shares.judged,
    hasLogs: createLeavesLogs((chain) => clientOf(rpcClients, chain)),
  })
  const onStrayError = (error: unknown) => log.warn({ error }, 'an error in a worker thread that belongs to no run')
  const machine = createMachineLoad()
  const blame = createBlame(machine)
  const parts = { clock, log, metrics, tracing, blame, onStrayError }
  const createOwnClient = (chain: Chain) => createClient(config, chain, clock, log)
  const secondOpinions = asksAgain ? openSecondOpinions(config, { ...parts, createClient: createOwnClient }) : undefined
  const checks = createEvmChecks({
    ...parts,
    rpcClients,
    memory,
    judged,
    looksAround,
    secondOpinions,
    threads,
    onSimulation,
  })
  const solana = createSolanaCheck(config, { ...parts, threads: threads?.solana })
  const slots = createConcurrencyLimit({
    concurrency: availableParallelism(),
    maxConcurrency: Math.min(MAX_ANALYSES, availableParallelism() * MAX_ANALYSES_PER_CORE),
    // An analysis mostly waits for its node; where one waits for a thread or a connection, there is
    // enough to do.
    hasRoom: () => checks.queued() + solana.queued() === 0,
    maxWaiting: MAX_WAITING_ANALYSES,
    recentTime: createRecentTime({ concurrency: availableParallelism() }),
  })
  const openQueue = await loadQueues(config, { db, clock })
  const batches = createBatchService(config, {
    db,
    openQueue,
    keyStore,
    limiter,
    slots,
    clock,
    log,
    analyse: (request, run) => analyseBatchItem(services, request, run),
  })
  const onPartFailure = (part: PartName, error: unknown) => {
    metrics.countMachineBusy(part, error)
    log.warn({ part, error }, 'part of an analysis failed')
  }
  const headOf = (target: Pick<AnalysisTarget, 'chain' | 'address'>) => {
    const head = memory.head(target.chain)?.block.hash
    return head && judged.hashAt(target, head)
  }
  const kinder = neverKinder()
  const settle = settleBlocks(judged)
  const judgeWith: RecordParts['judgeWith'] = (reviews, recall) =>
    createAssess(checks, {
      onFailure: onPartFailure,
      blame,
      recall,
      stands: checks.stands,
      reviews: [kinder, settle, ...reviews],
    })
  const recent = rememberAssessments({ headOf })
  const renewal = renewAhead({
    ...{ judged, assess: judgeWith([]), atOnce: Math.ceil(availableParallelism() * RENEWING_SHARE) },
    onFailure: (error) => log.warn({ error }, 'a target could not be judged anew ahead of time'),
  })
  const judgeAhead: RecordParts['judgeWith'] = (reviews, recall) => judgeWith([renewal.review, ...reviews], recall)
  const record = createTrackRecord(config, {
    db,
    judgeWith: judgeAhead,
    judgeSolana: solana.check,
    recent,
    slots,
    clock,
    log,
  })
  const watchStore = createSqlWatchStore(db)
  const contacts = createContactService(config, { db, openQueue, watchStore, clock, log })
  const { assess, assessSolana } = record
  const shared = { db, openQueue, slots, clock, log, memory, rpcClients, solanaRpc: solana.rpc }
  const watchParts = { ...shared, store: watchStore, assess, assessSolana }
  const watches = createWatchService(config, watchParts)
  const unrecorded = { assess: judgeWith([]), assessSolana: solana.check }
  const feed = createFeedService(config, { ...watchParts, unrecorded })
  const services: Services = {
    config,
    clock,
    log,
    keys,
    signIn: createSignIn({
      store: accountStore,
      clock,
      origins: config.publicOrigins,
      chains: config.chains,
      callNode: createCallNode(rpcClients),
    }),
    walletKeys: createWalletKeys({ keyStore, accountStore, clock }),
    usage,
    limiter,
    slots,
    blame,
    batches,
    lookup: openLookup(config.chains, rpcClients),
    savedReports: createSavedReports({ store: createSqlSavedReportStore(db), clock }),
    falseResults: createFalseResults({ store: createFalseResultStore(db), clock }),
    answers: createAnswerCache({
      headOf,
      maxBytes: shares.answers,
      onLookup: (isHit) => metrics.countLookup('answers', isHit),
    }),
    seals: createReportSeal({
      traderSecret: checks.traderSecret,
      signingKey: config.signingKey === undefined ? undefined : createSigningKey(config.signingKey),
    }),
    dependencies: { keys: () => keyStore.ping(), writes: createWriteProbe(db, clock) },
    watches,
    feed,
    contacts,
    stats: record.stats,
    assess,
    checkSolanaToken: assessSolana,
    isKnown: (target) => judged.isKnown(target, clock.now() / 1_000),
  }
  metrics.watch({
    nodes: new Map(
      config.chains.flatMap(({ id, name }) => {
        const rpc = rpcClients.get(id)
        return rpc === undefined ? [] : [[name, () => rpc.stats()]]
      }),
    ),
    memory: () => memory.stats(),
    slots,
    machine,
    queueDepth: () => batches.depth(),
    async watchedChains() {
      const names = new Map<number, string>([
        [SOLANA_ID, 'Solana'],
        ...config.chains.map((each) => [each.id, each.name] as const),
      ])
      return new Map(
        [...(await watches.listFollowed())].map(([id, at]) => [names.get(id) ?? String(id), at?.reachedAt]),
      )
    },
  })
  return {
    services,
    checks,
    keyStore,
    clock,
    log,
    batches,
    watches,
    feed,
    contacts,
    followVerdicts: record.start,
    metrics,
    async close() {
      machine.stop()
      await renewal.close()
      await Promise.all([batches.close(), watches.close(), feed.close(), contacts.close()])
      await record.close()
      await secondOpinions?.close()
      await Promise.all([...rpcClients.values()].map((rpc) => rpc.close()))
      await solana.close()
      await uses.stop()
      await fleet?.close()
      await tracing.close()
      await Promise.all([checks.close(), limiter.close(), keyStore.close()])
    },
  }
}

/** Of the processors, for what will be asked: the rest is for what is. */
const RENEWING_SHARE = 1 / 4
/** Keeps a core busy when the node is 200 ms away. */
const MAX_ANALYSES_PER_CORE = 16
/**
 * On machines with many cores too: what they wait for has bounds that this one keeps from being
 * reached.
 */
const MAX_ANALYSES = 256

/** Above this a client is better told to come back than left waiting. */
const MAX_WAITING_ANALYSES = 64

function createClient({ rpcUrls, maxHeadAgeMs }: Config, chain: Chain, clock: Clock, log: Log): RpcClient {
  const urls = rpcUrls[chain.id] ?? chain.defaultRpcUrls
  return createRpcClient({ urls, chainId: chain.id, clock, log, limits: { maxHeadAgeMs } })
}

/** What a fleet of machines learns together; each process learns for itself without Redis. */
async function loadFleetStore({ redisUrl }: Config, clock: Clock, log: Log) {
  if (redisUrl === undefined) return undefined
  const { createRedisFactStore } = await import('../state/redis-fact-store.js')
  const onOutage = (error: unknown) => log.warn({ error }, 'the shared store is down, learning alone')
  return createRedisFactStore({ url: redisUrl, clock, onOutage })
}
