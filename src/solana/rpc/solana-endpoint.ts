import type { Clock } from '../../clock.js'
import { BaseError } from '../../errors.js'
import { createRpcBudget, type RpcBudget, RpcBudgetError } from '../../rpc/budget.js'
import { type CircuitBreaker, createCircuitBreaker } from '../../rpc/circuit-breaker.js'
import { createHttpTransport } from '../../rpc/http-transport.js'
import { readReply, writeBody } from '../../rpc/json-rpc.js'
import { RpcRejectedError } from '../../rpc/node-replies.js'
import { createRedactor, labelOf } from '../../rpc/redact.js'
import { type RpcOutcome, type RpcRequest, unwrap } from '../../rpc/request.js'
import { CLOCK_SYSVAR } from '../programs.js'
import { getGenesisHash, getMultipleAccounts } from './solana-methods.js'

/** One node of the cluster. */
export interface SolanaEndpoint {
  /** Place in the operator's list: the order of preference. */
  readonly id: number
  readonly label: string
  readonly breaker: CircuitBreaker
  /**
   * Asks once which cluster the node is of. Rejects with {@link SolanaWrongClusterError}. A node
   * that does not say is believed.
   */
  identify(budget: RpcBudget): Promise<void>
  /** A question of the cluster's own. Rejects when the node is ill. */
  check(): Promise<void>
  /** Sends requests in one HTTP request, or in several when the node takes no batches. */
  send(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]>
  /** Requests that wait for a connection. */
  queued(): number
  close(): Promise<void>
}

export interface SolanaEndpointOptions {
  id: number
  url: URL
  clock: Clock
  callTimeoutMs: number
  maxAnswerBytes: number
  /** Throws when the cluster is another one than the other nodes'. */
  acceptGenesis(hash: string): void
}

export function createSolanaEndpoint(options: SolanaEndpointOptions): SolanaEndpoint {
  const { id, url, clock, callTimeoutMs, maxAnswerBytes, acceptGenesis } = options
  const transport = createHttpTransport({ url, timeoutMs: callTimeoutMs, maxBytes: maxAnswerBytes })
  const redact = createRedactor(url)
  let takesBatches = true
  let isIdentified = false

  async function post(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]> {
    budget.spend(requests.length)
    const reply = await transport.post(writeBody(requests), budget)
    return readReply(requests, reply, redact)
  }

  const one = async (request: RpcRequest<unknown>, budget: RpcBudget): Promise<RpcOutcome<unknown>> => {
    const outcome = await post([request], budget).catch((error: unknown) => {
      if (!request.optional || error instanceof RpcBudgetError || !(error instanceof Error)) throw error
      return [{ ok: false, error } as const]
    })
    return outcome[0] ?? { ok: false, error: new Error('no answer') }
  }

  async function send(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]> {
    if (requests.length <= 1) return post(requests, budget)
    if (!takesBatches) return Promise.all(requests.map((request) => one(request, budget)))
    try {
      return await post(requests, budget)
    } catch (error) {
      if (!(error instanceof RpcRejectedError) || error.kind !== 'batch-too-large') throw error
      takesBatches = false
      return send(requests, budget)
    }
  }

  return {
    id,
    label: labelOf(url, id),
    breaker: createCircuitBreaker(clock),
    send,
    async identify(budget) {
      if (isIdentified) return
      const [outcome] = await post([{ ...getGenesisHash(), optional: true }], budget)
      if (outcome?.ok) acceptGenesis(unwrap(outcome as RpcOutcome<string>))
      isIdentified = true
    },
    async check() {
      const budget = createRpcBudget({ clock, deadlineMs: CHECK_DEADLINE_MS })
      const [clockAccount] = await post([getMultipleAccounts({ addresses: [CLOCK_SYSVAR] })], budget)
      if (clockAccount?.ok === false) throw clockAccount.error
    },
    queued: () => transport.queued(),
    close: () => transport.close(),
  }
}

/** Longer than a call may take, so that lateness is the node's. */
const CHECK_DEADLINE_MS = 10_000

/** The node is of another cluster than the first one was. */
export class SolanaWrongClusterError extends BaseError {
  override readonly name = 'SolanaWrongClusterError'
  constructor() {
    super('A Solana node is of another cluster than the others')
  }
}
