import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { createSystemClock } from '../clock.js'
import { createRpcBudget, RpcBudgetError } from './budget.js'
import { createHttpTransport, type HttpTransport, RpcTimeoutError } from './http-transport.js'

/** As many requests as can be under way. */
const CONNECTIONS = 32
const clock = createSystemClock()
const open: { server: Server; transport: HttpTransport }[] = []

afterEach(async () => {
  for (const { server, transport } of open.splice(0)) {
    await transport.close()
    server.closeAllConnections()
    server.close()
  }
})

/** A node that takes its time, and what it was asked. */
async function startSlowNode({ answersAfterMs, timeoutMs }: { answersAfterMs: number; timeoutMs: number }) {
  const asked: string[] = []
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    asked.push(text)
    setTimeout(() => reply.end(text), answersAfterMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const transport = createHttpTransport({ url: new URL(`http://127.0.0.1:${port}`), timeoutMs, maxBytes: 1_000 })
  open.push({ server, transport })
  return { asked, transport }
}

/** A node in a thread of its own, which goes on while this one is busy. It answers after 150 ms. */
async function startNodeElsewhere(timeoutMs: number) {
  const worker = new Worker(
    `const { createServer } = require('node:http')
    const server = createServer((request, reply) => {
      request.resume()
      setTimeout(() => reply.end('heard'), 150)
    }).listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const [port] = await once(worker, 'message')
  const transport = createHttpTransport({ url: new URL(`http://127.0.0.1:${port}`), timeoutMs, maxBytes: 1_000 })
  open.push({ server: createServer(), transport })
  return { worker, transport }
}

test('waiting for a connection is not held against the node', async () => {
  const { transport } = await startSlowNode({ answersAfterMs: 300, timeoutMs: 2_000 })
  const bodies = Array.from({ length: 8 * CONNECTIONS }, (_, i) => `request ${i}`)
  const posted = bodies.map((body) => transport.post(body, createRpcBudget({ clock })))
  await new Promise(setImmediate)
  expect(transport.queued()).toBe(7 * CONNECTIONS)
  const replies = await Promise.all(posted)
  expect(replies.map(({ body }) => String(body))).toEqual(bodies)
  expect(transport.queued()).toBe(0)
})

test('an answer that came while this thread was busy is heard, and the node not called late', async () => {
  const { worker, transport } = await startNodeElsewhere(500)
  const budget = () => createRpcBudget({ clock })
  await transport.post('{}', budget())
  for (let round = 0; round < 3; round += 1) {
    const posted = transport.post('{}', budget())
    // Long enough for the request to be sent; then nothing is heard for longer than a node may
    // take.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    expect(String((await posted).body)).toBe('heard')
  }
  await worker.terminate()
})

test('a caller with hundreds of questions keeps the one question of another waiting for one turn', async () => {
  const { asked, transport } = await startSlowNode({ answersAfterMs: 50, timeoutMs: 10_000 })
  const many = createRpcBudget({ clock, caller: 'greedy' })
  const posted = Array.from({ length: 10 * CONNECTIONS }, (_, i) => transport.post(`greedy ${i}`, many))
  posted.push(transport.post('other', createRpcBudget({ clock, caller: 'other' })))
  posted.push(transport.post('nameless', createRpcBudget({ clock })))
  await Promise.all(posted)
  // Connections are made at the same time, so that questions of one turn come in any order.
  for (const text of ['other', 'nameless']) expect(asked.indexOf(text)).toBeLessThan(2 * CONNECTIONS)
})

test('a node that is silent is late, and not sooner than it may be', async () => {
  const { transport } = await startSlowNode({ answersAfterMs: 60_000, timeoutMs: 300 })
  const start = performance.now()
  await expect(transport.post('{}', createRpcBudget({ clock }))).rejects.toThrow(RpcTimeoutError)
  expect(performance.now() - start).toBeGreaterThan(299)
})

test('a request whose budget ends before its turn is never sent', async () => {
  const { asked, transport } = await startSlowNode({ answersAfterMs: 300, timeoutMs: 2_000 })
  const first = Array.from({ length: CONNECTIONS }, (_, i) => transport.post(`first ${i}`, createRpcBudget({ clock })))
  const controller = new AbortController()
  const late = transport.post('out of time', createRpcBudget({ clock, deadlineMs: 50 }))
  const left = transport.post('cancelled', createRpcBudget({ clock, signal: controller.signal }))
  setTimeout(() => controller.abort(), 20)
  await expect(left).rejects.toMatchObject({ reason: 'cancelled' })
  await expect(late).rejects.toThrow(RpcBudgetError)
  await Promise.all(first)
  const next = await transport.post('next', createRpcBudget({ clock }))
  expect(String(next.body)).toBe('next')
  expect(asked).toHaveLength(CONNECTIONS + 1)
})

test('a node that is late is told from a budget that is over', async () => {
  const { transport } = await startSlowNode({ answersAfterMs: 60_000, timeoutMs: 100 })
  await expect(transport.post('a', createRpcBudget({ clock }))).rejects.toThrow(RpcTimeoutError)
  await expect(transport.post('b', createRpcBudget({ clock, deadlineMs: 50 }))).rejects.toThrow(RpcBudgetError)
})
