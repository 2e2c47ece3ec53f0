import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTestApp, failure, request, TOKEN } from '../../../../test/http/test-app.js'

/** A partner, so that the limit does not answer instead. */
const setUp = async () => {
  const { issue, post, ...rest } = await createTestApp()
  const { key } = await issue({ tier: 'partner', limits: { analysis: 10_000 } })
  const send = async (payload?: unknown) => {
    const response = await post(payload as string, { headers: { authorization: `Bearer ${key}` } })
    return { status: response.statusCode, body: response.json() }
  }
  return { send, ...rest }
}

const ADDRESS_REQUIRED = { status: 400, body: failure('targetContractAddress is required', 'address_required') }
const INVALID_ADDRESS = { status: 400, body: failure('Invalid targetContractAddress', 'invalid_address') }
const CHAIN_REQUIRED = { status: 400, body: failure('chainId is required', 'chain_required') }
const UNSUPPORTED_CHAIN = { status: 400, body: failure('Unsupported chainId', 'unsupported_chain') }
const INVALID_JSON = { status: 400, body: failure('Invalid JSON body', 'invalid_json') }

describe('targetContractAddress', () => {
  test.each([
    ['11: absent', { chainId: 1 }],
    ['13: absent, and the chain too', {}],
    ['absent, and the chain wrong', { chainId: 'x' }],
    ['14: null', request({ targetContractAddress: null })],
    ['14: empty', request({ targetContractAddress: '' })],
    ['blank', request({ targetContractAddress: '  ' })],
    ['20: only in the prototype', JSON.parse(`{"__proto__":{"targetContractAddress":"${TOKEN}"},"chainId":1}`)],
    ['under an alias, with ASSAY_COMPAT off', { contractAddress: TOKEN, tokenAddress: TOKEN, chainId: 1 }],
  ])('%s', async (_name, body) => {
    const { send } = await setUp()
    expect(await send(JSON.stringify(body))).toEqual(ADDRESS_REQUIRED)
  })

  test.each([
    ['14: a list', []],
    ['14: an object', {}],
    ['14: a truth', true],
    ['14: a number', 0],
    ['15: 39 digits', TOKEN.slice(0, -1)],
    ['15: 41 digits', `${TOKEN}0`],
    ['15: no 0x', TOKEN.slice(2)],
    ['15: 0X', `0X${TOKEN.slice(2)}`],
    ['15: a space before', ` ${TOKEN}`],
    ['15: a space behind', `${TOKEN} `],
    ['15: a line end behind', `${TOKEN}\n`],
    ['15: a trailing NUL', `${TOKEN}\0`],
    ['15: full-width digits', `0x${'\uff11'.repeat(40)}`],
    ['15: a letter that is no digit', `0xg${TOKEN.slice(3)}`],
    ['16: mixed case with a wrong checksum', '0x514910771af9Ca656af840dff83E8264EcF986CA'],
    ['24: half a character', '0x\ud800'],
    ['a name', 'vitalik.eth'],
  ])('%s', async (_name, targetContractAddress) => {
    const { send } = await setUp()
    expect(await send(JSON.stringify(request({ targetContractAddress })))).toEqual(INVALID_ADDRESS)
  })
})

describe('chainId', () => {
  test.each([
    ['12: absent', { targetContractAddress: TOKEN }],
    ['null', request({ chainId: null })],
    ['empty', request({ chainId: '' })],
  ])('%s', async (_name, body) => {
    const { send } = await setUp()
    expect(await send(JSON.stringify(body))).toEqual(CHAIN_REQUIRED)
  })

  test.each([
    '"1"',
    '0',
    '-1',
    '1.5',
    '1e999',
    '-1e999',
    '9007199254740993',
    '137',
    '"SOL"',
    '"sol"',
    'true',
    '[1]',
    '{}',
  ])('18: %s', async (chainId) => {
    const { send } = await setUp()
    expect(await send(`{"targetContractAddress":"${TOKEN}","chainId":${chainId}}`)).toEqual(UNSUPPORTED_CHAIN)
  })

  test('is looked at after the address', async () => {
    const { send } = await setUp()
    expect(await send('{"targetContractAddress":"x","chainId":"x"}')).toEqual(INVALID_ADDRESS)
  })
})

