import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { createTestApp, failure, request, SIMULATE } from '../../../../test/http/test-app.js'
import { alice, bob, FROM_PORTAL, HOST, signInTo, walletOf } from '../../../../test/http/wallet-sign-in.js'
import { IssuedKey, KeyList, RevokedKey } from './schema.js'

/** The application with a browser in which a wallet is signed in. */
async function setUp(wallet = alice) {
  const test = await createTestApp()
  const browse = async (as = wallet) => {
    const { cookie } = await signInTo(test.app, as)
    return (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
      test.app.inject({ method, url, headers: { ...FROM_PORTAL, cookie }, ...(payload && { payload }) })
  }
  const analyse = (key: string) =>
    test.app.inject({ method: 'POST', url: SIMULATE, headers: { authorization: `Bearer ${key}` }, payload: request() })
  return { ...test, browse, analyse, ask: await browse() }
}

test('a key is made, shown once, used, listed without itself, and refused within a second of its end', async () => {
  const { ask, analyse, clock } = await setUp()
  const made = await ask('POST', '/api/keys', { label: 'my bot' })
  expect([made.statusCode, [...Errors(IssuedKey, made.json())]]).toEqual([201, []])
  const { key, id } = made.json()
  expect((await analyse(key)).statusCode).toBe(200)
  const list = await ask('GET', '/api/keys')
  expect([...Errors(KeyList, list.json())]).toEqual([])
  expect(list.json().keys).toMatchObject([{ id, label: 'my bot', tier: 'free', limits: { analysis: 10, general: 30 } }])
  expect(list.body).not.toContain(key)
  const revoked = await ask('DELETE', `/api/keys/${id}`)
  expect([...Errors(RevokedKey, revoked.json())]).toEqual([])
  clock.advance(999)
  const refused = await analyse(key)
  expect([refused.statusCode, refused.json()]).toEqual([403, failure('Invalid API key', 'invalid_key')])
  expect((await ask('GET', '/api/keys')).json().keys).toEqual([])
})

test('rotation gives a new key and ends the old one', async () => {
  const { ask, analyse, clock } = await setUp()
  const old = (await ask('POST', '/api/keys', { label: 'x' })).json()
  const response = await ask('POST', `/api/keys/${old.id}/rotate`)
  expect([response.statusCode, [...Errors(IssuedKey, response.json())]]).toEqual([201, []])
  clock.advance(999)
  expect((await analyse(old.key)).statusCode).toBe(403)
  expect((await analyse(response.json().key)).statusCode).toBe(200)
})

describe("another wallet's key", () => {
  test('is not found, whatever is done with it', async () => {
    const { ask, browse, analyse } = await setUp()
    const { id, key } = (await ask('POST', '/api/keys', { label: 'x' })).json()
    const other = await browse(bob)
    for (const response of [await other('DELETE', `/api/keys/${id}`), await other('POST', `/api/keys/${id}/rotate`)]) {
      expect([response.statusCode, response.json()]).toEqual([
        404,
        failure('No API key found for this wallet', 'key_not_found'),
      ])
    }
    expect((await other('GET', '/api/keys')).json().keys).toEqual([])
    expect((await analyse(key)).statusCode).toBe(200)
  })

  test.each(['key_none', '%00', "'%20or%201=1--", 'x'.repeat(128)])('no key has the id %.20s', async (id) => {
    const { ask } = await setUp()
    expect((await ask('DELETE', `/api/keys/${id}`)).json().code).toBe('key_not_found')
  })
})

describe('without a session', () => {
  test.each([
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['DELETE', '/api/keys/key_x'],
    ['POST', '/api/keys/key_x/rotate'],
  ] as const)('%s %s is refused, and a key is no session', async (method, url) => {
    const { app, key } = await setUp()
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const response = await app.inject({ method, url, headers: { host: HOST, ...headers } })
      expect([response.statusCode, response.json()]).toEqual([401, failure('Sign in first', 'session_required')])
    }
  })

  test('no body is read: what would be too large or no JSON is not even looked at', async () => {
    const { app } = await setUp()
    const response = await app.inject({
      method: 'POST',
      url: '/api/keys',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(100_000),
    })
    expect(response.json().code).toBe('session_required')
  })

  test('guessing sessions is counted by address', async () => {
    const { app } = await setUp()
    const guess = (i: number) =>
      app.inject({
        url: '/api/keys',
        headers: { host: HOST, cookie: `__Host-assay_session=${String(i).padStart(43, 'A')}` },
        remoteAddress: '198.51.100.1',
      })
    for (let i = 0; i < 30; i += 1) expect((await guess(i)).statusCode).toBe(401)
    expect((await guess(30)).statusCode).toBe(429)
  })
})

