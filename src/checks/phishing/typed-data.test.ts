import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../wallet-request.js'
import { NOTHING_SIGNED } from './signed-intent.js'
import { readTypedData } from './typed-data.js'

const SIGNER = '0x00000000000000000000000000000000000000aa'
const SPENDER = '0x00000000000000000000000000000000000000bb'
const TOKEN = '0x00000000000000000000000000000000000000cc'
const read = (primaryType: string, message: Record<string, Json>) =>
  readTypedData({ domain: { verifyingContract: TOKEN }, types: {}, primaryType, message })

describe('permits', () => {
  test('EIP-2612 names token, spender, amount and end', () => {
    expect(
      read('Permit', { owner: SIGNER, spender: SPENDER, value: '500', nonce: 0, deadline: 1_900_000_000 }),
    ).toEqual({
      ...NOTHING_SIGNED,
      signer: SIGNER,
      approvals: [
        { kind: 'permit', token: TOKEN, spender: SPENDER, amount: 500n, id: undefined, expires: 1_900_000_000n },
      ],
    })
  })

  test("DAI's is for everything, or takes it back", () => {
    const dai = { holder: SIGNER, spender: SPENDER, nonce: 0, expiry: 0 }
    expect(read('Permit', { ...dai, allowed: true }).approvals).toMatchObject([
      { amount: undefined, expires: undefined },
    ])
    expect(read('Permit', { ...dai, allowed: false }).approvals).toEqual([])
  })

  test('Permit2 in all forms', () => {
    const details = {
      token: TOKEN,
      amount: '0xffffffffffffffffffffffffffffffffffffffff',
      expiration: 1_900_000_000,
      nonce: 0,
    }
    const unlimited = { kind: 'permit2', token: TOKEN, spender: SPENDER, amount: undefined }
    expect(read('PermitSingle', { details, spender: SPENDER }).approvals).toMatchObject([unlimited])
    expect(read('PermitBatch', { details: [details, details], spender: SPENDER }).approvals).toHaveLength(2)
    const permitted = { token: TOKEN, amount: '7' }
    for (const type of ['PermitTransferFrom', 'PermitWitnessTransferFrom'])
      expect(read(type, { permitted, spender: SPENDER, deadline: 5 }).approvals).toMatchObject([
        { amount: 7n, expires: 5n },
      ])
    for (const type of ['PermitBatchTransferFrom', 'PermitBatchWitnessTransferFrom'])
      expect(read(type, { permitted: [permitted], spender: SPENDER }).approvals).toMatchObject([{ amount: 7n }])
  })
})

test("a part of the message that Permit2 does not know is the spender's own", () => {
  const message = { permitted: { token: TOKEN, amount: '7' }, spender: SPENDER, nonce: 0, deadline: 5 }
  expect(read('PermitTransferFrom', message).warnings).toEqual([])
  expect(read('PermitWitnessTransferFrom', { ...message, order: {} }).warnings).toMatchObject([{ id: 'witness' }])
})

test('a signed transfer (EIP-3009) is a payment to its receiver', () => {
  const message = { from: SIGNER, to: SPENDER, value: '7', validAfter: 0, validBefore: 1_900_000_000, nonce: '0x01' }
  expect(read('TransferWithAuthorization', message)).toMatchObject({
    signer: SIGNER,
    approvals: [{ kind: 'transfer', token: TOKEN, spender: SPENDER, amount: 7n, expires: 1_900_000_000n }],
    leaves: [{ token: TOKEN, amount: 7n, counterparty: SPENDER }],
  })
  expect(read('ReceiveWithAuthorization', { ...message, value: 'all' }).isKnown).toBe(false)
})

describe('smart accounts', () => {
  const safe = { to: SPENDER, value: '5', data: '0xAB', operation: 0, gasPrice: '0' }
  const call = { from: TOKEN, to: SPENDER, data: '0xab' }

  test("a Safe's inner call is to be played", () => {
    expect(read('SafeTx', safe)).toMatchObject({ plays: [{ ...call, value: 5n, isDelegated: false }], warnings: [] })
  })

  test('a Safe that is to run foreign code does so as itself, and keeps its coins from it', () => {
    expect(read('SafeTx', { ...safe, operation: 1 })).toMatchObject({
      plays: [{ ...call, value: 0n, isDelegated: true }],
      warnings: [{ id: 'foreign-code' }],
    })
  })

  test('a refund to another account is told', () => {
    expect(read('SafeTx', { ...safe, gasPrice: '9', refundReceiver: SIGNER }).warnings).toMatchObject([
      { id: 'refund' },
    ])
  })

  test.each([{ operation: 2 }, { to: 'x' }, { data: '0xa' }])('a Safe with %j is not understood', (odd) => {
    expect(read('SafeTx', { ...safe, ...odd })).toMatchObject({ isKnown: false, plays: [] })
  })

  test('a user operation is played by its entry point, after its account was made', () => {
    const operation = { sender: SIGNER, callData: '0xab', initCode: `${SPENDER}cd` }
    const run = { from: TOKEN, to: SIGNER, data: '0xab' }
    expect(read('PackedUserOperation', { ...operation, initCode: '0x' }).plays).toMatchObject([run])
    expect(read('UserOperation', operation).plays).toMatchObject([{ from: TOKEN, to: SPENDER, data: '0xcd' }, run])
  })
})

