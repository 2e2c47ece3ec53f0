import { expect, test } from 'vitest'
import { AssayConnectionError, AssayFailure, createClient } from './client.js'

const REQUEST = { targetContractAddress: '0x514910771af9ca656af840dff83e8264ecf986ca', chainId: 1 }

/** Answers in this order; the last one for ever. */
function setUp(answers: (Response | Error)[], options: { maxRetries?: number; maxWaitMs?: number } = {}) {
  const asked: { url: string; init: RequestInit | undefined }[] = []
  const client = createClient({
    baseUrl: 'https://assay.example/',
    apiKey: 'k',
    async fetch(url, init) {
      asked.push({ url: String(url), init })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Response) return answer.clone()
      throw answer
    },
    ...options,
  })
  return { client, asked }
}

const json = (status: number, body: object, headers = {}) => new Response(JSON.stringify(body), { status, headers })
const LIMITED = { success: false, errorReason: 'Analysis rate limit hit', code: 'analysis_limit' }

test('asks as the interface says', async () => {
  const { client, asked } = setUp([json(200, { success: true })])
  await client.simulate(REQUEST)
  expect(asked[0]?.url).toBe('https://assay.example/api/simulate/execute-simulation')
  expect(asked[0]?.init).toMatchObject({
    method: 'POST',
    body: JSON.stringify(REQUEST),
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
  })
  await client.readBatch({ id: 'a/b', from: 7 })
  expect(asked[1]?.url).toBe('https://assay.example/api/batch/a%2Fb?from=7')
  expect(asked[1]?.init?.body).toBeUndefined()
})

test.each([429, 503])('comes back after a %i when it is told to', async (status) => {
  const { client, asked } = setUp([json(status, LIMITED, { 'retry-after': '0' }), json(200, { success: true })])
  expect(await client.simulate(REQUEST)).toEqual({ success: true })
  expect(asked.length).toBe(2)
})

test('gives up after as many tries as were asked for', async () => {
  const { client, asked } = setUp([json(429, LIMITED, { 'retry-after': '0' })], { maxRetries: 3 })
  await expect(client.simulate(REQUEST)).rejects.toMatchObject({ status: 429, code: 'analysis_limit', retryAfterMs: 0 })
  expect(asked.length).toBe(4)
})

test.each([
  ['a wait that is too long', json(429, LIMITED, { 'retry-after': '61' })],
  ['no word of when', json(503, { errorReason: 'Service busy', code: 'busy' })],
  ['another failure', json(500, { errorReason: 'Simulation failed' }, { 'retry-after': '0' })],
  ['a date far ahead', json(429, LIMITED, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() })],
])('does not come back after %s', async (_, answer) => {
  const { client, asked } = setUp([answer])
  await expect(client.simulate(REQUEST)).rejects.toThrow(AssayFailure)
  expect(asked.length).toBe(1)
})

test('stops waiting when it is told to', async () => {
  const { client, asked } = setUp([json(429, LIMITED, { 'retry-after': '50' })])
  const controller = new AbortController()
  const answer = client.simulate(REQUEST, { signal: controller.signal })
  await expect.poll(() => asked.length).toBe(1)
  controller.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
})

test('tells a service that is not there from one that refuses', async () => {
  for (const answer of [new TypeError('fetch failed'), new Response('<html>', { status: 502 })]) {
    await expect(setUp([answer]).client.simulate(REQUEST)).rejects.toThrow(AssayConnectionError)
  }
})

const stream = (...parts: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    }),
  )

async function readAll<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const event of events) all.push(event)
  return all
}

test('events come as they were told, wherever the network cut them, and comments are none', async () => {
  const parts = [
    ':\n\nid: 7\nevent: lis',
    'ting\ndata: {"id":',
    '"listing_1"}\n',
    '\n:\n\nid: 8\r\ndata: 1\r\n\r\nid: 9\ndata',
  ]
  const { client, asked } = setUp([stream(...parts)])
  expect(await readAll(client.streamFeed({ level: 'Safe' }, { after: '6' }))).toEqual([
    { name: 'listing', id: '7', data: { id: 'listing_1' } },
    { name: 'message', id: '8', data: 1 },
  ])
  expect(asked[0]?.url).toBe('https://assay.example/api/feed/events?level=Safe')
  expect(asked[0]?.init?.headers).toMatchObject({ 'last-event-id': '6' })
})

test('a stream that is refused says so, after as many tries as others', async () => {
  const { client, asked } = setUp([json(429, LIMITED, { 'retry-after': '0' })])
  await expect(readAll(client.streamAlerts({}))).rejects.toMatchObject({ code: 'analysis_limit' })
  expect(asked.length).toBe(3)
})

test('a stream that says what is no event is a connection that failed', async () => {
  const { client } = setUp([stream('data: <html>\n\n')])
  await expect(readAll(client.streamAlerts({}))).rejects.toThrow(AssayConnectionError)
})

test('a stream that is left is not read on', async () => {
  let isLeft = false
  const endless = new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel() {
        isLeft = true
      },
    }),
  )
  const client = createClient({ baseUrl: 'https://assay.example', apiKey: 'k', fetch: async () => endless })
  for await (const { data } of client.streamAlerts({})) {
    expect(data).toBe(1)
    break
  }
  await expect.poll(() => isLeft).toBe(true)
})
