import { expect, test, vi } from 'vitest'
import { sampleChecks } from '../../../../test/http/sample-checks.js'
import { createTestApp, failure, request } from '../../../../test/http/test-app.js'
import { createConcurrencyLimit } from '../../../scheduling/concurrency-limit.js'

test('more analyses than may run and wait', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { post, issue } = await createTestApp({
    services: {
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 2 }),
      simulation: () => gate.then(() => sampleChecks),
    },
  })
  const { key } = await issue({ tier: 'partner' })
  const headers = { authorization: `Bearer ${key}` }
  const ask = (amount: string) => post(request({ amount }), { headers })
  const waiting = ['1', '2', '3'].map(ask)
  await new Promise(setImmediate)
  const refused = await ask('4')
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toEqual(failure('Service busy', 'busy'))
  expect(refused.headers['retry-after']).toBe('2')
  release()
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect((await ask('4')).statusCode).toBe(200)
})

test('an analysis whose time ran out before its turn came was not a failure: come back', async () => {
  const { post } = await createTestApp({
    bounds: { analysisMs: 120, wrapUpMs: 60 },
    services: {
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 2 }),
      simulation: () => new Promise(() => {}),
    },
  })
  const [begun, waited] = await Promise.all([post(request()), post(request({ amount: '2' }))])
  expect(begun.json()).toEqual(failure('Simulation failed', 'simulation_failed'))
  expect(waited.json()).toEqual(failure('Service busy', 'busy'))
  expect(waited.headers['retry-after']).toBe('2')
})

test('an analysis whose turn does not come in half of its time is told to come back; the one that holds it up ends well', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { post } = await createTestApp({
    bounds: { turnMs: 40 },
    services: {
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 2 }),
      simulation: () => gate.then(() => sampleChecks),
    },
  })
  const begun = post(request()).then(({ statusCode }) => statusCode)
  const waited = await post(request({ amount: '2' }))
  expect(waited.statusCode).toBe(503)
  expect(waited.json()).toEqual(failure('Service busy', 'busy'))
  expect(waited.headers['retry-after']).toBe('2')
  release()
  expect(await begun).toBe(200)
})

test('however many ask the same at the same time, one analysis answers them all', async () => {
  let analyses = 0
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { app, post, issue } = await createTestApp({
    services: {
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 2 }),
      async simulation() {
        analyses += 1
        await gate
        return sampleChecks
      },
    },
  })
  const { key } = await issue({ tier: 'partner' })
  let arrived = 0
  app.addHook('preHandler', async () => {
    arrived += 1
  })
  const asked = Array.from({ length: 10 }, () => post(request(), { headers: { authorization: `Bearer ${key}` } }))
  await vi.waitFor(() => expect(arrived).toBe(10))
  await new Promise(setImmediate)
  release()
  const answers = await Promise.all(asked)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(analyses).toBe(1)
})

test.each([
  ['another height', { blockNumber: 7 }],
  ['another amount', { amount: '7' }],
  ['another pool', { pair: `0x${'1'.repeat(40)}` }],
])('%s is another question', async (_, other) => {
  let analyses = 0
  const { post } = await createTestApp({
    services: {
      async simulation() {
        analyses += 1
        await new Promise(setImmediate)
        return sampleChecks
      },
    },
  })
  const answers = await Promise.all([post(request()), post(request(other))])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(analyses).toBe(2)
})
