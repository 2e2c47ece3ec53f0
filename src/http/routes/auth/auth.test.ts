import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { createTestApp, failure, ORIGIN, request } from '../../../../test/http/test-app.js'
import { alice, FROM_PORTAL, HOST, signInTo } from '../../../../test/http/wallet-sign-in.js'
import { chains } from '../../../chains/index.js'
import type { LimitRequest } from '../../../limits/limiter.js'
import { RpcUnavailableError } from '../../../rpc/rpc-client.js'
import { NonceAnswer, SessionAnswer, VerifyAnswer } from './schema.js'

const JSON_TYPE = { 'content-type': 'application/json' }

test('a wallet signs in and out, and every answer is as documented', async () => {
  const { app } = await createTestApp()
  const nonce = await app.inject({ url: `/api/auth/nonce?address=${alice.address}`, headers: { host: HOST } })
  expect([...Errors(NonceAnswer, nonce.json())]).toEqual([])
  const { response, cookie } = await signInTo(app)
  expect(response.statusCode, response.body).toBe(200)
  expect([...Errors(VerifyAnswer, response.json())]).toEqual([])
  const headers = { host: HOST, cookie }
  const session = await app.inject({ url: '/api/auth/session', headers })
  expect([...Errors(SessionAnswer, session.json())]).toEqual([])
  expect(session.json().wallet).toMatchObject({ address: alice.address, kind: 'ethereum' })
  const out = await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { ...FROM_PORTAL, cookie } })
  expect(out.headers['set-cookie']).toBe('__Host-assay_session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0')
  expect((await app.inject({ url: '/api/auth/session', headers })).json()).toEqual({ success: true, wallet: null })
})

test('the message to sign names this place, a nonce and an end', async () => {
  const { app } = await createTestApp()
  const { message, nonce } = (
    await app.inject({ url: `/api/auth/nonce?chainId=8453&address=${alice.address.toLowerCase()}` })
  ).json()
  expect(message).toBe(`assay.example wants you to sign in with your Ethereum account:
${alice.address}

Sign in to Assay. This costs nothing and sends no transaction.

URI: https://assay.example
Version: 1
Chain ID: 8453
Nonce: ${nonce}
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-01T00:05:00.000Z`)
})

test('the cookie is out of reach of scripts and other sites', async () => {
  const { app } = await createTestApp()
  const { response } = await signInTo(app)
  expect(String(response.headers['set-cookie'])).toMatch(
    /^__Host-assay_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800$/,
  )
})

