import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { BlockHeader } from './block-header.js'
import { createRpcBudget, type RpcBudget, RpcBudgetError, type RpcBudgetOptions } from './budget.js'
import { type Ability, type Capabilities, RpcWrongChainError } from './capabilities.js'
import { createEndpoint, type Endpoint, type EndpointStats } from './endpoint.js'
import { createHeadWatch, RpcStaleHeadError } from './head-watch.js'
import { RpcRejectedError } from './node-replies.js'
import { type RpcOutcome, type RpcOutcomes, type RpcRequest, unwrap } from './request.js'

/** The nodes of one chain as one: whoever can answer, answers. */
export interface RpcClient {
  readonly chainId: number
  readonly clock: Clock
  /** One call. Rejects with `RpcRejectedError` when the node's no is an answer (a revert), else with {@link RpcUnavailableError}. */
  call<T>(request: RpcRequest<T>, options?: RpcOptions): Promise<T>
  /** Several calls in one HTTP request, all answered by one node. Items must not depend on each other: nodes may run them at once. */
  batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options?: RpcOptions): Promise<RpcOutcomes<R>>
  /** As `batch`, for questions that depend on what the answering node can do: the plan is made anew for each node that is tried. */
  run<T>(makePlan: (node: RpcNode) => RpcPlan<T>, options?: RpcOptions): Promise<T>
  /** What one request of ours may cost, for all its calls together. */
  createBudget(options?: Omit<RpcBudgetOptions, 'clock'>): RpcBudget
  /** Throws when `head` cannot be the chain's head now. For use in {@link RpcPlan.read}. */
  acceptHead(head: BlockHeader): void
  /** Asks every node what it can do, so that the first request need not. Never rejects. */
  probe(): Promise<void>
  stats(): RpcStats
  close(): Promise<void>
}

/** The node that a plan is made for. */
export interface RpcNode {
  readonly id: number
  readonly capabilities: Capabilities
}

export interface RpcPlan<T> {
  requests: readonly RpcRequest<unknown>[]
  /** Makes sense of the answers. What it throws counts against the node, and the next one is asked. */
  read(outcomes: readonly RpcOutcome<unknown>[]): T
}

export interface RpcOptions {
  /** Shared by all calls of one request of ours; without it the call has one of its own. */
  budget?: RpcBudget | undefined
  /** Ask this node first: it is known to have the block in question. */
  prefer?: number | undefined
  /** Nodes without the ability are not asked. */
  needs?: Ability
}

export interface RpcLimits {
  callTimeoutMs: number
  maxAnswerBytes: number
  /** A head older than this is no head: the node is out of step. `Infinity` for chains that make no blocks by themselves. */
  maxHeadAgeMs: number
}

export interface RpcStats extends EndpointStats {
  endpoints: (EndpointStats & { label: string; isUsable: boolean; capabilities: Capabilities | undefined })[]
}

/** The part of a pino logger that is needed here. */
export interface RpcLog {
  warn(fields: object, message: string): void
}

export interface RpcClientOptions {
  /** In order of preference. `http` or `https`, credentials allowed. */
  urls: readonly string[]
  chainId: number
  clock: Clock
  log?: RpcLog
  limits?: Partial<RpcLimits>
}

