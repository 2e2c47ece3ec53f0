import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { createTestApp, failure } from '../../../../test/http/test-app.js'
import { FROM_PORTAL, HOST, signInTo } from '../../../../test/http/wallet-sign-in.js'
import { UsageBody } from './schema.js'

const DAY = Date.UTC(2026, 10, 23) / 86_400_000
const used = { day: DAY, analyses: 7, others: 2 }
const read = async (ids: readonly string[]) => new Map(ids.map((id) => [id, [used]]))

test('a key reads what it did itself', async () => {
  const { app, key, keyId } = await createTestApp({ services: { usage: { read } } })
  const response = await app.inject({ url: '/api/usage', headers: { authorization: `Bearer ${key}` } })
  expect([response.statusCode, [...Errors(UsageBody, response.json())]]).toEqual([200, []])
  const days = [{ day: '2026-11-23', analyses: 7, others: 2 }]
  expect(response.json()).toMatchObject({ days: 30, keys: [{ id: keyId, days }] })
})

test('a wallet reads what its own keys did, and those of no other', async () => {
  const { app } = await createTestApp({ services: { usage: { read } } })
  const { cookie } = await signInTo(app)
  const headers = { ...FROM_PORTAL, cookie }
  const ask = async () => (await app.inject({ url: '/api/usage', headers })).json().keys
  expect(await ask()).toEqual([])
  const { id } = (await app.inject({ method: 'POST', url: '/api/keys', headers, payload: { label: 'bot' } })).json()
  expect(await ask()).toMatchObject([{ id, label: 'bot', days: [{ analyses: 7 }] }])
})

test('without either it is refused', async () => {
  const { app } = await createTestApp()
  const response = await app.inject({ url: '/api/usage', headers: { host: HOST } })
  expect([response.statusCode, response.json().code]).toEqual([401, 'authorization_required'])
  expect(response.json()).toEqual(failure('Missing Authorization header', 'authorization_required'))
})
