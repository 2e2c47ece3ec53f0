import { describe, expect, test } from 'vitest'
import { createTestApp, failure, HONEYPOT, request, SIMULATE } from '../../../../test/http/test-app.js'
import { chains } from '../../../chains/index.js'

const statuses = (responses: { statusCode: number }[]) => responses.map(({ statusCode }) => statusCode)

describe('a key', () => {
  test('36: the eleventh analysis in a minute is refused, and another key is not affected', async () => {
    const { post, issue } = await createTestApp()
    for (let i = 0; i < 10; i += 1) expect((await post(request())).statusCode).toBe(200)
    const refused = await post(request())
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual(failure('Analysis rate limit hit', 'analysis_limit'))
    expect(refused.headers['retry-after']).toBe('60')
    const other = await issue()
    expect((await post(request(), { headers: { authorization: `Bearer ${other.key}` } })).statusCode).toBe(200)
  })

  test('37: fifty at the same time', async () => {
    const { post } = await createTestApp()
    const responses = await Promise.all(Array.from({ length: 50 }, () => post(request())))
    expect(statuses(responses).filter((status) => status === 200).length).toBe(10)
  })

  test('is told what is left', async () => {
    const { post, clock } = await createTestApp()
    const first = await post(request())
    expect(first.headers['ratelimit-policy']).toBe('"analysis";q=10;w=60')
    expect(first.headers.ratelimit).toBe('"analysis";r=9;t=60')
    expect(first.headers['retry-after']).toBeUndefined()
    clock.advance(12_500)
    expect((await post(request())).headers.ratelimit).toBe('"analysis";r=8;t=48')
  })

  test('may go on when the oldest request is a minute old', async () => {
    const { post, clock } = await createTestApp()
    for (let i = 0; i < 10; i += 1) await post(request())
    clock.advance(59_999)
    const refused = await post(request())
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    clock.advance(1)
    expect((await post(request())).statusCode).toBe(200)
  })

  test.each([-3_600_000, 3_600_000])('38: a clock that is set by %d ms changes nothing', async (step) => {
    const { post, clock } = await createTestApp()
    for (let i = 0; i < 10; i += 1) await post(request())
    clock.step(step)
    expect((await post(request())).statusCode).toBe(429)
  })

  test('of a partner has its own limit, and a new tier is felt within the second', async () => {
    const { post, store, clock, keyId } = await createTestApp()
    for (let i = 0; i < 11; i += 1) await post(request())
    await store.update(keyId, { tier: 'partner', limits: { analysis: 12, general: 30 } })
    clock.advance(999)
    expect(statuses([await post(request()), await post(request()), await post(request())])).toEqual([200, 200, 429])
  })

  test('is counted for requests that turn out wrong', async () => {
    const { post } = await createTestApp()
    for (let i = 0; i < 10; i += 1) expect((await post('{broken')).statusCode).toBe(400)
    expect((await post(request())).statusCode).toBe(429)
  })
})

describe('a caller without a valid key', () => {
  const ask = (app: Awaited<ReturnType<typeof createTestApp>>['app'], remoteAddress: string, authorization?: string) =>
    app.inject({
      method: 'POST',
      url: SIMULATE,
      remoteAddress,
      headers: authorization === undefined ? {} : { authorization },
      payload: request(),
    })

  test('is counted by address, whatever keys are tried', async () => {
    const { app } = await createTestApp()
    for (let i = 0; i < 30; i += 1) expect((await ask(app, '203.0.113.7', `Bearer guess${i}`)).statusCode).toBe(403)
    const refused = await ask(app, '203.0.113.7', 'Bearer guess30')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual(failure('Too many requests, slow down.', 'general_limit'))
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.headers['ratelimit-policy']).toBe('"general";q=30;w=60')
    expect((await ask(app, '203.0.113.8')).statusCode).toBe(401)
  })

  test('does not shut out a key at the same address', async () => {
    const { app, post } = await createTestApp()
    for (let i = 0; i < 31; i += 1) await ask(app, '127.0.0.1')
    expect((await ask(app, '127.0.0.1')).statusCode).toBe(429)
    expect((await post(request())).statusCode).toBe(200)
  })

  test('40: is the same caller with every address of its /64', async () => {
    const { app } = await createTestApp()
    const codes: number[] = []
    for (let i = 0; i < 31; i += 1) codes.push((await ask(app, `2001:db8:1:2:${i}::${i}`)).statusCode)
    expect(codes.at(-1)).toBe(429)
    expect((await ask(app, '2001:db8:1:3::1')).statusCode).toBe(401)
  })

  test('cannot choose its address, but a trusted proxy can name it', async () => {
    const config = {
      chains,
      compat: false,
      engineVersion: '0',
      examples: [],
      guestChecks: 0,
      privateWebhooks: false,
      publicOrigins: [],
      trustProxy: ['10.0.0.0/8'],
    }
    const { app } = await createTestApp({ services: { config } })
    const via = (remoteAddress: string, forwarded: string) =>
      app.inject({ method: 'POST', url: SIMULATE, remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    for (let i = 0; i < 31; i += 1) await via('203.0.113.7', `198.51.100.${i}`)
    expect((await via('203.0.113.7', '198.51.100.99')).statusCode).toBe(429)
    for (let i = 0; i < 31; i += 1) await via('10.0.0.1', '198.51.100.1')
    expect((await via('10.0.0.1', '198.51.100.1')).statusCode).toBe(429)
    expect((await via('10.0.0.1', '198.51.100.2')).statusCode).toBe(401)
  })
})

test('the general class has its own text', async () => {
  const { app, key } = await createTestApp()
  app.get('/api/example', async () => ({ success: true }))
  const ask = () => app.inject({ url: '/api/example', headers: { authorization: `Bearer ${key}` } })
  for (let i = 0; i < 30; i += 1) expect((await ask()).statusCode).toBe(200)
  const refused = await ask()
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual(failure('Too many requests, slow down.', 'general_limit'))
})

test('39: the analysis prefixes share one counter', async () => {
  const { post } = await createTestApp()
  for (let i = 0; i < 5; i += 1) {
    expect((await post(request())).statusCode).toBe(200)
    expect((await post(request(), { url: HONEYPOT })).statusCode).toBe(200)
  }
  const refused = await post(request(), { url: HONEYPOT })
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual(failure('Analysis rate limit hit', 'analysis_limit'))
})

test('39: the two classes are counted apart', async () => {
  const { app, key, post } = await createTestApp()
  app.get('/api/example', async () => ({ success: true }))
  for (let i = 0; i < 11; i += 1) await post(request())
  expect((await app.inject({ url: '/api/example', headers: { authorization: `Bearer ${key}` } })).statusCode).toBe(200)
})