test('where there is no TLS the cookie has another name, because a browser would not keep that one', async () => {
  const config = {
    chains,
    compat: false,
    engineVersion: '0',
    examples: [],
    guestChecks: 0,
    privateWebhooks: false,
    publicOrigins: [ORIGIN, 'http://localhost:8080'],
    trustProxy: [],
  }
  const { app } = await createTestApp({ services: { config } })
  const out = await app.inject({ method: 'POST', url: '/api/auth/logout', headers: { host: 'localhost:8080' } })
  expect(out.headers['set-cookie']).toBe('assay_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
})

describe('verify refuses', () => {
  const attempt = async (payload: unknown, headers: Record<string, string> = JSON_TYPE) => {
    const { app } = await createTestApp()
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const response = await app.inject({ method: 'POST', url: '/api/auth/verify', headers, payload: body })
    expect(response.headers['set-cookie']).toBeUndefined()
    return { status: response.statusCode, body: response.json() }
  }

  test.each([
    {},
    null,
    [],
    'null',
    { message: 'x' },
    { signature: '0x' },
    { message: 1, signature: '0x00' },
    { message: '', signature: '' },
    { wallet: alice.address, signature: '0x00' },
  ])('a body without both: %j', async (payload) => {
    expect(await attempt(payload)).toEqual({
      status: 400,
      body: failure('Message and signature required', 'invalid_sign_in'),
    })
  })

  test('a body that is no JSON, of another type or too large', async () => {
    expect((await attempt('{')).body.code).toBe('invalid_json')
    expect((await attempt('{}', { 'content-type': 'text/plain' })).body.code).toBe('unsupported_content_type')
    expect((await attempt({ message: 'x'.repeat(9_000), signature: 'x' })).body.code).toBe('body_too_large')
  })

  test('a text that is no sign-in message', async () => {
    expect(await attempt({ message: 'hello', signature: '0x00' })).toEqual({
      status: 400,
      body: failure('Invalid sign-in message', 'invalid_sign_in_message'),
    })
  })

  test('a replay', async () => {
    const { app } = await createTestApp()
    const { message } = await signInTo(app)
    const payload = { message, signature: await alice.signMessage({ message }) }
    const again = await app.inject({ method: 'POST', url: '/api/auth/verify', headers: JSON_TYPE, payload })
    expect([again.statusCode, again.json()]).toEqual([401, failure('Invalid nonce', 'invalid_nonce')])
  })

  test('what was signed for another site', async () => {
    const { app } = await createTestApp()
    const { message: ours } = (await app.inject({ url: `/api/auth/nonce?address=${alice.address}` })).json()
    const message = ours.replaceAll('assay.example', 'evil.example')
    const payload = { message, signature: await alice.signMessage({ message }) }
    const response = await app.inject({ method: 'POST', url: '/api/auth/verify', headers: JSON_TYPE, payload })
    expect([response.statusCode, response.json().code]).toEqual([401, 'foreign_sign_in'])
  })

  test('what is past its time', async () => {
    const { app, clock } = await createTestApp()
    const { message } = (await app.inject({ url: `/api/auth/nonce?address=${alice.address}` })).json()
    clock.advance(300_000)
    const payload = { message, signature: await alice.signMessage({ message }) }
    const response = await app.inject({ method: 'POST', url: '/api/auth/verify', headers: JSON_TYPE, payload })
    expect([response.statusCode, response.json().code]).toEqual([401, 'sign_in_expired'])
  })

  test('a wrong signature; and a contract that no node can be asked about is for later', async () => {
    const { app } = await createTestApp()
    const send = async (signature: string) => {
      const { message } = (await app.inject({ url: `/api/auth/nonce?address=${alice.address}` })).json()
      const payload = { message, signature }
      return app.inject({ method: 'POST', url: '/api/auth/verify', headers: JSON_TYPE, payload })
    }
    expect((await send('0xzz')).json()).toEqual(failure('Invalid signature', 'invalid_signature'))
    const later = await send(`0x${'00'.repeat(65)}`)
    expect([later.statusCode, later.json().code, later.headers['retry-after']]).toEqual([
      503,
      'wallet_unavailable',
      '30',
    ])
  })
})

describe('nonce refuses', () => {
  test.each([
    ['chainId=2', 'unsupported_chain'],
    ['chainId=sol', 'unsupported_chain'],
    ['chainId=1&chainId=56', 'unsupported_chain'],
    ['chainId=9999999999999999999999', 'unsupported_chain'],
    ['address=0x1', 'invalid_wallet'],
    [`chainId=SOL&address=${alice.address}`, 'invalid_wallet'],
    [`address=${alice.address}&address=${alice.address}`, 'invalid_wallet'],
  ])('%s', async (query, code) => {
    const { app } = await createTestApp()
    const response = await app.inject({ url: `/api/auth/nonce?${query}` })
    expect([response.statusCode, response.json().code]).toEqual([400, code])
  })
})

describe('a page of another site', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins alike', { origin: 'https://assay.example.evil.example' }],
    ['another scheme', { origin: 'http://assay.example' }],
    ['another port', { origin: 'https://assay.example:8443' }],
    ['no origin to speak of', { origin: 'null' }],
    ['another letter case', { origin: 'https://ASSAY.example' }],
    ['another site by its own word', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
  ])('%s: signs no wallet in or out', async (_name, headers) => {
    const { app } = await createTestApp()
    const { cookie } = await signInTo(app)
    for (const url of ['/api/auth/verify', '/api/auth/logout']) {
      const response = await app.inject({ method: 'POST', url, headers: { host: HOST, cookie, ...headers } })
      expect([response.statusCode, response.json()]).toEqual([403, failure('Origin not allowed', 'foreign_origin')])
      expect(response.headers['set-cookie']).toBeUndefined()
    }
    expect(
      (await app.inject({ url: '/api/auth/session', headers: { host: HOST, cookie } })).json().wallet,
    ).not.toBeNull()
  })
})

