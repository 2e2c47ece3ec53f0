import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock.js'
import { BaseError } from '../../errors.js'
import {
  createRpcBudget,
  type RpcBudget,
  RpcBudgetError,
  type RpcBudgetOptions,
  withinBudget,
} from '../../rpc/budget.js'
import { createDoubts } from '../../rpc/doubt.js'
import { RpcRejectedError } from '../../rpc/node-replies.js'
import { type RpcOutcome, type RpcOutcomes, type RpcRequest, unwrap } from '../../rpc/request.js'
import { isTooMuch, type Suspect } from '../../rpc/suspect.js'
import { createSolanaEndpoint, type SolanaEndpoint, SolanaWrongClusterError } from './solana-endpoint.js'

/** The nodes of the cluster as one: the first that can answer, answers. */
export interface SolanaRpc {
  readonly clock: Clock
  /**
   * Several calls in one HTTP request, all answered by one node. A call that is `optional` may fail
   * alone; any other failure is the node's, and the next one is asked. Rejects with {@link
   * SolanaUnavailableError}.
   */
  batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options: SolanaRpcOptions): Promise<RpcOutcomes<R>>
  call<T>(request: RpcRequest<T>, options: SolanaRpcOptions): Promise<T>
  /**
   * Asks another node than `batch` would, for a second opinion; `undefined` when there is none or
   * it does not answer.
   */
  secondOpinion<T>(request: RpcRequest<T>, options: SolanaRpcOptions): Promise<T | undefined>
  createBudget(options?: Omit<RpcBudgetOptions, 'clock'>): RpcBudget
  readonly endpoints: number
  /** Requests that wait for a connection to a node. */
  queued(): number
  close(): Promise<void>
}

export interface SolanaRpcOptions {
  /** Whose question it is (`rpc/suspect.ts`). */
  suspect: Suspect
  /** Shared by all calls of one request of ours; without it the call has one of its own. */
  budget?: RpcBudget | undefined
  /**
   * Throws when the answers cannot be believed; the node is then passed over like one that failed.
   */
  accept?: ((outcomes: readonly RpcOutcome<unknown>[]) => void) | undefined
}

export interface SolanaRpcClientOptions {
  /** In order of preference. */
  urls: readonly string[]
  clock: Clock
  log?: { warn(fields: object, message: string): void }
  callTimeoutMs?: number
}

