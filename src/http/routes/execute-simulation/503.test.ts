import { describe, expect, test, vi } from 'vitest'
import { sampleChecks } from '../../../../test/http/sample-checks.js'
import { createTestApp, failure, HONEYPOT, request, SIMULATE } from '../../../../test/http/test-app.js'
import type { SimulationChecks } from '../../../checks/simulation/simulation-checks.js'
import { BaseError } from '../../../errors.js'
import { createConcurrencyLimit } from '../../../scheduling/concurrency-limit.js'
import { createBlame, MachineBusyError } from '../../../scheduling/machine-load.js'

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

test('a key that fills the queue is refused itself; one with a single question gets a place', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const slots = createConcurrencyLimit({ concurrency: 1, maxWaiting: 4 })
  const { post, issue } = await createTestApp({
    services: {
      slots,
      simulation: () => gate.then(() => sampleChecks),
    },
  })
  const { key } = await issue({ tier: 'partner' })
  const headers = { authorization: `Bearer ${key}` }
  const greedy = Array.from({ length: 5 }, (_, i) => post(request({ amount: `${i + 1}` }), { headers }))
  await vi.waitFor(() => expect(slots.waiting).toBe(4))
  const other = post(request({ amount: '99' }))
  await Promise.race([other, ...greedy])
  release()
  expect((await other).statusCode).toBe(200)
  const statuses = (await Promise.all(greedy)).map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 503])
})

test('analyses that wait for the node of one chain keep those of another from nothing', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const slots = createConcurrencyLimit({ concurrency: 1, maxConcurrency: 4, maxWaiting: 5, hasRoom: () => true })
  const { post, issue } = await createTestApp({
    services: {
      slots,
      simulation: ({ chain }) => (chain.id === 1 ? gate : Promise.resolve()).then(() => sampleChecks),
    },
  })
  const keys = await Promise.all(Array.from({ length: 6 }, () => issue()))
  const stuck = keys.map(({ key }, i) =>
    post(request({ amount: `${i + 1}` }), { headers: { authorization: `Bearer ${key}` } }),
  )
  await vi.waitFor(() => expect([slots.running, slots.waiting]).toEqual([2, 4]))
  for (const url of [SIMULATE, '/api/analysis/stream']) {
    expect((await post(request({ chainId: 56 }), { url })).statusCode).toBe(200)
  }
  release()
  expect((await Promise.all(stuck)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
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

describe('an analysis that a busy machine made late', () => {
  const HANGS = { simulation: () => new Promise<never>(() => {}), blame: createBlame({ isBusy: () => true }) }
  const late = failure('Machine too busy to finish the analysis', 'machine_busy')

  test.each([
    ['is told to come back', { analysisMs: 2_000, wrapUpMs: 1_950 }],
    ['also where not even that could be said in time', { analysisMs: 60, wrapUpMs: 10 }],
  ])('%s', async (_, bounds) => {
    const { post } = await createTestApp({ bounds, services: HANGS })
    const response = await post(request({ only: true }))
    expect([response.statusCode, response.json()]).toEqual([503, late])
    expect(response.headers['retry-after']).toBe('5')
  })

  test('is told to come back when only one of its checks knows that it was the machine', async () => {
    const failed = { failed: true, errorReason: 'late' } as const
    const block = { number: 1n, hash: `0x${'1'.repeat(64)}`, timestamp: 1n } as const
    const found = { block, trade: failed, bytecode: { ...failed, code: 'machine_busy' }, history: failed } as const
    const ask = async (simulation: () => Promise<SimulationChecks>) => {
      const { post } = await createTestApp({ services: { simulation } })
      const response = await post(request({ only: true }))
      return [response.statusCode, response.json()]
    }
    expect(await ask(async () => ({ ...found, identity: undefined }))).toEqual([503, late])
    expect(await ask(async () => ({ ...found, bytecode: failed, identity: undefined }))).toEqual([
      500,
      failure('Simulation failed', 'simulation_failed'),
    ])
  })

  test('is an event of a stream', async () => {
    const { post } = await createTestApp({ bounds: { analysisMs: 2_000, wrapUpMs: 1_950 }, services: HANGS })
    const { body } = await post(request(), { url: '/api/analysis/stream' })
    expect(body).toContain(`event: failure\ndata: ${JSON.stringify({ name: 'simulation', ...late })}`)
  })

  test('leaves what was found, and says nothing about the token', async () => {
    const honeypot = () => Promise.reject(new MachineBusyError())
    const { post } = await createTestApp({ services: { honeypot } })
    const { overall } = (await post(request())).json()
    expect(overall).toMatchObject({ level: 'Critical Risk', inconclusiveCode: 'machine_busy' })
    expect(overall.inconclusive).toBe('Our machine was too busy to finish it, which says nothing about it.')
    const refused = await post(request(), { url: HONEYPOT })
    expect([refused.statusCode, refused.json()]).toEqual([503, late])
  })

  test('and one that failed by itself is told apart', async () => {
    const honeypot = () => Promise.reject(new BaseError('no node'))
    const { post } = await createTestApp({ services: { honeypot, blame: HANGS.blame } })
    expect((await post(request())).json().overall).not.toHaveProperty('inconclusiveCode')
    expect((await post(request(), { url: HONEYPOT })).json().code).toBe('honeypot_failed')
  })
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
