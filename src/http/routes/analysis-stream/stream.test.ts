import { describe, expect, test } from 'vitest'
import { listenTestApp } from '../../../../test/http/raw-client.js'
import { sampleChecks, sampleHoneypot } from '../../../../test/http/sample-checks.js'
import {
  createTestApp,
  failure,
  HONEYPOT,
  request,
  SIMULATE,
  type TestAppOptions,
} from '../../../../test/http/test-app.js'
import { FROM_PORTAL, signInTo } from '../../../../test/http/wallet-sign-in.js'
import { BaseError } from '../../../errors.js'

const STREAM = '/api/analysis/stream'

async function setUp(options: TestAppOptions = {}) {
  const app = await createTestApp(options)
  return { ...app, stream: (body: object = request(), headers = {}) => app.post(body, { url: STREAM, headers }) }
}

const readEvents = (body: string) =>
  body
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? []
      return { event, data: JSON.parse(data) }
    })

test('brings the answers of all endpoints, as they would be alone, and then ends', async () => {
  const { stream, post } = await setUp()
  const response = await stream()
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const events = readEvents(response.body)
  expect(events.at(-1)).toEqual({ event: 'end', data: {} })
  const reports = Object.fromEntries(
    events.filter(({ event }) => event === 'report').map(({ data }) => [data.name, data.report]),
  )
  expect(reports).toEqual({
    simulation: (await post(request(), { url: SIMULATE })).json(),
    honeypot: (await post(request(), { url: HONEYPOT })).json(),
    phishing: (await post(request(), { url: '/api/phishing/phishing-checks' })).json(),
  })
})

test('tells what is done before the report is there', async () => {
  const { stream } = await setUp({
    services: {
      simulation: async ({ onProgress }) => {
        onProgress?.({ step: 'block', success: true })
        onProgress?.({ step: 'bytecode', success: false })
        return sampleChecks
      },
    },
  })
  const events = readEvents((await stream()).body).filter(
    ({ event, data }) => event !== 'expected' && (data.name === undefined || data.name === 'simulation'),
  )
  const told = events.map(({ event, data }) => [event, data.step ?? data.name, data.success])
  expect(told.slice(0, 2)).toEqual([
    ['progress', 'block', true],
    ['progress', 'bytecode', false],
  ])
  expect(told.slice(2, 4).toSorted()).toEqual([
    ['progress', 'honeypot', true],
    ['progress', 'phishing', true],
  ])
  expect(told[4]).toEqual(['report', 'simulation', undefined])
})

test('each part is told when it is done, and the answers have one verdict', async () => {
  let finish = () => {}
  const late = new Promise<void>((resolve) => {
    finish = resolve
  })
  await using app = await listenTestApp({
    services: { honeypot: () => late.then(() => sampleHoneypot) },
  })
  const response = await fetch(`${app.url}${STREAM}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request()),
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.includes('"step":"phishing"')) finish()
  }
  const events = readEvents(text)
  const reports = events.flatMap(({ event, data }) => (event === 'report' ? [data.report] : []))
  expect(reports).toHaveLength(3)
  expect(new Set(reports.map((report) => JSON.stringify(report?.overall))).size).toBe(1)
})

test('one that fails is an event; the other comes all the same', async () => {
  const { stream, logLines } = await setUp({
    services: { simulation: () => Promise.reject(new BaseError('secret node url')) },
  })
  const events = readEvents((await stream()).body)
  expect(events).toContainEqual({
    event: 'failure',
    data: { name: 'simulation', ...failure('Simulation failed', 'simulation_failed') },
  })
  expect(events.some(({ event, data }) => event === 'report' && data.name === 'honeypot')).toBe(true)
  expect(JSON.stringify(events)).not.toContain('secret')
  expect(logLines.join('')).toContain('secret node url')
})

test('an analysis that never ends is ended', async () => {
  const { stream } = await setUp({
    services: { honeypot: () => new Promise(() => {}) },
    bounds: { analysisMs: 10_000, wrapUpMs: 9_950 },
  })
  const events = readEvents((await stream()).body).filter(({ event }) => event !== 'progress' && event !== 'expected')
  const ends = events.map(({ data }) => data.code ?? data.name)
  expect(ends.toSorted()).toEqual(['honeypot_failed', 'phishing', 'simulation', undefined])
  const { report } = events.find(({ data }) => data.name === 'simulation')?.data ?? {}
  expect(report).toMatchObject({ overall: { inconclusive: expect.stringContaining('our analysis') } })
})

describe('how long it usually takes', () => {
  const expectedOf = (response: { body: string }) => {
    const [first] = readEvents(response.body)
    expect(first?.event).toBe('expected')
    return first?.data
  }

  test('is told first, from what was measured here, and not before that says something', async () => {
    let takesMs = 0
    const { app, key, clock } = await setUp({
      services: {
        honeypot: async () => {
          clock.advance(takesMs)
          return sampleHoneypot
        },
      },
    })
    const ask = (chainId: number) =>
      app.inject({
        method: 'POST',
        url: STREAM,
        headers: { authorization: `Bearer ${key}` },
        payload: request({ chainId }),
      })
    for (const [measured, ms] of [900, 300, 500, 700, 100].entries()) {
      takesMs = ms
      expect(expectedOf(await ask(1))).toEqual({ usualMs: null, slowMs: null, measured, mostMs: 15_000 })
    }
    expect(expectedOf(await ask(1))).toEqual({ usualMs: 500, slowMs: 900, measured: 5, mostMs: 15_000 })
    // Another chain has other nodes.
    expect(expectedOf(await ask(56))).toMatchObject({ usualMs: null, measured: 0 })
  })

  test('is not learned from what failed at once', async () => {
    const { stream } = await setUp({
      services: { assess: () => Promise.reject(new BaseError('no node')) },
    })
    for (let i = 0; i < 5; i += 1) await stream()
    expect(expectedOf(await stream())).toMatchObject({ usualMs: null, measured: 0 })
  })
})

test('the work stops when the client leaves', async () => {
  let wasStopped = false
  let started = () => {}
  const isStarted = new Promise<void>((resolve) => {
    started = resolve
  })
  let stopped = () => {}
  const isStopped = new Promise<void>((resolve) => {
    stopped = resolve
  })
  await using app = await listenTestApp({
    services: {
      honeypot: ({ signal }) => {
        started()
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            wasStopped = true
            stopped()
            reject(signal.reason)
          })
        })
      },
    },
  })
  const controller = new AbortController()
  const response = await fetch(`${app.url}${STREAM}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request()),
    signal: controller.signal,
  })
  await isStarted
  controller.abort()
  await response.text().catch(() => {})
  await isStopped
  expect(wasStopped).toBe(true)
})

