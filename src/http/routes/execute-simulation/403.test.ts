import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTestApp, failure, request, SIMULATE } from '../../../../test/http/test-app.js'
import { revokeKey } from '../../../keys/revoke.js'

const INVALID_KEY = failure('Invalid API key', 'invalid_key')

describe('a key that is none', () => {
  test.each([
    ['5: 32 random bytes', randomBytes(32).toString('hex')],
    ['8: 4,000 characters', 'k'.repeat(4_000)],
    ['8: characters beyond ASCII', 'sch\u00fcssel'],
    ['10: SQL', "'or/**/1=1--"],
    ['a hash of nothing', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('%s', async (_name, key) => {
    const { app, logLines } = await createTestApp()
    const headers = { authorization: `Bearer ${key}` }
    const response = await app.inject({ method: 'POST', url: SIMULATE, headers, payload: request() })
    expect(response.statusCode).toBe(403)
    expect(response.json()).toEqual(INVALID_KEY)
    expect(logLines.join('')).not.toContain(key)
  })

  test('10: SQL with spaces has not even the form', async () => {
    const { post } = await createTestApp()
    expect((await post(request(), { headers: { authorization: "Bearer ' or 1=1 --" } })).statusCode).toBe(401)
  })
})

test('6: a revoked key is refused within the second, with the same body as an unknown one', async () => {
  const { post, store, clock, keyId } = await createTestApp()
  expect((await post(request())).statusCode).toBe(200)
  await revokeKey({ store, clock }, keyId)
  clock.advance(999)
  const response = await post(request())
  expect(response.statusCode).toBe(403)
  expect(response.json()).toEqual(INVALID_KEY)
})

test.each(['bearer   ', 'BEARER ', 'Bearer '])('4: %j before the key is accepted', async (scheme) => {
  const { post, key } = await createTestApp()
  expect((await post(request(), { headers: { authorization: `${scheme}${key}` } })).statusCode).toBe(200)
})

test('the key store fails: 500 in the envelope, and all is well when it is back', async () => {
  const { store } = await createTestApp()
  let isBroken = true
  const { post } = await createTestApp({
    services: {
      keys: {
        verify: async (key) =>
          isBroken ? Promise.reject(new Error('disk image is malformed')) : (await store.list()).find(() => key !== ''),
      },
    },
  })
  const response = await post(request())
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual(failure('Simulation failed', 'simulation_failed'))
  isBroken = false
  expect((await post(request())).statusCode).toBe(200)
})