export function createSolanaRpc({
  urls,
  clock,
  log,
  callTimeoutMs = CALL_TIMEOUT_MS,
}: SolanaRpcClientOptions): SolanaRpc {
  /** All nodes must be of one cluster: the one that the first to answer is of. */
  let genesis: string | undefined
  const acceptGenesis = (hash: string) => {
    genesis ??= hash
    if (genesis !== hash) throw new SolanaWrongClusterError()
  }
  const endpoints = urls.map((url, id) =>
    createSolanaEndpoint({
      id,
      url: new URL(url),
      clock,
      callTimeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      acceptGenesis,
    }),
  )

  const doubts = createDoubts(endpoints, punish)

  function note(endpoint: SolanaEndpoint, error: unknown, suspect: Suspect): void {
    if (suspect !== 'chain' && isOfItsAccounts(error)) doubts.get(endpoint)?.hold(error)
    else punish(endpoint, error)
  }

  async function ask(
    endpoint: SolanaEndpoint,
    requests: readonly RpcRequest<unknown>[],
    { accept }: SolanaRpcOptions,
    budget: RpcBudget,
  ): Promise<RpcOutcome<unknown>[]> {
    endpoint.breaker.enter()
    await endpoint.identify(budget)
    const outcomes = await endpoint.send(requests, budget)
    requests.forEach((request, i) => {
      const outcome = outcomes[i]
      if (outcome?.ok === false && !request.optional) throw outcome.error
    })
    accept?.(outcomes)
    endpoint.breaker.succeed()
    return outcomes
  }

  async function run(
    requests: readonly RpcRequest<unknown>[],
    options: SolanaRpcOptions,
  ): Promise<RpcOutcome<unknown>[]> {
    const budget = options.budget ?? createRpcBudget({ clock })
    const tries = new Map<SolanaEndpoint, number>()
    let lastError: unknown
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const endpoint = await choose(endpoints, tries, budget)
      if (endpoint === undefined) break
      tries.set(endpoint, (tries.get(endpoint) ?? 0) + 1)
      try {
        return await ask(endpoint, requests, options, budget)
      } catch (error) {
        if (error instanceof RpcBudgetError) throw error
        lastError = error
        note(endpoint, error, options.suspect)
        log?.warn({ endpoint: endpoint.label, attempt, suspect: options.suspect, err: error }, 'Solana node failed')
      }
    }
    throw new SolanaUnavailableError(lastError)
  }

  return {
    clock,
    endpoints: endpoints.length,
    createBudget: (options) => createRpcBudget({ clock, ...options }),
    async batch<const R extends readonly RpcRequest<unknown>[]>(requests: R, options: SolanaRpcOptions) {
      return (await run(requests, options)) as RpcOutcomes<R>
    },
    async call<T>(request: RpcRequest<T>, options: SolanaRpcOptions) {
      const [outcome] = await run([request], options)
      return unwrap(outcome as RpcOutcome<T>)
    },
    async secondOpinion<T>(request: RpcRequest<T>, options: SolanaRpcOptions) {
      const [, second] = endpoints.filter(({ breaker }) => breaker.waitMs() === 0)
      if (second === undefined) return undefined
      try {
        const [outcome] = await ask(second, [request], options, options.budget ?? createRpcBudget({ clock }))
        if (outcome?.ok === false && request.optional) return undefined
        return unwrap(outcome as RpcOutcome<T>)
      } catch (error) {
        if (!(error instanceof RpcBudgetError)) note(second, error, options.suspect)
        return undefined
      }
    },
    queued: () => endpoints.reduce((sum, endpoint) => sum + endpoint.queued(), 0),
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

/** Programs come in answers of several megabytes. */
const CALL_TIMEOUT_MS = 4_000
/** The largest account there can be, in base64, and a little. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** The first try and two more, elsewhere where there is an elsewhere. */
const MAX_ATTEMPTS = 3
/**
 * When every node wants to be left alone, wait this long for the first, but no longer: the caller
 * has a deadline.
 */
const MAX_WAIT_MS = 1_200
/** Between two tries at one node: nodes behind one address are not equally far. */
const REPEAT_PAUSE_MS = 150
/** More than any operator lists endpoints: an untried one always comes first. */
const TRY_WEIGHT = 1_000

/**
 * Untried before tried, then in the operator's order; waits a little when all are to be left alone.
 */
async function choose(
  endpoints: readonly SolanaEndpoint[],
  tries: ReadonlyMap<SolanaEndpoint, number>,
  budget: RpcBudget,
): Promise<SolanaEndpoint | undefined> {
  const rank = (endpoint: SolanaEndpoint) => (tries.get(endpoint) ?? 0) * TRY_WEIGHT + endpoint.id
  const waitOf = ({ breaker }: SolanaEndpoint) => breaker.waitMs()
  const ready = endpoints.filter((each) => waitOf(each) === 0).sort((a, b) => rank(a) - rank(b))[0]
  const best = ready ?? [...endpoints].sort((a, b) => waitOf(a) - waitOf(b))[0]
  if (best === undefined || waitOf(best) > MAX_WAIT_MS) return undefined
  const waitMs = Math.max(waitOf(best), tries.has(best) ? REPEAT_PAUSE_MS : 0)
  if (waitMs > 0) await withinBudget(sleep(waitMs), budget)
  return best
}

/**
 * Nodes word what they think of an account in many ways; what they think of us they say in these
 * two.
 */
function isOfItsAccounts(error: unknown): boolean {
  if (error instanceof RpcRejectedError) return error.kind !== 'forbidden' && error.kind !== 'too-many'
  return isTooMuch(error)
}

/**
 * Remembers a failure: the node is left alone for as long as it asks, or after too many failures.
 */
function punish({ breaker }: SolanaEndpoint, error: unknown): void {
  const kind = error instanceof RpcRejectedError ? error.kind : undefined
  if (error instanceof SolanaWrongClusterError || kind === 'forbidden') breaker.pause(MISCONFIGURED_PAUSE_MS)
  else if (error instanceof RpcRejectedError && kind === 'too-many')
    breaker.pause(error.retryAfterMs ?? TOO_MANY_PAUSE_MS)
  else breaker.fail()
}

const TOO_MANY_PAUSE_MS = 1_000
/** Nothing that mends itself. */
const MISCONFIGURED_PAUSE_MS = 60_000

/** No node gave an answer that can be believed. The cause says what the last one did. */
export class SolanaUnavailableError extends BaseError {
  override readonly name = 'SolanaUnavailableError'
  constructor(cause: unknown) {
    super('No Solana node could answer', { cause, docs: 'docs/solana.md' })
  }
}
