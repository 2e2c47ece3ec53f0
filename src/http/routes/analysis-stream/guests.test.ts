import { expect, test } from 'vitest'
import { createTestApp, failure, ORIGIN, request, SIMULATE } from '../../../../test/http/test-app.js'

const STREAM = '/api/analysis/stream'
const JSON_TYPE = { 'content-type': 'application/json' }

/** The application with room for two guest checks an hour. */
async function setUp(guestChecks = 2) {
  const { services } = await createTestApp()
  const stage = await createTestApp({ services: { config: { ...services.config, guestChecks } } })
  const ask = (remoteAddress: string, headers: Record<string, string> = {}, url = STREAM) =>
    stage.app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { ...JSON_TYPE, ...headers },
      payload: request(),
    })
  return { ...stage, ask }
}

test('one without key or session has a few checks an hour', async () => {
  const { ask, clock } = await setUp()
  const first = await ask('192.0.2.1')
  expect(first.statusCode).toBe(200)
  expect(first.body).toContain('"name":"honeypot"')
  expect(first.headers['ratelimit-policy']).toBe('"guest";q=2;w=3600')
  await ask('192.0.2.1')
  const refused = await ask('192.0.2.1')
  expect(refused.json()).toEqual(failure('Free checks of this hour are used up', 'guest_limit'))
  expect(refused.headers['retry-after']).toBe('3600')
  expect((await ask('192.0.2.2')).statusCode).toBe(200)
  clock.advance(3_600_000)
  expect((await ask('192.0.2.1')).statusCode).toBe(200)
})

test('a site of IPv6 is one guest, whichever of its networks it comes from', async () => {
  const { ask } = await setUp()
  for (const network of ['1', '2']) expect((await ask(`2001:db8:7:${network}::1`)).statusCode).toBe(200)
  expect((await ask('2001:db8:7:3::1')).statusCode).toBe(429)
  expect((await ask('2001:db8:8:1::1')).statusCode).toBe(200)
})

test('a key is counted for itself, whatever guests of its address did', async () => {
  const { ask, key } = await setUp(1)
  await ask('192.0.2.1')
  expect((await ask('192.0.2.1')).statusCode).toBe(429)
  expect((await ask('192.0.2.1', { authorization: `Bearer ${key}` })).statusCode).toBe(200)
  expect((await ask('192.0.2.1', { authorization: 'Bearer nonsense' })).statusCode).toBe(403)
})

test('the endpoints of the specification stay closed, and so does the stream where there are no guests', async () => {
  const { ask } = await setUp()
  expect((await ask('192.0.2.1', {}, SIMULATE)).statusCode).toBe(401)
  const closed = await setUp(0)
  expect((await closed.ask('192.0.2.1')).json().code).toBe('authorization_required')
})

test('a page of another site cannot spend the checks of its visitors', async () => {
  const { ask } = await setUp()
  const foreign = await ask('192.0.2.1', { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' })
  expect(foreign.json().code).toBe('foreign_origin')
  expect((await ask('192.0.2.1', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200)
})
