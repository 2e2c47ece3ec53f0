import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestApp, failure, PHISHING, request } from '../../../../test/http/test-app.js'
import { ApiError } from '../../../api-error.js'
import { parseWalletRequest } from '../../../reports/phishing/parse-wallet-request.js'

const ask = async (payload: object | string, headers: Record<string, string> = {}) => {
  const { post } = await createTestApp({ services: { phishing: () => Promise.reject(new Error('no node')) } })
  const response = await post(payload, { url: PHISHING, headers })
  return { status: response.statusCode, body: response.json() }
}

test('500 has the text of this endpoint', async () => {
  expect(await ask(request())).toEqual({ status: 500, body: failure('Phishing check failed', 'phishing_failed') })
})

const ZERO = '0x0000000000000000000000000000000000000000'
const TYPED = { domain: {}, types: {}, primaryType: 'Permit', message: {} }

test.each([
  [{}, 400, 'targetContractAddress is required', 'address_required'],
  [request({ targetContractAddress: '0x1', calldata: 'x' }), 400, 'Invalid targetContractAddress', 'invalid_address'],
  [request({ chainId: undefined }), 400, 'chainId is required', 'chain_required'],
  [request({ chainId: 137 }), 400, 'Unsupported chainId', 'unsupported_chain'],
  ['{', 400, 'Invalid JSON body', 'invalid_json'],
  [request({ from: '0x1' }), 400, 'Invalid from', 'invalid_from'],
  [request({ value: 5 }), 400, 'Invalid value', 'invalid_value'],
  [request({ value: '-1' }), 400, 'Invalid value', 'invalid_value'],
  [request({ value: '01' }), 400, 'Invalid value', 'invalid_value'],
  [request({ calldata: '0xabc' }), 400, 'Invalid calldata', 'invalid_calldata'],
  [request({ calldata: 'd0e30db0' }), 400, 'Invalid calldata', 'invalid_calldata'],
  [request({ typedData: 'Permit' }), 400, 'Invalid typedData', 'invalid_typed_data'],
  [request({ typedData: { ...TYPED, message: [] } }), 400, 'Invalid typedData', 'invalid_typed_data'],
  [request({ typedData: { ...TYPED, types: { A: [{ name: 'x' }] } } }), 400, 'Invalid typedData', 'invalid_typed_data'],
  [request({ typedData: { ...TYPED, primaryType: 'A(' } }), 400, 'Invalid typedData', 'invalid_typed_data'],
  [request({ calldata: '0x', to: '0x1' }), 400, 'Invalid to', 'invalid_to'],
  [request({ calls: [] }), 400, 'Invalid calls', 'invalid_calls'],
  [request({ calls: [{ to: ZERO }], calldata: '0x' }), 400, 'Invalid calls', 'invalid_calls'],
  [request({ calls: [{ to: ZERO, value: 5 }] }), 400, 'Invalid calls', 'invalid_calls'],
  [request({ calls: Array(17).fill({ to: ZERO }) }), 400, 'Invalid calls', 'invalid_calls'],
  [request({ authorizationList: {} }), 400, 'Invalid authorizationList', 'invalid_authorization_list'],
  [
    request({ authorizationList: [{ address: ZERO, r: '0x1' }] }),
    400,
    'Invalid authorizationList',
    'invalid_authorization_list',
  ],
])('%j', async (payload, status, errorReason, code) => {
  expect(await ask(payload)).toEqual({ status, body: failure(errorReason, code) })
})

test('401 and 403', async () => {
  expect(await ask(request(), { authorization: '' })).toMatchObject({ status: 401 })
  expect(await ask(request(), { authorization: 'Bearer x' })).toMatchObject({ status: 403 })
})

test('whatever a body holds, it is read or refused by name', () => {
  const fields = fc.record(
    {
      from: fc.jsonValue(),
      value: fc.jsonValue(),
      calldata: fc.jsonValue(),
      typedData: fc.jsonValue(),
      calls: fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.constantFrom('to', 'value', 'data'), fc.jsonValue()))),
      authorizationList: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.dictionary(fc.constantFrom('address', 'chainId', 'nonce', 'r'), fc.jsonValue())),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fields, (body) => {
      try {
        parseWalletRequest(body, { compat: false })
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})

test('a value without calldata is another field for existing clients', () => {
  expect(parseWalletRequest({ value: '1' }, { compat: true })).toBeUndefined()
  expect(parseWalletRequest({ value: '1' }, { compat: false })).toEqual({ value: 1n })
})