test('a message with more parts than are read says so', () => {
  const details = Array.from({ length: 65 }, () => ({ token: TOKEN, amount: '1' }))
  expect(read('PermitBatch', { details, spender: SPENDER }).isCut).toBe(true)
  expect(read('PermitBatch', { details: details.slice(1), spender: SPENDER }).isCut).toBe(false)
})

describe('orders', () => {
  const nft = { itemType: 2, token: TOKEN, identifierOrCriteria: '5', startAmount: '1', endAmount: '1' }
  const price = (amount: string, recipient = SIGNER, itemType = 0) => ({
    itemType,
    token: TOKEN,
    identifierOrCriteria: '0',
    startAmount: amount,
    endAmount: amount,
    recipient,
  })
  const order = (consideration: Json[]) => ({ offerer: SIGNER, offer: [nft], consideration })
  const zeroPriceOf = (consideration: Json[]) => read('OrderComponents', order(consideration)).zeroPrice

  test.each([
    ['no address is paid', [], 'nothing'],
    ['another address is paid', [price('1000000000000000000', SPENDER)], 'nothing'],
    ['a wei is paid', [price('1')], 'next to nothing'],
    ['a few base units are paid', [price('9', SIGNER, 1)], 'next to nothing'],
  ])('%s', (_, consideration, zeroPrice) => expect(zeroPriceOf(consideration)).toBe(zeroPrice))

  test('a price that sinks to nothing is none', () => {
    expect(zeroPriceOf([{ ...price('1000000000000000000'), endAmount: '0' }])).toBe('next to nothing')
  })

  test.each([
    ['a fair listing with a fee', [price('950000000000000000'), price('50000000000000000', SPENDER)]],
    ['a swap', [{ ...nft, recipient: SIGNER }]],
    ['a price in tokens', [price('250000000', SIGNER, 1)]],
  ])('%s is left alone', (_, consideration) => expect(zeroPriceOf(consideration)).toBeUndefined())

  test('one bad order in a bulk of good ones is found', () => {
    const good = order([price('1000000000000000000')])
    const padding = { offerer: '0x0000000000000000000000000000000000000000', offer: [], consideration: [] }
    expect(
      read('BulkOrder', {
        tree: [
          [good, good],
          [good, padding],
        ],
      }).zeroPrice,
    ).toBeUndefined()
    expect(
      read('BulkOrder', {
        tree: [
          [good, good],
          [order([]), padding],
        ],
      }).zeroPrice,
    ).toBe('nothing')
  })
})

test('a message of another kind is said to be unknown', () => {
  expect(read('Mail', {})).toMatchObject({ isKnown: false, approvals: [] })
})

test('never throws, and never reads an unreadable amount as a small one', () => {
  const type = fc.constantFrom(
    'Permit',
    'PermitSingle',
    'PermitBatch',
    'PermitTransferFrom',
    'OrderComponents',
    'BulkOrder',
    'TransferWithAuthorization',
    'SafeTx',
    'PackedUserOperation',
  )
  const message = fc.dictionary(
    fc.constantFrom('owner', 'spender', 'value', 'details', 'permitted', 'offerer', 'offer', 'consideration', 'tree'),
    fc.jsonValue() as fc.Arbitrary<Json>,
  )
  fc.assert(fc.property(type, message, (primaryType, each) => void read(primaryType, each)))
  fc.assert(
    fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
      const [approval] = read('Permit', { owner: SIGNER, spender: SPENDER, value }).approvals
      const isNumber =
        typeof value === 'number'
          ? Number.isSafeInteger(value) && value >= 0
          : typeof value === 'string' && /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)
      if (!isNumber) expect(approval?.amount).toBeUndefined()
    }),
  )
})