describe('additive options', () => {
  test.each([-1, 1.5, '1', 2 ** 53, true, {}])('blockNumber %j', async (blockNumber) => {
    const { send } = await setUp()
    const body = failure('Invalid blockNumber', 'invalid_block_number')
    expect(await send(JSON.stringify(request({ blockNumber })))).toEqual({ status: 400, body })
  })

  test.each(['', 'x', 1, `${TOKEN}0`, '0x514910771af9Ca656af840dff83E8264EcF986CA'])('pair %j', async (pair) => {
    const { send } = await setUp()
    expect(await send(JSON.stringify(request({ pair })))).toEqual({
      status: 400,
      body: failure('Invalid pair', 'invalid_pair'),
    })
  })

  test.each(['', '0', '-1', '1.5', '0x1', 1, '1'.repeat(31), '01', ' 1'])('amount %j', async (amount) => {
    const { send } = await setUp()
    const body = failure('Invalid amount', 'invalid_amount')
    expect(await send(JSON.stringify(request({ amount })))).toEqual({ status: 400, body })
  })
})

describe('the body', () => {
  test('that is not there is a body without fields', async () => {
    const { send } = await setUp()
    expect(await send()).toEqual(ADDRESS_REQUIRED)
    expect(await send('')).toEqual(ADDRESS_REQUIRED)
  })

  test.each(['null', '[]', '"x"', '1', 'true'])('22: %s is no object', async (body) => {
    const { send } = await setUp()
    expect(await send(body)).toEqual(INVALID_JSON)
  })

  test.each([
    ['truncated', '{"chainId":1'],
    ['a byte-order mark', `\ufeff${JSON.stringify(request())}`],
    ['a trailing comma', '{"chainId":1,}'],
    ['NaN', '{"chainId":NaN}'],
    ['single quotes', "{'chainId':1}"],
    ['a comment', '{} // x'],
    ['two values', '{}{}'],
    ['blank', '  '],
  ])('23: %s', async (_name, body) => {
    const { send } = await setUp()
    expect(await send(body)).toEqual(INVALID_JSON)
  })

  test.each([
    ['invalid UTF-8', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['half a character as bytes', [0xed, 0xa0, 0x80]],
  ])('24: %s, even where it means nothing', async (_name, bytes) => {
    const { send } = await setUp()
    const [before, after] = JSON.stringify(request({ note: '@' })).split('@')
    expect(await send(Buffer.concat([Buffer.from(`${before}`), Buffer.from(bytes), Buffer.from(`${after}`)]))).toEqual(
      INVALID_JSON,
    )
  })

  test('24: UTF-16', async () => {
    const { send } = await setUp()
    expect(await send(Buffer.from(`\ufeff${JSON.stringify(request())}`, 'utf16le'))).toEqual(INVALID_JSON)
  })

  test('28: thousands of nested lists', async () => {
    const { send } = await setUp()
    expect(await send('['.repeat(4_000) + ']'.repeat(4_000))).toEqual(INVALID_JSON)
  })

  test('whatever it is, the answer is in the envelope and the analysis is not reached without an address', async () => {
    const { send } = await setUp()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array().map(Buffer.from)),
        async (payload) => {
          const { status, body } = await send(payload)
          expect(status).toBe(400)
          expect(body).toMatchObject({ success: false, errorReason: body.error, code: expect.any(String) })
        },
      ),
      { numRuns: 300 },
    )
  })

  test('whatever stands in the known fields, the answer is one of the known texts', async () => {
    const { send } = await setUp()
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(TOKEN, 1, 56, 'SOL'))
    const known = new Set([
      ...['targetContractAddress is required', 'Invalid targetContractAddress', 'chainId is required'],
      ...['Unsupported chainId', 'Invalid blockNumber', 'Invalid pair', 'Invalid amount', undefined],
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          { targetContractAddress: value, chainId: value, blockNumber: value, pair: value, amount: value },
          { requiredKeys: [] },
        ),
        async (fields) => {
          const { status, body } = await send(JSON.stringify(fields))
          expect([200, 400]).toContain(status)
          expect(known).toContain(body.errorReason)
        },
      ),
      { numRuns: 300 },
    )
  })
})
