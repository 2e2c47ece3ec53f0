import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

export interface ProxyCall {
  id: unknown
  method: string
  params: unknown[]
}

export interface ProxyAnswer {
  id: unknown
  result?: unknown
  error?: unknown
  [member: string]: unknown
}

/**
 * Something that goes wrong between us and a node. `exchange` takes over the whole HTTP exchange;
 * `answer` changes what the node said to one call (or drops it, or doubles it); `call` changes what
 * the node is asked.
 */
export type Fault = { name: string; method?: string } & (
  | {
      exchange: (
        reply: ServerResponse,
        honest: () => Promise<string>,
        calls: readonly ProxyCall[],
      ) => Promise<void> | void
    }
  | { answer: (honest: ProxyAnswer, call: ProxyCall) => ProxyAnswer | ProxyAnswer[] | Promise<ProxyAnswer> }
  | { call: (call: ProxyCall) => ProxyCall }
)

export interface FaultProxy {
  url: string
  /** HTTP requests and calls since the last `reset`. */
  readonly seen: { http: number; calls: ProxyCall[] }
  /**
   * Replaces the faults; none mends everything. A fault with a `method` concerns that method only,
   * one without concerns all.
   */
  inject(...faults: Fault[]): void
  delay(ms: number): void
  /** Counts from zero. */
  reset(): void
  close(): Promise<void>
}

/** A JSON-RPC proxy in front of an honest node, which can be told to misbehave. */
export async function startFaultProxy(target: string, { delayMs = 0 }: { delayMs?: number } = {}): Promise<FaultProxy> {
  const seen = createRecord()
  const node = new Pool(new URL(target).origin)
  let faults: readonly Fault[] = []
  let waitMs = delayMs

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const body = await readBody(request)
    seen.note(body)
    const [active] = [faults]
    if (waitMs > 0) await sleep(waitMs)
    if (active.length === 0) {
      // Bytes as they are, like a network: whoever measures through this proxy does not measure its
      // JSON.
      reply.writeHead(200, { 'content-type': 'application/json' }).end(await post(node, body))
      return
    }
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    const calls = (Array.isArray(parsed) ? parsed : [parsed]) as ProxyCall[]
    const honest = () => forward(node, active, calls, Array.isArray(parsed))
    const exchange = active.flatMap((fault) =>
      'exchange' in fault && concernsAny(fault, calls) ? [fault.exchange] : [],
    )[0]
    if (exchange) return exchange(reply, honest, calls)
    const text = await honest()
    reply.writeHead(200, { 'content-type': 'application/json' }).end(text)
  }

  const server = createServer((request, reply) => {
    handle(request, reply).catch(() => reply.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    inject(...injected) {
      faults = injected
    },
    delay(ms) {
      waitMs = ms
    },
    reset() {
      seen.http = 0
      seen.calls = []
    },
    async close() {
      server.closeAllConnections()
      await node.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const concerns = ({ method }: Fault, call: ProxyCall) => method === undefined || method === call.method
const concernsAny = (fault: Fault, calls: readonly ProxyCall[]) => calls.some((call) => concerns(fault, call))

/** What was asked so far, read only when somebody wants to know. */
function createRecord(): FaultProxy['seen'] & { note(body: Buffer): void } {
  let unread: Buffer[] = []
  let calls: ProxyCall[] = []
  return {
    http: 0,
    note(body) {
      this.http += 1
      unread.push(body)
    },
    get calls() {
      calls.push(...unread.splice(0).flatMap((body) => JSON.parse(body.toString('utf8')) as ProxyCall | ProxyCall[]))
      return calls
    },
    set calls(asked) {
      unread = []
      calls = asked
    },
  }
}

async function post(node: Pool, body: Buffer | string): Promise<Buffer> {
  const headers = { 'content-type': 'application/json' }
  const response = await node.request({ method: 'POST', path: '/', headers, body })
  return Buffer.from(await response.body.arrayBuffer())
}

async function forward(node: Pool, faults: readonly Fault[], calls: readonly ProxyCall[], isBatch: boolean) {
  const asked = calls.map((call) =>
    faults.reduce(
      (changed, fault) => ('call' in fault && concerns(fault, changed) ? fault.call(changed) : changed),
      call,
    ),
  )
  const text = (await post(node, JSON.stringify(isBatch ? asked : asked[0]))).toString('utf8')
  const isHonest = faults.every((fault) => !('answer' in fault) || !concernsAny(fault, calls))
  return isHonest ? text : spoil(JSON.parse(text), faults, calls)
}

async function spoil(parsed: unknown, faults: readonly Fault[], calls: readonly ProxyCall[]): Promise<string> {
  const answers = (Array.isArray(parsed) ? parsed : [parsed]) as ProxyAnswer[]
  const told = await Promise.all(
    answers.map(async (answer) => {
      const call = calls.find(({ id }) => id === answer.id)
      let changed: ProxyAnswer[] = [answer]
      for (const fault of faults) {
        if (!('answer' in fault) || call === undefined || !concerns(fault, call)) continue
        changed = (await Promise.all(changed.map((one) => fault.answer(one, call)))).flat()
      }
      return changed
    }),
  )
  return JSON.stringify(Array.isArray(parsed) ? told.flat() : told.flat()[0])
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
