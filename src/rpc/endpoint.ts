import type { Clock } from '../clock.js'
import type { BlockHeader } from './block-header.js'
import { createRpcBudget, type RpcBudget } from './budget.js'
import { type Ability, type Capabilities, MAX_BATCH_ITEMS, probeCapabilities } from './capabilities.js'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.js'
import { createHttpTransport } from './http-transport.js'
import { readReply, writeBody } from './json-rpc.js'
import { RpcRejectedError } from './node-replies.js'
import { createRedactor, labelOf } from './redact.js'
import type { RpcOutcome, RpcRequest } from './request.js'

/** One node of a chain, with what we know of it. */
export interface Endpoint {
  /** Place in the operator's list: the order of preference. */
  readonly id: number
  readonly label: string
  readonly breaker: CircuitBreaker
  /**
   * Sends requests in as few HTTP requests as the node allows, side by side. Rejects when the reply
   * as a whole is void.
   */
  send(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]>
  /**
   * What the node can do. Asked of it once, and again after trouble; the asking is not on the
   * caller's budget.
   */
  capabilities(): Promise<Capabilities>
  /**
   * Asks again what the node can do, beside everything else: rejects when the node is ill, and
   * changes nothing of what is known.
   */
  check(): Promise<void>
  /** What is known without asking. */
  known(): Capabilities | undefined
  /** An ability was promised and not kept: do without it until the next probe. */
  distrust(ability: Ability): void
  /** After trouble, the node may be another one: probe again before the next use. */
  forget(): void
  /** Requests that wait for a connection. */
  queued(): number
  readonly stats: EndpointStats
  close(): Promise<void>
}

/** Sums since the start. */
export interface EndpointStats {
  httpRequests: number
  calls: number
  bytesReceived: number
  failures: number
}

export interface EndpointOptions {
  id: number
  url: URL
  chainId: number
  clock: Clock
  callTimeoutMs: number
  maxAnswerBytes: number
  /** Throws when the head is not to be trusted. */
  acceptHead(head: BlockHeader): void
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { id, url, chainId, clock, callTimeoutMs, maxAnswerBytes, acceptHead } = options
  const transport = createHttpTransport({ url, timeoutMs: callTimeoutMs, maxBytes: maxAnswerBytes })
  const redact = createRedactor(url)
  const stats: EndpointStats = { httpRequests: 0, calls: 0, bytesReceived: 0, failures: 0 }
  let batchLimit = MAX_BATCH_ITEMS
  let probe: Promise<Capabilities> | undefined
  let known: Capabilities | undefined
  let reprobeAt = Number.POSITIVE_INFINITY

  async function post(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]> {
    budget.spend(requests.length)
    stats.httpRequests += 1
    stats.calls += requests.length
    const reply = await transport.post(writeBody(requests), budget)
    stats.bytesReceived += reply.body.length
    return readReply(requests, reply, redact)
  }

  /**
   * A node that finds a batch too large is asked again with half of it, and remembered for that.
   */
  async function send(requests: readonly RpcRequest<unknown>[], budget: RpcBudget): Promise<RpcOutcome<unknown>[]> {
    const limit = batchLimit
    try {
      const parts = await Promise.all(chunk(requests, limit).map((part) => post(part, budget)))
      return parts.flat()
    } catch (error) {
      const size = Math.min(limit, requests.length)
      if (!(error instanceof RpcRejectedError) || error.kind !== 'batch-too-large' || size <= 1) throw error
      batchLimit = Math.min(batchLimit, Math.max(1, Math.floor(size / 2)))
      return send(requests, budget)
    }
  }

  async function askAbilities(): Promise<Capabilities> {
    const budget = createRpcBudget({ clock, deadlineMs: PROBE_DEADLINE_MS })
    const capabilities = await probeCapabilities({ send: (requests) => send(requests, budget), chainId })
    acceptHead(capabilities.head)
    return capabilities
  }

  async function startProbe(): Promise<Capabilities> {
    try {
      const capabilities = await askAbilities()
      known = capabilities
      reprobeAt = Number.POSITIVE_INFINITY
      return capabilities
    } catch (error) {
      probe = undefined
      throw error
    }
  }

  return {
    id,
    label: labelOf(url, id),
    breaker: createCircuitBreaker(clock),
    stats,
    send,
    async capabilities() {
      if (clock.monotonic() >= reprobeAt) probe = undefined
      probe ??= startProbe()
      const probed = await probe
      return known ?? probed
    },
    async check() {
      await askAbilities()
    },
    known: () => known,
    distrust(ability) {
      if (known) known = { ...known, [ability]: false }
      reprobeAt = Math.min(reprobeAt, clock.monotonic() + REPROBE_MS)
    },
    forget() {
      probe = undefined
    },
    queued: () => transport.queued(),
    close: () => transport.close(),
  }
}

/** A node that breaks a promise on every request must not be probed on every request. */
const REPROBE_MS = 30_000
/** Two HTTP requests, each with its own time limit. */
const PROBE_DEADLINE_MS = 5_000

function chunk<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}
