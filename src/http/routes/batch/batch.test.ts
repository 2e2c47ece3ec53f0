import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { sampleChecks } from '../../../../test/http/sample-checks.js'
import { samplePhishing } from '../../../../test/http/sample-phishing.js'
import { createTestApp, failure, request, type TestAppOptions } from '../../../../test/http/test-app.js'
import type { Batch } from '../../../batches/batch.js'
import type { Batches, BatchOrder } from '../../../batches/create-batches.js'
import type { AnalysisTarget } from '../../../checks/target.js'
import { BaseError } from '../../../errors.js'
import { HTTP_BOUNDS } from '../../bounds.js'
import { analyseBatchItem } from './analyse-item.js'
import { BatchListBody } from './schema.js'

const BATCH = '/api/batch'
const id = `batch_${'0'.repeat(32)}`

async function setUp(batches: Partial<Batches> = {}, options: TestAppOptions = {}) {
  const orders: BatchOrder[] = []
  const stage = await createTestApp({
    ...options,
    services: {
      ...options.services,
      batches: {
        async create(order) {
          orders.push(order)
          return {
            id,
            keyId: order.keyId,
            createdAt: 0,
            finishedAt: undefined,
            webhook: order.webhook,
            webhookState: 'none',
            webhookAttempts: 0,
          }
        },
        read: async () => undefined,
        list: async () => [],
        listWebhooks: async () => [],
        redeliver: async () => undefined,
        ...batches,
      },
    },
  })
  return { ...stage, orders, order: (body: object) => stage.post(body, { url: BATCH }) }
}

test('takes targets as the analysis routes do, and says where the results will be', async () => {
  const { order, orders, keyId } = await setUp()
  const response = await order({ targets: [request(), request({ chainId: 56, check: 'honeypot' })] })
  expect([response.statusCode, response.headers.location]).toEqual([202, `/api/batch/${id}`])
  expect(response.json()).toEqual({ success: true, id, status: 'waiting', statusUrl: `/api/batch/${id}`, total: 2 })
  expect(orders).toEqual([
    {
      keyId,
      webhook: undefined,
      // 16 MB for each of the ten analyses a minute of a free key.
      maxBytes: 160_000_000,
      requests: [
        { request: { check: 'all', body: request() } },
        { request: { check: 'honeypot', body: request({ chainId: 56 }) } },
      ],
    },
  ])
})

test('what is wrong with one target is its result, not a failure of the batch', async () => {
  const { order, orders } = await setUp()
  await order({ targets: [request(), request({ targetContractAddress: '0x1', check: 'phishing' }), { check: 'all' }] })
  const [first, second, third] = orders[0]?.requests ?? []
  expect(first?.outcome).toBeUndefined()
  expect(second?.outcome).toEqual({
    state: 'failed',
    result: { phishing: failure('Invalid targetContractAddress', 'invalid_address') },
  })
  expect(Object.keys(third?.outcome?.result ?? {})).toEqual(['simulation', 'honeypot', 'phishing'])
})

const secret = 's'.repeat(16)
describe('refuses', () => {
  test.each([
    [{}, 'invalid_targets'],
    [{ targets: [] }, 'invalid_targets'],
    [{ targets: Array.from({ length: 101 }, () => request()) }, 'invalid_targets'],
    [{ targets: [request(), null] }, 'invalid_targets'],
    [{ targets: [[request()]] }, 'invalid_targets'],
    [{ targets: [request({ check: 'everything' })] }, 'invalid_check'],
    [{ targets: [request()], webhook: 'https://hooks.example/' }, 'invalid_webhook'],
    [{ targets: [request()], webhook: { url: 'https://hooks.example/', secret: 'short' } }, 'invalid_webhook'],
    [{ targets: [request()], webhook: { url: 'http://127.0.0.1/', secret } }, 'invalid_webhook'],
    [{ targets: [request()], webhook: { url: 'https://hooks.example/' } }, 'invalid_webhook'],
  ])('%#: %s', async (body, code) => {
    const { order, orders } = await setUp()
    const response = await order(body)
    expect([response.statusCode, response.json().code, orders]).toEqual([400, code, []])
  })

  test.each([
    ['open', 'batch_limit', '60'],
    ['bytes', 'storage_limit', '3600'],
    ['webhooks', 'webhook_limit', '60'],
  ] as const)('a key whose share of %s is used up', async (refusal, code, retryAfter) => {
    const { order } = await setUp({ create: async () => refusal })
    const response = await order({ targets: [request()] })
    expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
      429,
      code,
      retryAfter,
    ])
  })
})

