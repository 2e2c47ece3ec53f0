import { expect, test } from 'vitest'
import { failedCheck, sampleChecks } from '../../../../test/http/sample-checks.js'
import { createTestApp, failure, HONEYPOT, PHISHING, request, SIMULATE } from '../../../../test/http/test-app.js'
import { BaseError } from '../../../errors.js'
import { BlockNotFoundError } from '../../../state/state-source.js'

const SIMULATION_FAILED = failure('Simulation failed', 'simulation_failed')

test('68: no node can be reached', async () => {
  const cause = new BaseError('No node answered', { details: 'https://node.example/v2/secret-key refused' })
  const { post, logLines } = await createTestApp({ services: { simulation: () => Promise.reject(cause) } })
  const response = await post(request())
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual(SIMULATION_FAILED)
  expect(logLines.join('')).toContain('No node answered')
})

test('a height that no node has is the request’s fault, on every route', async () => {
  const missing = () => Promise.reject(new BlockNotFoundError(new Error('null')))
  const { post } = await createTestApp({
    services: { simulation: missing, honeypot: missing, phishing: missing },
  })
  for (const url of [SIMULATE, HONEYPOT, PHISHING]) {
    const response = await post(request({ blockNumber: 10 ** 9 }), { url })
    expect([response.statusCode, response.json()]).toEqual([400, failure('Block not found', 'block_not_found')])
  }
})

test('all three checks failed', async () => {
  const failed = failedCheck('The node did not answer')
  const checks = { ...sampleChecks, trade: failed, bytecode: failed, history: failed }
  const { post } = await createTestApp({ services: { simulation: async () => checks } })
  expect((await post(request())).json()).toEqual(SIMULATION_FAILED)
})

test('keeps the cause of an internal failure out of the response, and in the log under the request id', async () => {
  const broken = () => Promise.reject(new TypeError('cannot read /etc/passwd of undefined'))
  const { post, logLines } = await createTestApp({ services: { simulation: broken } })
  const response = await post(request())
  expect(response.json()).toEqual(SIMULATION_FAILED)
  const line = JSON.parse(logLines.find((text) => text.includes('"level":"error"')) ?? '{}')
  expect(line.requestId).toBe(response.headers['x-request-id'])
  expect(line.error.stack).toContain('cannot read /etc/passwd of undefined')
})

test.each(['text', undefined, null, 7])('even %j that was thrown ends in the envelope', async (thrown) => {
  const { post } = await createTestApp({ services: { simulation: () => Promise.reject(thrown) } })
  const response = await post(request())
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual(SIMULATION_FAILED)
})

test('the deadline: the work is told to stop first, and the client is answered in any case', async () => {
  const signals: AbortSignal[] = []
  const { post } = await createTestApp({
    bounds: { analysisMs: 120, wrapUpMs: 60 },
    services: { simulation: ({ signal }) => new Promise(() => signal && signals.push(signal)) },
  })
  const before = performance.now()
  const response = await post(request())
  expect(response.json()).toEqual(SIMULATION_FAILED)
  expect(performance.now() - before).toBeGreaterThanOrEqual(110)
  expect(signals[0]?.aborted).toBe(true)
})

test('what was found until the deadline is still answered', async () => {
  const { post } = await createTestApp({
    bounds: { analysisMs: 5_000, wrapUpMs: 4_950 },
    services: {
      simulation: ({ signal }) =>
        new Promise((resolve) =>
          signal?.addEventListener('abort', () => resolve({ ...sampleChecks, trade: failedCheck('No time left') })),
        ),
    },
  })
  const body = (await post(request())).json()
  expect(body.checks.simulateResult.errorReason).toBe('No time left')
  expect(body.checks.byteCodeResult.riskFlags).toHaveLength(1)
})

test('a failure of one request leaves the next one alone', async () => {
  let calls = 0
  const { post } = await createTestApp({
    services: {
      simulation: async () => {
        calls += 1
        if (calls === 1) throw new Error('once')
        return sampleChecks
      },
    },
  })
  expect((await post(request())).statusCode).toBe(500)
  expect((await post(request())).statusCode).toBe(200)
})