export function createRpcClient({ urls, chainId, clock, log, limits }: RpcClientOptions): RpcClient {
  const { maxHeadAgeMs, ...bounds } = { ...DEFAULT_LIMITS, ...limits }
  const heads = createHeadWatch({ clock, maxAgeMs: maxHeadAgeMs })
  const endpoints = urls.map((url, id) =>
    createEndpoint({ id, url: parseUrl(url), chainId, clock, acceptHead: heads.accept, ...bounds }),
  )

  async function run<T>(makePlan: (node: RpcNode) => RpcPlan<T>, options: RpcOptions = {}): Promise<T> {
    const budget = options.budget ?? createRpcBudget({ clock })
    const candidates = new Set(endpoints)
    const tries = new Map<Endpoint, number>()
    let lastError: unknown
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const endpoint = await chooseEndpoint({ candidates, tries, prefer: options.prefer, budget })
      if (endpoint === undefined) break
      tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1)
      try {
        return await ask(endpoint, makePlan, options.needs, budget)
      } catch (error) {
        if (isFinal(error)) throw error
        lastError = error
        if (error instanceof RpcAbilityError) {
          endpoint.distrust(error.ability)
          tries.delete(endpoint)
        }
        if (isLimitOf(error)) candidates.delete(endpoint)
        punish(endpoint, error)
        log?.warn({ chainId, endpoint: endpoint.label, attempt, err: error }, 'chain node failed')
      }
    }
    throw new RpcUnavailableError(chainId, lastError)
  }

  return {
    chainId,
    clock,
    run,
    acceptHead: heads.accept,
    createBudget: (options) => createRpcBudget({ clock, ...options }),
    batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options?: RpcOptions) {
      return run(() => ({ requests, read: (outcomes) => outcomes as RpcOutcomes<R> }), options)
    },
    call<T>(request: RpcRequest<T>, options?: RpcOptions) {
      return run(() => ({ requests: [request], read: ([only]) => unwrap(only as RpcOutcome<T>) }), options)
    },
    async probe() {
      const probes = endpoints.map((endpoint) =>
        endpoint.capabilities().catch((error: unknown) => {
          punish(endpoint, error)
          log?.warn({ chainId, endpoint: endpoint.label, err: error }, 'chain node failed its probe')
        }),
      )
      await Promise.all(probes)
    },
    stats() {
      const each = endpoints.map(({ label, stats, breaker, known }) => ({
        ...stats,
        label,
        isUsable: breaker.waitMs() === 0,
        capabilities: known(),
      }))
      const sum = (read: (stats: EndpointStats) => number) => each.reduce((total, stats) => total + read(stats), 0)
      return {
        httpRequests: sum((stats) => stats.httpRequests),
        calls: sum((stats) => stats.calls),
        bytesReceived: sum((stats) => stats.bytesReceived),
        failures: sum((stats) => stats.failures),
        endpoints: each,
      }
    },
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

const DEFAULT_LIMITS: RpcLimits = {
  callTimeoutMs: 2_500,
  /** A whole job is about 100 KB, a page of logs seldom 2 MB; this much JSON takes 50 ms to read. */
  maxAnswerBytes: 8 * 1024 * 1024,
  /** Chains do pause for a minute or two; a node that is this late is out of step, or the chain is down. */
  maxHeadAgeMs: 300_000,
}
/** The first try and two more, elsewhere where there is an elsewhere. */
const MAX_ATTEMPTS = 3
/** When every node wants to be left alone, wait this long for the first, but no longer: the caller has a deadline. */
const MAX_WAIT_MS = 1_200
/** Between two tries at one node: a block needs about this long to get from node to node. */
const REPEAT_PAUSE_MS = 150
/** How long a node is left alone that says "too many" and does not say for how long. */
const TOO_MANY_PAUSE_MS = 1_000
const STALE_PAUSE_MS = 5_000
/** Wrong chain, wrong key: nothing that mends itself. */
const MISCONFIGURED_PAUSE_MS = 60_000

async function ask<T>(
  endpoint: Endpoint,
  makePlan: (node: RpcNode) => RpcPlan<T>,
  needs: Ability | undefined,
  budget: RpcBudget,
): Promise<T> {
  endpoint.breaker.enter()
  const capabilities = await withinBudget(endpoint.capabilities(), budget)
  if (needs !== undefined && !capabilities[needs]) throw new RpcLacksAbilityError(needs)
  const { requests, read } = makePlan({ id: endpoint.id, capabilities })
  const outcomes = requests.length === 0 ? [] : await endpoint.send(requests, budget)
  requests.forEach((request, i) => {
    const outcome = outcomes[i]
    if (outcome?.ok === false && !request.optional && !isAnswer(outcome.error)) throw outcome.error
  })
  const value = read(outcomes)
  endpoint.breaker.succeed()
  return value
}

interface Choice {
  candidates: ReadonlySet<Endpoint>
  /** How often each was tried for this question. */
  tries: ReadonlyMap<Endpoint, number>
  prefer: number | undefined
  budget: RpcBudget
}

