import { describe, expect, test } from 'vitest'
import { formatUnits } from '../../portal/src/consent/format-units.js'
import { readConsent } from '../../portal/src/consent/read-consent.js'

const TO = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const NOTHING = { chain: '1', from: '', to: '', value: '', calldata: '', request: '' }
const paste = (request: unknown) => readConsent({ ...NOTHING, request: JSON.stringify(request) })

describe('what is entered becomes a question', () => {
  test('field by field', () => {
    expect(readConsent({ ...NOTHING, from: TO, to: TO, value: '5' })).toEqual({
      body: { targetContractAddress: TO, chainId: 1, only: true, from: TO, calldata: '0x', value: '5' },
    })
  })

  test.each([
    [{ to: '0x1' }, /Enter where it goes/],
    [{ to: TO, calldata: '0x1' }, /Call data/],
    [{ to: TO, value: '1.5' }, /wei/],
    [{ to: TO, from: 'me' }, /The wallet/],
    [{ request: '{' }, /not JSON/],
    [{ request: '7' }, /not JSON/],
  ])('%j is refused with a word', (fields, problem) => {
    expect(readConsent({ ...NOTHING, ...fields })).toEqual({ problem: expect.stringMatching(problem) })
  })

  test('as a website sends it: a transaction, calls, and a message to sign, which may be text', () => {
    const transaction = { from: TO, to: TO, data: '0xab', value: '0x5' }
    expect(paste({ method: 'eth_sendTransaction', params: [transaction] })).toMatchObject({
      body: { targetContractAddress: TO, from: TO, calls: [{ to: TO, data: '0xab', value: '0x5' }] },
    })
    expect(paste({ params: [{ from: TO, calls: [{ to: TO, data: '0xab' }] }] })).toMatchObject({
      body: { targetContractAddress: TO, calls: [{ to: TO, data: '0xab' }] },
    })
    const message = { domain: { verifyingContract: TO }, types: {}, primaryType: 'Permit', message: {} }
    expect(paste({ params: [TO, JSON.stringify(message)] })).toMatchObject({
      body: { targetContractAddress: TO, typedData: message },
    })
  })

  test('a request that wraps itself without end is refused', () => {
    let request = '{}'
    for (let i = 0; i < 9; i += 1) request = JSON.stringify([request])
    expect(readConsent({ ...NOTHING, request })).toHaveProperty('problem')
  })
})

test.each([
  [1_500_000n, 6, '1.5'],
  [1n, 18, '0.000000000000000001'],
  [1_234_567_000_000n, 6, '1\u2009234\u2009567'],
  [7n, 0, '7'],
  [0n, 18, '0'],
])('%d base units with %d decimals are %s', (amount, decimals, shown) => {
  expect(formatUnits(amount, decimals)).toBe(shown)
})