test('sessions of many wallets at one address have a limit together, apart from those without one', async () => {
  const { app } = await setUp()
  const statuses: number[] = []
  for (const digit of ['3', '4', '5', '6']) {
    const { cookie } = await signInTo(app, walletOf(digit))
    for (let i = 0; i < 29; i += 1) {
      statuses.push((await app.inject({ url: '/api/keys', headers: { ...FROM_PORTAL, cookie } })).statusCode)
    }
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(90)
  expect(statuses.at(-1)).toBe(429)
  const elsewhere = await signInTo(app, walletOf('7'), '192.0.2.2')
  expect(elsewhere.response.statusCode).toBe(200)
  const atHome = await signInTo(app, walletOf('8'))
  expect(atHome.response.statusCode).toBe(200)
})

test('a page of another site makes, rotates and revokes nothing', async () => {
  const { app, ask } = await setUp()
  const { id } = (await ask('POST', '/api/keys', { label: 'x' })).json()
  const { cookie } = await signInTo(app)
  const headers = { host: HOST, cookie, origin: 'https://evil.example' }
  for (const [method, url] of [
    ['POST', '/api/keys'],
    ['POST', `/api/keys/${id}/rotate`],
    ['DELETE', `/api/keys/${id}`],
  ] as const) {
    expect((await app.inject({ method, url, headers })).json().code).toBe('foreign_origin')
  }
  expect((await ask('GET', '/api/keys')).json().keys).toHaveLength(1)
})

test.each([{}, { label: '' }, { label: 7 }, { label: 'a\nb' }, { label: 'a\u202eb' }, { label: 'x'.repeat(101) }, []])(
  'a label that is none is refused: %j',
  async (payload) => {
    const { ask } = await setUp()
    const response = await ask('POST', '/api/keys', payload)
    expect([response.statusCode, response.json()]).toEqual([400, failure('Invalid label', 'invalid_label')])
  },
)

test('caps: five for a wallet, twenty orders a day from an address', async () => {
  const { ask, browse } = await setUp()
  for (let i = 0; i < 5; i += 1) expect((await ask('POST', '/api/keys', { label: 'x' })).statusCode).toBe(201)
  const sixth = await ask('POST', '/api/keys', { label: 'x' })
  expect([sixth.statusCode, sixth.json()]).toEqual([409, failure('API key limit reached', 'key_limit')])
  const other = await browse(bob)
  const { id } = (await other('POST', '/api/keys', { label: 'x' })).json()
  let current: string = id
  for (let i = 6; i < 20; i += 1) current = (await other('POST', `/api/keys/${current}/rotate`)).json().id
  const last = await other('POST', `/api/keys/${current}/rotate`)
  expect([last.statusCode, last.json()]).toEqual([
    429,
    failure('Too many API keys from this address', 'key_order_limit'),
  ])
  expect((await other('GET', '/api/keys')).json().keys).toMatchObject([{ id: current }])
})

test('a session counts like a free key', async () => {
  const { ask } = await setUp()
  for (let i = 0; i < 30; i += 1) expect((await ask('GET', '/api/keys')).statusCode).toBe(200)
  expect((await ask('GET', '/api/keys')).json().code).toBe('general_limit')
})
