import { expect, test } from 'vitest'
import { createTestApp, failure, HONEYPOT, request } from '../../../../test/http/test-app.js'

const ask = async (payload: object | string, headers: Record<string, string> = {}) => {
  const { post } = await createTestApp({ services: { honeypot: () => Promise.reject(new Error('no node')) } })
  const response = await post(payload, { url: HONEYPOT, headers })
  return { status: response.statusCode, body: response.json() }
}

test('500 has the text of this endpoint', async () => {
  expect(await ask(request())).toEqual({ status: 500, body: failure('Honeypot check failed', 'honeypot_failed') })
})

test.each([
  [{}, 400, 'targetContractAddress is required', 'address_required'],
  [request({ targetContractAddress: '0x1' }), 400, 'Invalid targetContractAddress', 'invalid_address'],
  [request({ chainId: undefined }), 400, 'chainId is required', 'chain_required'],
  [request({ chainId: 137 }), 400, 'Unsupported chainId', 'unsupported_chain'],
  ['{', 400, 'Invalid JSON body', 'invalid_json'],
])('%j', async (payload, status, errorReason, code) => {
  expect(await ask(payload)).toEqual({ status, body: failure(errorReason, code) })
})

test('401 and 403', async () => {
  expect(await ask(request(), { authorization: '' })).toMatchObject({ status: 401 })
  expect(await ask(request(), { authorization: 'Bearer x' })).toMatchObject({ status: 403 })
})