/** More than any operator lists endpoints: an untried one always comes first. */
const TRY_WEIGHT = 1_000

/** Untried before tried, preferred before others, then in the operator's order; waits a little when all are to be left alone. */
async function chooseEndpoint({ candidates, tries, prefer, budget }: Choice): Promise<Endpoint | undefined> {
  const rank = (endpoint: Endpoint) =>
    (tries.get(endpoint) ?? 0) * TRY_WEIGHT + (endpoint.id === prefer ? -1 : endpoint.id)
  const ordered = [...candidates].sort((a, b) => rank(a) - rank(b))
  const ready = ordered.find(({ breaker }) => breaker.waitMs() === 0)
  const repeatPauseMs = ready && tries.has(ready) ? REPEAT_PAUSE_MS * (1 + Math.random()) : 0
  const soonest = ready ?? ordered.sort((a, b) => a.breaker.waitMs() - b.breaker.waitMs())[0]
  const waitMs = Math.max(soonest?.breaker.waitMs() ?? 0, repeatPauseMs)
  if (soonest === undefined || waitMs > MAX_WAIT_MS) return undefined
  if (waitMs > 0) await withinBudget(sleep(waitMs), budget)
  return soonest
}

function punish({ breaker, stats, forget }: Endpoint, error: unknown): void {
  stats.failures += 1
  const pauseMs = pauseAfter(error)
  if (pauseMs === undefined) breaker.fail()
  else breaker.pause(pauseMs)
  if (breaker.waitMs() > 0) forget()
}

/** How long the failure asks us to leave the node alone; `undefined` when it is one of those that the breaker counts. */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof RpcAbilityError || error instanceof RpcLacksAbilityError) return 0
  if (error instanceof RpcWrongChainError) return MISCONFIGURED_PAUSE_MS
  if (error instanceof RpcStaleHeadError) return STALE_PAUSE_MS
  if (!(error instanceof RpcRejectedError)) return undefined
  if (error.kind === 'too-many') return error.retryAfterMs ?? TOO_MANY_PAUSE_MS
  if (error.kind === 'forbidden') return MISCONFIGURED_PAUSE_MS
  return error.kind === 'slow' || error.kind === 'broken' ? undefined : 0
}

const isAnswer = (error: unknown) => error instanceof RpcRejectedError && error.isAnswer

/** What this node will not do however often it is asked. */
function isLimitOf(error: unknown): boolean {
  return error instanceof RpcLacksAbilityError || (error instanceof RpcRejectedError && error.kind === 'range-too-wide')
}

/** Errors that no other node would change. */
const isFinal = (error: unknown) => error instanceof RpcBudgetError || isAnswer(error)

/** Waits for something that is not on this budget, for as long as the budget allows. */
function withinBudget<T>(promise: Promise<T>, { remainingMs, signal }: RpcBudget): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new RpcBudgetError('out of time'))), remainingMs())
    const cancel = () => finish(() => reject(new RpcBudgetError('cancelled')))
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      settle()
    }
    if (signal?.aborted) return cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    promise.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    )
  })
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new RpcUrlError()
  return url
}

/** No node gave an answer that can be believed. The cause says what the last one did. */
export class RpcUnavailableError extends BaseError {
  override readonly name = 'RpcUnavailableError'
  constructor(chainId: number, cause: unknown) {
    super('No chain node could answer', { cause, details: `chain ${chainId}`, docs: 'docs/operating.md' })
  }
}

/** Thrown by a plan when a node does not do what it was seen to do before, such as honouring an override. */
export class RpcAbilityError extends BaseError {
  override readonly name = 'RpcAbilityError'
  readonly ability: Ability
  constructor(ability: Ability, details: string) {
    super('A chain node did not keep a promise', { details: `${ability}: ${details}` })
    this.ability = ability
  }
}

class RpcLacksAbilityError extends BaseError {
  override readonly name = 'RpcLacksAbilityError'
  constructor(ability: Ability) {
    super('A chain node lacks an ability', { details: ability })
  }
}

/** The text of the URL is left out on purpose. */
export class RpcUrlError extends BaseError {
  override readonly name = 'RpcUrlError'
  constructor() {
    super('A chain node URL must start with http:// or https://')
  }
}
