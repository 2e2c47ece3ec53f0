import { describe, expect, test } from 'vitest'
import { createTestApp } from '../../../../test/http/test-app.js'

test('GET /health answers as long as the process does, whatever else is broken', async () => {
  const broken = () => Promise.reject(new Error('down'))
  const { app } = await createTestApp({ services: { dependencies: { database: broken }, keys: { verify: broken } } })
  const response = await app.inject({ url: '/health' })
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { success: true, status: 'alive', engineVersion: '1.2.3' },
  ])
})

describe('GET /ready', () => {
  test('says that all dependencies answer', async () => {
    const { app } = await createTestApp()
    const response = await app.inject({ url: '/ready' })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { success: true, status: 'ready', dependencies: { database: 'ok' } },
    ])
  })

  test('says which one does not, and nothing of why', async () => {
    const dependencies = { database: async () => {}, nodes: () => Promise.reject(new Error('https://node/secret')) }
    const { app } = await createTestApp({ services: { dependencies } })
    const response = await app.inject({ url: '/ready' })
    expect(response.statusCode).toBe(503)
    expect(response.json()).toEqual({
      success: false,
      errorReason: 'Service not ready',
      error: 'Service not ready',
      code: 'not_ready',
      dependencies: { database: 'ok', nodes: 'failed' },
    })
  })

  test('asks its dependencies once a second, however often it is asked', async () => {
    let asked = 0
    const dependencies = {
      database: async () => {
        asked += 1
      },
    }
    const { app, clock } = await createTestApp({ services: { dependencies } })
    for (let i = 0; i < 5; i += 1) await app.inject({ url: '/ready' })
    expect(asked).toBe(1)
    clock.advance(1_000)
    await app.inject({ url: '/ready' })
    expect(asked).toBe(2)
  })
})

test('neither needs a key nor is counted', async () => {
  const { app } = await createTestApp()
  for (let i = 0; i < 50; i += 1) expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
  expect((await app.inject({ url: '/health' })).headers.ratelimit).toBeUndefined()
})