test('a hundred targets fit, and far more than that does not', async () => {
  const { order, post } = await setUp()
  const full = request({
    pair: `0x${'a'.repeat(64)}`,
    blockNumber: 21_000_000,
    simulateLiquidity: true,
    amount: '1'.repeat(30),
    check: 'simulate',
  })
  expect((await order({ targets: Array.from({ length: 100 }, () => full) })).statusCode).toBe(202)
  const padding = 'x'.repeat(HTTP_BOUNDS.batchBodyBytes)
  expect((await order({ targets: [request({ padding })] })).statusCode).toBe(413)
  expect((await post(request({ padding: 'x'.repeat(HTTP_BOUNDS.bodyBytes) }))).statusCode).toBe(413)
})

test('shows how far a batch is and what was found', async () => {
  const { app, key } = await setUp({
    read: async (_id, keyId, from) => ({
      batch: {
        id,
        keyId,
        createdAt: 0,
        finishedAt: undefined,
        webhook: undefined,
        webhookState: 'none',
        webhookAttempts: 0,
      },
      items: [
        { position: 0, request: { check: 'simulate', body: request() }, state: 'done', resultChars: 9 },
        { position: 1, request: { check: 'all', body: {} }, state: 'waiting', resultChars: 0 },
      ],
      results: from === 0 ? new Map([[0, '{"simulation":{"success":true}}']]) : new Map(),
      next: undefined,
    }),
  })
  const read = (query: string) =>
    app.inject({ url: `${BATCH}/${id}${query}`, headers: { authorization: `Bearer ${key}` } })
  expect((await read('')).json()).toMatchInlineSnapshot(`
    {
      "createdAt": "1970-01-01T00:00:00.000Z",
      "done": 1,
      "failed": 0,
      "finishedAt": null,
      "id": "batch_00000000000000000000000000000000",
      "items": [
        {
          "check": "simulate",
          "position": 0,
          "request": {
            "chainId": 1,
            "targetContractAddress": "0x514910771af9ca656af840dff83e8264ecf986ca",
          },
          "result": {
            "simulation": {
              "success": true,
            },
          },
          "state": "done",
        },
        {
          "check": "all",
          "position": 1,
          "request": {},
          "result": null,
          "state": "waiting",
        },
      ],
      "next": null,
      "status": "waiting",
      "success": true,
      "total": 2,
      "waiting": 1,
      "webhook": "none",
    }
  `)
  expect((await read('?from=1')).json().items[0].result).toBeNull()
  expect((await read('?from=-1')).json().items[0].result).not.toBeNull()
})

test('batches are listed by how far they are, without their targets', async () => {
  const { app, key, keyId } = await setUp({
    async list(asked) {
      expect(asked).toBe(keyId)
      const batch = { id, keyId, createdAt: 0, finishedAt: undefined, webhook: undefined, webhookAttempts: 0 }
      return [{ batch: { ...batch, webhookState: 'none' }, waiting: 2, done: 5, failed: 1 }]
    },
  })
  const response = await app.inject({ url: BATCH, headers: { authorization: `Bearer ${key}` } })
  expect([response.statusCode, [...Errors(BatchListBody, response.json())]]).toEqual([200, []])
  expect(response.json().batches).toEqual([
    {
      ...{ id, status: 'waiting', createdAt: '1970-01-01T00:00:00.000Z', finishedAt: null },
      ...{ total: 8, waiting: 2, done: 5, failed: 1, webhook: 'none', statusUrl: `/api/batch/${id}` },
    },
  ])
})

test('a batch that is not there is 404', async () => {
  const { app, key } = await setUp()
  const response = await app.inject({ url: `${BATCH}/${id}`, headers: { authorization: `Bearer ${key}` } })
  expect([response.statusCode, response.json().code]).toEqual([404, 'batch_not_found'])
})

