import { expect, test } from 'vitest'
import { createTestApp, failure, request, SIMULATE } from '../../../../test/http/test-app.js'

const ask = async (headers: Record<string, string>, url = SIMULATE) => {
  const { app, logLines } = await createTestApp()
  const response = await app.inject({ method: 'POST', url, headers, payload: request() })
  return { status: response.statusCode, body: response.json(), headers: response.headers, logLines }
}

test('1: no Authorization header', async () => {
  const { status, body, headers } = await ask({})
  expect(status).toBe(401)
  expect(body).toEqual(failure('Missing Authorization header', 'authorization_required'))
  expect(headers['www-authenticate']).toBe('Bearer')
})

test.each(['', '   '])('2: an empty header (%j) is no header', async (authorization) => {
  const { status, body } = await ask({ authorization })
  expect(status).toBe(401)
  expect(body).toEqual(failure('Missing Authorization header', 'authorization_required'))
})

test.each(['Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', 'BearerX', 'token', 'Bearer\tabc'])(
  '3: %j',
  async (authorization) => {
    const { status, body } = await ask({ authorization })
    expect(status).toBe(401)
    expect(body).toEqual(failure('Invalid Authorization format', 'invalid_authorization'))
  },
)

test('9: a key in the query or the body is no key, and is not logged', async () => {
  const { app, key, logLines } = await createTestApp()
  const payload = { ...request(), key, authorization: `Bearer ${key}` }
  const response = await app.inject({
    method: 'POST',
    url: `${SIMULATE}?key=${key}&authorization=Bearer%20${key}`,
    payload,
  })
  expect(response.statusCode).toBe(401)
  expect(logLines.join('')).toContain('"status":401')
  expect(logLines.join('')).not.toContain(key)
})

test.each([
  ['{broken', 'application/json'],
  ['x', 'text/plain'],
  ['x'.repeat(10_000), 'application/json'],
])('comes before any look at the body', async (payload, type) => {
  const { app } = await createTestApp()
  const response = await app.inject({ method: 'POST', url: SIMULATE, headers: { 'content-type': type }, payload })
  expect(response.statusCode).toBe(401)
})
