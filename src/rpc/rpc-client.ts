import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { BlockHeader } from './block-header.js'
import { createRpcBudget, type RpcBudget, RpcBudgetError, type RpcBudgetOptions, withinBudget } from './budget.js'
import { type Ability, type Capabilities, RpcAbilityError, RpcLacksAbilityError } from './capabilities.js'
import { chooseEndpoint } from './choose-endpoint.js'
import { createDoubts } from './doubt.js'
import { createEndpoint, type Endpoint, type EndpointStats } from './endpoint.js'
import { createExcesses } from './excesses.js'
import { createHeadWatch } from './head-watch.js'
import { RpcOversizeError } from './http-transport.js'
import { RpcRejectedError } from './node-replies.js'
import { punish } from './punish.js'
import { type RpcOutcome, type RpcOutcomes, type RpcRequest, unwrap } from './request.js'
import { isSuspects, isTooMuch, type Suspect } from './suspect.js'

/** The nodes of one chain as one: the first that can answer, answers. */
export interface RpcClient {
  readonly chainId: number
  readonly clock: Clock
  /**
   * One call. Rejects with `RpcRejectedError` when the node's no is an answer (a revert), else with
   * {@link RpcUnavailableError}.
   */
  call<T>(request: RpcRequest<T>, options: RpcOptions): Promise<T>
  /**
   * Several calls in one HTTP request, all answered by one node. Items must not depend on each
   * other: nodes may run them at once.
   */
  batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options: RpcOptions): Promise<RpcOutcomes<R>>
  /**
   * As `batch`, for questions that depend on what the answering node can do: the plan is made anew
   * for each node that is tried.
   */
  run<T>(makePlan: (node: RpcNode) => RpcPlan<T>, options: RpcOptions): Promise<T>
  /** What one request of ours may cost, for all its calls together. */
  createBudget(options?: Omit<RpcBudgetOptions, 'clock'>): RpcBudget
  /** Throws when `head` cannot be the chain's head now. For use in {@link RpcPlan.read}. */
  acceptHead(head: BlockHeader): void
  /** Asks every node what it can do, so that the first request need not. Never rejects. */
  probe(): Promise<void>
  stats(): RpcStats
  /** Requests that wait for a connection to a node. */
  queued(): number
  close(): Promise<void>
}

/** The node that a plan is made for. */
export interface RpcNode {
  readonly id: number
  readonly capabilities: Capabilities
}

export interface RpcPlan<T> {
  requests: readonly RpcRequest<unknown>[]
  /**
   * The ability to do without, for this suspect, when the answer is too much: code under test
   * decides on its length.
   */
  spare?: Ability | undefined
  /**
   * Makes sense of the answers. What it throws counts against the node, and the next one is asked.
   */
  read(outcomes: readonly RpcOutcome<unknown>[]): T
}

export interface RpcOptions {
  /**
   * Whose question it is. Required, so that no question can forget to say who else may be to blame
   * for its answer.
   */
  suspect: Suspect
  /**
   * The caller asks for less when the answer is too much: the same is then not asked again of the
   * same node.
   */
  canAskLess?: boolean
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
  /**
   * A head older than this is no head: the node is out of step. `Infinity` for chains that make no
   * blocks by themselves.
   */
  maxHeadAgeMs: number
}

export interface RpcStats extends EndpointStats {
  endpoints: (EndpointStats & {
    label: string
    isUsable: boolean
    /** Requests that wait for a connection. */
    queued: number
    capabilities: Capabilities | undefined
  })[]
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

  const excesses = createExcesses(clock)
  const doubts = createDoubts(endpoints, punish)

  /**
   * Counts a failure against the node, unless its suspect may have caused it: then only if the node
   * is ill by itself.
   */
  function note(endpoint: Endpoint, error: unknown, suspect: Suspect): void {
    endpoint.stats.failures += 1
    if (isSuspects(error, suspect)) doubts.get(endpoint)?.hold(error)
    else punish(endpoint, error)
  }

  async function run<T>(makePlan: (node: RpcNode) => RpcPlan<T>, options: RpcOptions): Promise<T> {
    const { suspect, needs, prefer } = options
    const budget = options.budget ?? createRpcBudget({ clock })
    const candidates = new Set(endpoints)
    const tries = new Map<Endpoint, number>()
    let lastError: unknown
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const endpoint = await chooseEndpoint({ candidates, tries, prefer, budget })
      if (endpoint === undefined) break
      tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1)
      let spare: Ability | undefined
      const makeOwnPlan = (node: RpcNode) => {
        const plan = makePlan({ ...node, capabilities: excesses.without(suspect, endpoint.id, node.capabilities) })
        spare = plan.spare
        return plan
      }
      try {
        return await ask(endpoint, makeOwnPlan, needs, budget)
      } catch (error) {
        if (isFinal(error)) throw error
        lastError = error
        if (spare && isTooMuch(error)) {
          excesses.note(suspect, endpoint.id, spare)
          tries.delete(endpoint)
        } else if (error instanceof RpcAbilityError) {
          endpoint.distrust(error.ability)
          tries.delete(endpoint)
        } else if (isLimitOf(error) || (options.canAskLess && isTooMuch(error))) candidates.delete(endpoint)
        note(endpoint, error, suspect)
        log?.warn({ chainId, endpoint: endpoint.label, attempt, suspect, err: error }, 'chain node failed')
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
    batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options: RpcOptions) {
      return run(() => ({ requests, read: (outcomes) => outcomes as RpcOutcomes<R> }), options)
    },
    call<T>(request: RpcRequest<T>, options: RpcOptions) {
      return run(() => ({ requests: [request], read: ([only]) => unwrap(only as RpcOutcome<T>) }), options)
    },
    async probe() {
      const probes = endpoints.map((endpoint) =>
        endpoint.capabilities().catch((error: unknown) => {
          note(endpoint, error, 'chain')
          log?.warn({ chainId, endpoint: endpoint.label, err: error }, 'chain node failed its probe')
        }),
      )
      await Promise.all(probes)
    },
    stats() {
      const each = endpoints.map(({ label, stats, breaker, queued, known }) => ({
        ...stats,
        label,
        isUsable: breaker.waitMs() === 0,
        queued: queued(),
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
    queued: () => endpoints.reduce((sum, endpoint) => sum + endpoint.queued(), 0),
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

const DEFAULT_LIMITS: RpcLimits = {
  callTimeoutMs: 2_500,
  /**
   * A whole job is about 100 KB, a page of logs seldom 2 MB; this much JSON takes 50 ms to read.
   */
  maxAnswerBytes: 8 * 1024 * 1024,
  /**
   * Chains do pause for a minute or two; a node that is this late is out of step, or the chain is
   * down.
   */
  maxHeadAgeMs: 300_000,
}
/** The first try and two more, elsewhere where there is an elsewhere. */
const MAX_ATTEMPTS = 3

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

const isAnswer = (error: unknown) => error instanceof RpcRejectedError && error.isAnswer

/** What this node will not do, or we not take from it, however often it is asked. */
function isLimitOf(error: unknown): boolean {
  if (error instanceof RpcOversizeError) return true
  return error instanceof RpcLacksAbilityError || (error instanceof RpcRejectedError && error.kind === 'range-too-wide')
}

/** Errors that no other node would change. */
const isFinal = (error: unknown) => error instanceof RpcBudgetError || isAnswer(error)

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

/** The text of the URL is left out on purpose. */
export class RpcUrlError extends BaseError {
  override readonly name = 'RpcUrlError'
  constructor() {
    super('A chain node URL must start with http:// or https://')
  }
}
