import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { RpcBudgetError } from '../rpc/budget.js'
import type { RpcStats } from '../rpc/rpc-client.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { isMachineBusy, type MachineLoad } from '../scheduling/machine-load.js'
import type { SecondOpinion } from '../simulation/second-opinion/create-second-opinions.js'

/** Where the numbers that are asked for, and not counted, come from. */
export interface MetricSources {
  /** By the name of the chain. */
  nodes: ReadonlyMap<string, () => RpcStats>
  memory(): { blockBytes: number; codeBytes: number; readSetBytes: number }
  slots: ConcurrencyLimit
  machine: Pick<MachineLoad, 'waitedShare'>
  queueDepth(): Promise<number>
  /** When the newest block of each watched chain was last gone through, by the chain's name. */
  watchedChains(): Promise<ReadonlyMap<string, number | undefined>>
}

export interface Metrics {
  /** Counts each use of a check, and how long it took. */
  observe<A extends unknown[], T>(check: string, run: (...args: A) => Promise<T>): (...args: A) => Promise<T>
  /** Counts an error that says that a budget was used up. */
  countExhaustion(check: string, error: unknown): void
  /** Counts a check that the machine was too busy for, where an error says so. */
  countMachineBusy(check: string, error: unknown): void
  /** Counts a question to what is remembered. */
  countLookup(cache: CacheName, isHit: boolean): void
  /** Counts a simulation that a node was asked about again. */
  countSecondOpinion(chain: Pick<Chain, 'name'>, opinion: SecondOpinion): void
  watch(sources: MetricSources): void
  /** In the text format of Prometheus. */
  render(): Promise<string>
  readonly contentType: string
}

/** What is remembered between analyses, and may spare one a round trip or all of its work. */
export type CacheName = 'answers' | 'blocks' | 'codes' | 'read sets' | 'Solana programs' | 'Solana read sets'

/**
 * Upper ends in seconds, around what an analysis takes: from memory, one round trip, several, the
 * deadline.
 */
const LATENCY_BUCKETS = [0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 10, 15]

/**
 * What an operator watches. Labels are names of ours, never of callers or targets: their number is
 * bounded.
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'assay_' })
  const registers = [registry]
  const durations = new Histogram({
    name: 'assay_check_duration_seconds',
    help: 'How long checks took, waiting for slots not included.',
    labelNames: ['check', 'outcome'] as const,
    buckets: LATENCY_BUCKETS,
    registers,
  })
  const exhaustions = new Counter({
    name: 'assay_budget_exhaustions_total',
    help: 'Analyses that used up a budget: of steps, memory, state, calls or time.',
    labelNames: ['check'] as const,
    registers,
  })
  const late = new Counter({
    name: 'assay_machine_busy_total',
    help: 'Checks that did not end in time because this machine was busy.',
    labelNames: ['check'] as const,
    registers,
  })
  const lookups = new Counter({
    name: 'assay_cache_lookups_total',
    help: 'Questions to what is remembered, by whether it was there.',
    labelNames: ['cache', 'outcome'] as const,
    registers,
  })
  const opinions = new Counter({
    name: 'assay_second_opinions_total',
    help: 'Simulations that a node was asked about again, by what came of it.',
    labelNames: ['chain', 'opinion'] as const,
    registers,
  })

  const countExhaustion = (check: string, error: unknown) => {
    if (isExhaustion(error)) exhaustions.inc({ check })
  }
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    countExhaustion,
    countMachineBusy(check, error) {
      if (isMachineBusy(error)) late.inc({ check })
    },
    countLookup: (cache, isHit) => lookups.inc({ cache, outcome: isHit ? 'hit' : 'miss' }),
    countSecondOpinion: ({ name }, opinion) => opinions.inc({ chain: name, opinion }),
    observe:
      (check, run) =>
      async (...args) => {
        const end = durations.startTimer({ check })
        try {
          const report = await run(...args)
          end({ outcome: 'report' })
          return report
        } catch (error) {
          end({ outcome: 'failure' })
          countExhaustion(check, error)
          throw error
        }
      },
    watch(sources) {
      watchNodes(registry, sources)
      watchWork(registry, sources)
    },
  }
}

function isExhaustion(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return error.find(RpcBudgetError) !== undefined || error.shortMessage.startsWith('Analysis resisted')
}

const NODE_NUMBERS = {
  assay_rpc_requests_total: ['HTTP requests to chain nodes (round trips).', 'httpRequests'],
  assay_rpc_calls_total: ['Calls within those requests.', 'calls'],
  assay_rpc_received_bytes_total: ['Bytes that chain nodes answered.', 'bytesReceived'],
  assay_rpc_failures_total: ['Requests that a chain node failed.', 'failures'],
  assay_rpc_queued: ['Requests that wait for a connection to the node.', 'queued'],
  assay_rpc_usable: ['1 when the node may be asked, 0 while it is left alone.', 'isUsable'],
} as const

function watchNodes(registry: Registry, { nodes }: Pick<MetricSources, 'nodes'>): void {
  for (const [name, [help, field]] of Object.entries(NODE_NUMBERS)) {
    new Gauge({
      name,
      help,
      labelNames: ['chain', 'endpoint'],
      registers: [registry],
      collect() {
        for (const [chain, stats] of nodes) {
          for (const endpoint of stats().endpoints) {
            this.set({ chain, endpoint: endpoint.label }, Number(endpoint[field]))
          }
        }
      },
    })
  }
}

function watchWork(registry: Registry, { memory, slots, machine, queueDepth, watchedChains }: MetricSources): void {
  const registers = [registry]
  new Gauge({
    name: 'assay_analyses',
    help: 'Analyses that run and that wait for a slot.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'running' }, slots.running)
      this.set({ state: 'waiting' }, slots.waiting)
    },
  })
  new Gauge({
    name: 'assay_machine_waited_share',
    help: 'Of the time that our threads were on a processor or waited for one, the part that they waited.',
    registers,
    collect() {
      this.set(machine.waitedShare())
    },
  })
  new Gauge({
    name: 'assay_queue_depth',
    help: 'Batches that are not finished, of all processes.',
    registers,
    async collect() {
      // Not a number while the queue cannot be asked: 0 would be good news.
      this.set(await queueDepth().catch(() => Number.NaN))
    },
  })
  new Gauge({
    name: 'assay_watch_reached_seconds',
    help: 'When the newest block of a watched chain was last gone through, since 1970; 0 where it never was.',
    labelNames: ['chain'],
    registers,
    async collect() {
      this.reset()
      // Nothing at all while the store cannot be asked: an old number would be good news.
      const chains = await watchedChains().catch(() => new Map<string, number | undefined>())
      for (const [chain, reachedAt] of chains) this.set({ chain }, (reachedAt ?? 0) / 1_000)
    },
  })
  new Gauge({
    name: 'assay_memory_bytes',
    help: 'What is remembered of chains.',
    labelNames: ['of'],
    registers,
    collect() {
      const { blockBytes, codeBytes, readSetBytes } = memory()
      this.set({ of: 'blocks' }, blockBytes)
      this.set({ of: 'codes' }, codeBytes)
      this.set({ of: 'read sets' }, readSetBytes)
    },
  })
}