test('on Solana one answer has it all, and its address is of another form', async () => {
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const asked: string[] = []
  const { stream } = await setUp({
    services: {
      checkSolanaToken: async ({ address }) => {
        asked.push(address)
        throw new BaseError('no node')
      },
    },
  })
  const events = readEvents((await stream({ targetContractAddress: mint, chainId: 'SOL' })).body)
  expect(events.map(({ data }) => [data.name, data.code])).toEqual([
    [undefined, undefined],
    ['solana', 'simulation_failed'],
    [undefined, undefined],
  ])
  expect(asked).toEqual([mint])
  expect((await stream(request({ chainId: 'SOL' }))).json().code).toBe('invalid_address')
})

describe('what is wrong with the request is no event', () => {
  test.each([
    [{}, 'address_required'],
    [request({ chainId: 2 }), 'unsupported_chain'],
    [request({ targetContractAddress: '0x1' }), 'invalid_address'],
  ])('%j', async (body, code) => {
    const { stream } = await setUp()
    const response = await stream(body)
    expect([response.statusCode, response.json().code]).toEqual([400, code])
  })
})

describe('who may ask', () => {
  const ask = (
    app: Awaited<ReturnType<typeof setUp>>['app'],
    headers: Record<string, string>,
    remoteAddress = '192.0.2.1',
  ) => app.inject({ method: 'POST', url: STREAM, headers, payload: request(), remoteAddress })

  test('no caller without a key or a session', async () => {
    const { app } = await setUp()
    const bare = await ask(app, {})
    expect([bare.statusCode, bare.json().errorReason]).toEqual([401, 'Missing Authorization header'])
    const wrong = await ask(app, { authorization: 'Bearer nonsense' })
    expect([wrong.statusCode, wrong.json().errorReason]).toEqual([403, 'Invalid API key'])
    const over = await ask(app, { ...FROM_PORTAL, cookie: `__Host-assay_session=${'A'.repeat(43)}` })
    expect([over.statusCode, over.json().code]).toEqual([401, 'session_required'])
  })

  test('a session, counted like a free key, together with no other', async () => {
    const { app } = await setUp()
    const { cookie } = await signInTo(app)
    for (let i = 0; i < 10; i += 1) expect((await ask(app, { ...FROM_PORTAL, cookie })).statusCode).toBe(200)
    const refused = await ask(app, { ...FROM_PORTAL, cookie })
    expect([refused.statusCode, refused.json().errorReason]).toEqual([429, 'Analysis rate limit hit'])
  })

  test('a session only for a page of ours', async () => {
    const { app } = await setUp()
    const { cookie } = await signInTo(app)
    const response = await ask(app, { ...FROM_PORTAL, cookie, origin: 'https://evil.example' })
    expect([response.statusCode, response.json().code]).toEqual([403, 'foreign_origin'])
  })

  test('a session opens no other analysis', async () => {
    const { app } = await setUp()
    const { cookie } = await signInTo(app)
    const response = await app.inject({
      method: 'POST',
      url: SIMULATE,
      headers: { ...FROM_PORTAL, cookie },
      payload: request(),
    })
    expect(response.statusCode).toBe(401)
  })

  test('sessions of many wallets at one address have a limit together', async () => {
    const { walletOf } = await import('../../../../test/http/wallet-sign-in.js')
    const { app, clock } = await setUp()
    const codes: number[] = []
    for (const digit of ['3', '4', '5', '6']) {
      const { cookie } = await signInTo(app, walletOf(digit))
      for (let i = 0; i < 9; i += 1) codes.push((await ask(app, { ...FROM_PORTAL, cookie })).statusCode)
    }
    expect(codes.filter((code) => code === 200)).toHaveLength(30)
    expect(codes.at(-1)).toBe(429)
    clock.advance(60_000)
    const { cookie } = await signInTo(app, walletOf('3'))
    expect((await ask(app, { ...FROM_PORTAL, cookie })).statusCode).toBe(200)
  })
})
