import { expect, test } from 'vitest'
import { createTestApp, ORIGIN, request, SIMULATE } from '../../test/http/test-app.js'

const PAGE = 'https://wallet.example'
const OTHER = 'https://evil.example'
const SHOWN = 'access-control-allow-origin'

async function setUp({ compat = false } = {}) {
  const made = await createTestApp()
  const { services, issue } = made
  const { app, issue: issueThere } = compat
    ? await createTestApp({ services: { config: { ...services.config, compat } } })
    : made
  const { key } = await (compat ? issueThere : issue)({ origins: [PAGE, 'http://localhost:5173'] })
  const { key: plain } = await (compat ? issueThere : issue)({ label: 'a program' })
  const ask = (headers: Record<string, string>, payload: object = request()) =>
    app.inject({ method: 'POST', url: SIMULATE, payload, headers: { authorization: `Bearer ${key}`, ...headers } })
  const preflight = (url: string, origin = PAGE, method = 'POST') =>
    app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': method } })
  return { app, key, plain, ask, preflight }
}

test('a page that the key names may read the answer and what the limits say', async () => {
  const { ask } = await setUp()
  const { statusCode, headers } = await ask({ origin: PAGE })
  expect(statusCode).toBe(200)
  expect(headers).toMatchObject({ [SHOWN]: PAGE, vary: 'Origin', ratelimit: expect.any(String) })
  expect(headers['access-control-expose-headers']).toContain('ratelimit')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test('it may read failures as well', async () => {
  const { ask } = await setUp()
  const { statusCode, headers } = await ask({ origin: PAGE }, {})
  expect([statusCode, headers[SHOWN]]).toEqual([400, PAGE])
})

test.each([OTHER, `${PAGE}.evil.example`, 'https://wallet.example:8443', 'http://wallet.example', 'null', ORIGIN])(
  'a page of %s is refused, and reads nothing',
  async (origin) => {
    const { ask } = await setUp()
    const { statusCode, headers, body } = await ask({ origin })
    expect([statusCode, JSON.parse(body).code, headers[SHOWN]]).toEqual([403, 'foreign_origin', undefined])
  },
)

test('so is a program that names no origin', async () => {
  const { ask } = await setUp()
  expect((await ask({})).json().code).toBe('foreign_origin')
})

test('a key that names no page works for programs, and no page is shown its answers', async () => {
  const { ask, plain } = await setUp()
  for (const headers of [{}, { origin: PAGE }]) {
    const response = await ask({ authorization: `Bearer ${plain}`, ...headers })
    expect([response.statusCode, response.headers[SHOWN]]).toEqual([200, undefined])
  }
})

test('what is refused for its origin does not use up the key', async () => {
  const { ask } = await setUp()
  for (let i = 0; i < 12; i += 1) await ask({ origin: OTHER })
  expect((await ask({ origin: PAGE })).statusCode).toBe(200)
})

test.each([
  [SIMULATE, 'POST'],
  ['/api/batch/batch_1', 'GET, HEAD'],
  ['/api/reports/x', 'DELETE, GET, HEAD, PATCH'],
  ['/mcp', 'POST'],
])('a preflight on %s is answered without a key', async (url, methods) => {
  const { preflight } = await setUp()
  const { statusCode, headers, body } = await preflight(url)
  expect([statusCode, body]).toEqual([204, ''])
  expect(headers).toMatchObject({ [SHOWN]: PAGE, 'access-control-allow-methods': methods })
  expect(headers['access-control-allow-headers']).toContain('authorization')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
})

test.each(['/api/keys', '/api/auth/verify', '/health', '/nowhere'])('there is none on %s', async (url) => {
  const { preflight } = await setUp()
  const { statusCode, headers } = await preflight(url)
  expect([404, 405]).toContain(statusCode)
  expect(headers[SHOWN]).toBeUndefined()
})

test('with ASSAY_COMPAT existing pages may send what cookies they have', async () => {
  const { preflight, ask } = await setUp({ compat: true })
  expect((await preflight(SIMULATE)).headers['access-control-allow-credentials']).toBe('true')
  expect((await ask({ origin: PAGE })).headers['access-control-allow-credentials']).toBe('true')
  expect((await ask({ origin: OTHER })).headers['access-control-allow-credentials']).toBeUndefined()
})