test('webhooks are listed for their own key, without the path that they go to', async () => {
  const asked: unknown[] = []
  const { app, key, keyId } = await setUp({
    async listWebhooks(...given) {
      asked.push(given)
      return [
        {
          ...{
            id,
            keyId,
            createdAt: 0,
            finishedAt: 1_000,
            webhook: { url: 'https://hooks.example:8443/token', secret },
          },
          ...{ webhookState: 'failed', webhookAttempts: 6, webhookFailure: 'The receiver answered 500' },
        },
      ]
    },
  })
  const ask = (query: string) =>
    app.inject({ url: `${BATCH}/webhooks${query}`, headers: { authorization: `Bearer ${key}` } })
  const response = await ask('?state=failed')
  await ask('')
  await ask('?state=told')
  await ask('?state=delivered')
  const both = ['waiting', 'failed']
  expect(asked).toEqual([
    [keyId, ['failed']],
    [keyId, both],
    [keyId, both],
    [keyId, ['delivered']],
  ])
  expect(response.statusCode).toBe(200)
  expect(response.json().webhooks).toEqual([
    {
      ...{ id, host: 'hooks.example:8443', webhook: 'failed', attempts: 6, failure: 'The receiver answered 500' },
      ...{ finishedAt: '1970-01-01T00:00:01.000Z', statusUrl: `/api/batch/${id}` },
    },
  ])
})

describe('telling the webhook again', () => {
  const batch: Batch = {
    ...{ id, keyId: 'key_a', createdAt: 0, finishedAt: 1, webhook: { url: 'https://hooks.example/', secret } },
    ...{ webhookState: 'waiting', webhookAttempts: 0 },
  }
  test.each([
    [batch, 202, undefined],
    [undefined, 404, 'batch_not_found'],
    ['none', 404, 'webhook_not_found'],
    ['webhooks', 429, 'webhook_limit'],
  ] as const)('%#: %o', async (outcome, status, code) => {
    const asked: unknown[] = []
    const { post, keyId } = await setUp({
      async redeliver(...given) {
        asked.push(given)
        return outcome
      },
    })
    const response = await post(undefined, { url: `${BATCH}/${id}/webhook` })
    expect([response.statusCode, response.json().code, asked]).toEqual([status, code, [[id, keyId]]])
    if (status === 202) {
      expect(response.json()).toEqual({ success: true, id, webhook: 'waiting', statusUrl: `/api/batch/${id}` })
    }
  })
})

describe('one target', () => {
  const services = async (overrides: TestAppOptions['services'] = {}) =>
    (await createTestApp({ services: overrides })).services
  const run = { caller: 'key_a', signal: new AbortController().signal }

  test('gets the answers that the endpoints would give, and a failure where one fails', async () => {
    const { state, result } = await analyseBatchItem(
      await services({ honeypot: () => Promise.reject(new BaseError('node url')) }),
      { check: 'all', body: request() },
      run,
    )
    expect(state).toBe('done')
    expect(result).toMatchObject({
      simulation: { success: true },
      honeypot: failure('Honeypot check failed', 'honeypot_failed'),
      phishing: { success: true },
    })
  })

  test('has failed when no answer could be given', async () => {
    const { state } = await analyseBatchItem(
      await services({ honeypot: () => Promise.reject(new BaseError('node url')) }),
      { check: 'honeypot', body: request() },
      run,
    )
    expect(state).toBe('failed')
  })

  test.each([
    ['phishing', { value: 5n, calldata: '0x' }],
    ['all', undefined],
  ] as const)(
    'for %s heeds what a wallet is asked to send as the endpoint of that check does',
    async (check, wallet) => {
      const asked: unknown[] = []
      const phishing = async (target: AnalysisTarget) => {
        asked.push(target.wallet)
        return samplePhishing
      }
      await analyseBatchItem(
        await services({ phishing }),
        { check, body: request({ calldata: '0x', value: '5' }) },
        run,
      )
      expect(asked).toEqual([wallet])
    },
  )

  test('is not finished by a process that stops', async () => {
    const controller = new AbortController()
    const job = analyseBatchItem(
      await services({
        async simulation() {
          controller.abort(new Error('stopping'))
          return sampleChecks
        },
        honeypot: async ({ signal }) => {
          signal?.throwIfAborted()
          throw new Error('not told to stop')
        },
      }),
      { check: 'all', body: request() },
      { ...run, signal: controller.signal },
    )
    await expect(job).rejects.toThrow('stopping')
  })
})
