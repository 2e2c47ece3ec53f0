import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { listenTestApp, parseAnswers, rawPost, sendRaw } from '../http/raw-client.js'
import { SIMULATE, TOKEN } from '../http/test-app.js'

/**
 * How often each row is repeated; the catalogue wants `ASSAY_CATALOGUE_REPEATS=1000`, which takes
 * minutes.
 */
const REPEATS = Number(process.env.ASSAY_CATALOGUE_REPEATS ?? 50)
/** In a short run code is still being compiled. */
const LARGEST_GROWTH = REPEATS >= 1_000 ? 1.01 : 1.1

const json = { 'content-type': 'application/json', connection: 'close' }
const withBody = (key: string, body: string, more = {}) =>
  rawPost(
    SIMULATE,
    { ...json, authorization: `Bearer ${key}`, 'content-length': Buffer.byteLength(body), ...more },
    body,
  )

/** The rows that cost the service nothing: what is sent, and the status that comes back. */
const ROWS: [name: string, status: number, text: (key: string) => string][] = [
  ['1: no authorization', 401, () => rawPost(SIMULATE, json)],
  ['3: other scheme', 401, () => rawPost(SIMULATE, { ...json, authorization: 'Basic abc' })],
  ['5: unknown key', 403, () => rawPost(SIMULATE, { ...json, authorization: `Bearer ${'k'.repeat(43)}` })],
  ['8: hostile key text', 403, () => rawPost(SIMULATE, { ...json, authorization: `Bearer ${'k'.repeat(4_000)}` })],
  ['11: address missing', 400, (key) => withBody(key, '{"chainId":1}')],
  ['14: wrong type of address', 400, (key) => withBody(key, '{"targetContractAddress":[],"chainId":1}')],
  ['18: chain variants', 400, (key) => withBody(key, `{"targetContractAddress":"${TOKEN}","chainId":1e999}`)],
  ['20: prototype keys', 400, (key) => withBody(key, '{"__proto__":{"chainId":1}}')],
  ['23: broken JSON', 400, (key) => withBody(key, '{"chainId":')],
  ['25: content type', 415, (key) => withBody(key, '{}', { 'content-type': 'text/plain' })],
  ['26: large body', 413, (key) => withBody(key, ' '.repeat(9_000))],
  ['27: compressed bomb', 415, (key) => withBody(key, 'x', { 'content-encoding': 'gzip' })],
  ['28: deep nesting', 400, (key) => withBody(key, '['.repeat(4_000))],
  ['29: wrong method', 405, () => rawPost(SIMULATE, json).replace('POST', 'PUT')],
  ['30: unknown route', 404, () => rawPost('/api//simulate', json)],
  ['33: request smuggling', 400, (key) => withBody(key, '{}', { 'transfer-encoding': 'chunked' })],
]

test('every cheap row, over and over: always the envelope, and no memory kept', {
  timeout: 60_000 + REPEATS * 1_000,
}, async () => {
  await using server = await listenTestApp({
    // What is counted is another row; here every request must get as far as it can.
    services: {
      limiter: { take: async ({ limit }) => ({ allowed: true, remaining: limit, resetMs: 1 }), close: async () => {} },
    },
  })
  const { key } = await server.issue({ tier: 'partner' })
  const runAll = async () => {
    for (const [name, status, text] of ROWS) {
      const [answer] = parseAnswers(await sendRaw(server.port, text(key)))
      expect(answer, name).toMatchObject({ status, body: { success: false, errorReason: expect.any(String) } })
    }
    // The log of the test application keeps every line.
    server.logLines.length = 0
  }
  for (let i = 0; i < Math.max(10, REPEATS / 10); i += 1) await runAll()
  const before = await settledHeap()
  for (let i = 0; i < REPEATS; i += 1) await runAll()
  expect(await settledHeap()).toBeLessThan(before * LARGEST_GROWTH)
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Bytes in use once what nobody needs has been collected. What sockets leave behind goes in several
 * turns.
 */
async function settledHeap(): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i += 1) {
    await new Promise((done) => setImmediate(done))
    collectGarbage()
    lowest = Math.min(lowest, process.memoryUsage().heapUsed)
  }
  return lowest
}
