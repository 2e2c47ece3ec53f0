import { describe, expect, test } from 'vitest'
import { createTestApp, failure, SIMULATE } from '../../../../test/http/test-app.js'

describe('29: 405', () => {
  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'] as const)(
    '%s, and Allow says what there is',
    async (method) => {
      const { app } = await createTestApp()
      const response = await app.inject({ method, url: `${SIMULATE}?x=1` })
      expect(response.statusCode).toBe(405)
      expect(response.headers.allow).toBe('POST')
      expect(response.json()).toEqual(failure('Method not allowed', 'method_not_allowed'))
    },
  )

  test('HEAD has the status and no body', async () => {
    const { app } = await createTestApp()
    const response = await app.inject({ method: 'HEAD', url: SIMULATE })
    expect([response.statusCode, response.body]).toEqual([405, ''])
  })

  test('POST to a route that is only read', async () => {
    const { app } = await createTestApp()
    const response = await app.inject({ method: 'POST', url: '/health' })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('comes before the question who asks', async () => {
    const { app } = await createTestApp()
    expect(
      (await app.inject({ method: 'GET', url: SIMULATE, headers: { authorization: 'nonsense' } })).statusCode,
    ).toBe(405)
  })
})

describe('30: 404', () => {
  // Not `/`: where the portal has been built, that is its page.
  test.each([
    '/api',
    '/api/simulate',
    '/api/simulate/execute-simulation/',
    '//api//simulate/execute-simulation',
    '/API/simulate/execute-simulation',
    '/api/honeypot',
    '/api/phishing/anything',
    '/api/simulate/%',
    '/api/simulate/%ff',
    '/.env',
  ])('%s', async (url) => {
    const { app } = await createTestApp()
    const response = await app.inject({ method: 'POST', url })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual(failure('Not found', 'not_found'))
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('414: a path of more than a kilobyte', async () => {
    const { app } = await createTestApp()
    const response = await app.inject({ method: 'POST', url: `/${'a'.repeat(1_024)}` })
    expect(response.statusCode).toBe(414)
    expect(response.json()).toEqual(failure('Request URL too long', 'url_too_long'))
  })
})
