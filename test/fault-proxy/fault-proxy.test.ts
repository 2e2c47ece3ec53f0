import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.js'
import { limitedNode } from './limited-node.js'

/** A node that answers each call with the method's name. */
const node = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    const answer = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => ({
      id,
      result: [method, params],
    })
    reply.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body as Parameters<typeof answer>[0])))
  })
})
let proxy: FaultProxy

beforeAll(async () => {
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  proxy = await startFaultProxy(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
})
afterEach(() => {
  proxy.inject()
  proxy.delay(0)
  proxy.reset()
})
afterAll(async () => {
  await proxy.close()
  node.close()
})

const ask = async (...methods: string[]) => {
  const calls = methods.map((method, id) => ({ id, method, params: ['a', 'b', 'c'] }))
  const response = await fetch(proxy.url, {
    method: 'POST',
    body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
  })
  return response.json() as Promise<unknown>
}

test('without faults it passes on what is asked and what is answered', async () => {
  expect(await ask('one')).toEqual({ id: 0, result: ['one', ['a', 'b', 'c']] })
  expect(await ask('one', 'two')).toEqual([
    { id: 0, result: ['one', ['a', 'b', 'c']] },
    { id: 1, result: ['two', ['a', 'b', 'c']] },
  ])
  expect(proxy.seen.http).toBe(2)
  expect(proxy.seen.calls.map(({ method }) => method)).toEqual(['one', 'one', 'two'])
})

test('a fault of one method leaves the others alone', async () => {
  proxy.inject({ name: 'no', method: 'one', answer: ({ id }) => ({ id, error: 'no' }) })
  expect(await ask('one', 'two')).toEqual([
    { id: 0, error: 'no' },
    { id: 1, result: ['two', ['a', 'b', 'c']] },
  ])
})

test('a question can be changed on its way', async () => {
  proxy.inject({ name: 'swap', method: 'one', call: (call) => ({ ...call, params: [] }) })
  expect(await ask('one')).toEqual({ id: 0, result: ['one', []] })
})

test('an answer can be dropped or doubled', async () => {
  proxy.inject(
    { name: 'drop', method: 'one', answer: () => [] },
    { name: 'double', method: 'two', answer: (it) => [it, it] },
  )
  expect(await ask('one', 'two')).toHaveLength(2)
})

test('a whole exchange can be taken over', async () => {
  proxy.inject({ name: 'teapot', exchange: (reply) => void reply.writeHead(418).end('{}') })
  expect(await ask('one')).toEqual({})
})

test('an answer can be held back', async () => {
  proxy.delay(60)
  const start = performance.now()
  await ask('one')
  expect(performance.now() - start).toBeGreaterThan(55)
})

test('faults last until they are replaced, and counting starts anew when told', async () => {
  proxy.inject(...limitedNode('eth_simulateV1'))
  for (let i = 0; i < 2; i += 1) {
    proxy.reset()
    expect(await ask('eth_simulateV1')).toMatchObject({ error: { code: -32601 } })
  }
  expect(proxy.seen.http).toBe(1)
})

test('a plainer node refuses what it does not have', async () => {
  proxy.inject(...limitedNode('overrides', 'batch of 2'))
  expect(await ask('eth_call')).toMatchObject({ error: { code: -32602 } })
  expect(await ask('one', 'two')).toHaveLength(2)
  expect(await ask('one', 'two', 'three')).toMatchObject({ error: { message: 'batch too large' } })
})