describe('sessions', () => {
  test.each([
    ['none', ''],
    ['made up', `__Host-assay_session=${'A'.repeat(43)}`],
    ['too long', `__Host-assay_session=${'A'.repeat(5_000)}`],
    ['the name for plain HTTP', `assay_session=${'A'.repeat(43)}`],
  ])('%s: no wallet is signed in', async (_name, cookie) => {
    const { app } = await createTestApp()
    const response = await app.inject({ url: '/api/auth/session', headers: { host: HOST, cookie } })
    expect(response.json()).toEqual({ success: true, wallet: null })
  })

  test('two cookies of the name mean nothing', async () => {
    const { app } = await createTestApp()
    const { cookie } = await signInTo(app)
    const twice = { host: HOST, cookie: `${cookie}; ${cookie}` }
    expect((await app.inject({ url: '/api/auth/session', headers: twice })).json().wallet).toBeNull()
  })
})

test('requests are counted by address, before anything of the body is read', async () => {
  const { app } = await createTestApp()
  const send = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/api/auth/verify', headers: JSON_TYPE, payload: '{', remoteAddress })
  for (let i = 0; i < 30; i += 1) expect((await send('198.51.100.1')).json().code).toBe('invalid_json')
  const refused = await send('198.51.100.1')
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'general_limit'])
  expect(refused.headers['retry-after']).toBe('60')
  expect((await send('198.51.100.2')).json().code).toBe('invalid_json')
})

test('a session is counted by its wallet, and never as a key', async () => {
  const taken: LimitRequest[] = []
  const limiter = {
    take: async (request: LimitRequest) => {
      taken.push(request)
      return { allowed: true, remaining: 1, resetMs: 1 }
    },
    close: async () => {},
  }
  const { app } = await createTestApp({ services: { limiter } })
  const { cookie } = await signInTo(app)
  taken.length = 0
  await app.inject({ url: '/api/keys', headers: { ...FROM_PORTAL, cookie } })
  const headers = { ...FROM_PORTAL, ...JSON_TYPE, cookie }
  await app.inject({ method: 'POST', url: '/api/analysis/stream', headers, payload: request() })
  const id = `eip155:${alice.address.toLowerCase()}`
  expect(taken.map(({ caller }) => caller)).toEqual([
    { kind: 'session', id },
    { kind: 'session', id },
  ])
  const caller = { kind: 'address', id: 'sessions 127.0.0.1' }
  expect(taken).toMatchObject([
    { limitClass: 'general', within: [{ caller, limit: 90 }] },
    { limitClass: 'analysis', within: [{ caller, limit: 30 }] },
  ])
})

test('nothing that was signed is written to the log', async () => {
  const { app, logLines } = await createTestApp()
  const { message, cookie } = await signInTo(app)
  const log = logLines.join('')
  expect(log).toContain('/api/auth/verify')
  expect(log).not.toContain(cookie.split('=')[1])
  expect(log).not.toContain(message.split('Nonce: ')[1]?.slice(0, 32))
})

test('a store that is down is an error of ours, and no caller is let in', async () => {
  const down = () => Promise.reject(new RpcUnavailableError(1, 'down'))
  const signIn = { begin: down, finish: down, findWallet: down, end: down }
  const { app } = await createTestApp({ services: { signIn } })
  const cookie = `__Host-assay_session=${'A'.repeat(43)}`
  const response = await app.inject({ url: '/api/keys', headers: { host: HOST, cookie } })
  expect([response.statusCode, response.json().code]).toEqual([500, 'server_error'])
})
