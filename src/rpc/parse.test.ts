import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBlockHeader } from './block-header.js'
import { readReply, writeBody } from './json-rpc.js'
import { parseLogEntry } from './log-entry.js'
import { getBalance, getChainId } from './methods.js'
import { RpcRejectedError } from './node-replies.js'
import {
  parseAddress,
  parseBytes,
  parseData,
  parseHash,
  parseList,
  parseObject,
  parseOptional,
  parseQuantity,
  RpcInvalidAnswerError,
} from './parse.js'

describe('quantities', () => {
  test.each([
    ['0x0', 0n],
    ['0x1f', 31n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  ])('%s is read', (text, value) => expect(parseQuantity(text)).toBe(value))

  test.each([
    '0x',
    '0x00',
    '0x01',
    '0xF',
    '-0x1',
    '0X1',
    '1',
    '',
    ' 0x1',
    '0x1\n',
    `0x1${'0'.repeat(64)}`,
    1,
    1n,
    null,
  ])('%s is refused', (value) => expect(() => parseQuantity(value)).toThrow(RpcInvalidAnswerError))
})

describe('bytes', () => {
  test('are read', () => {
    expect(parseData('0x')).toBe('0x')
    expect(parseBytes('0x')).toEqual(new Uint8Array())
    expect(parseBytes('0x00ff')).toEqual(Uint8Array.of(0, 255))
    expect(parseHash(`0x${'ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
  })

  test.each(['', '0', '0x0', '0xAB', '0xzz', 'ab', '0x0\n', 0, {}])('%s is refused', (value) => {
    expect(() => parseData(value)).toThrow(RpcInvalidAnswerError)
    expect(() => parseBytes(value)).toThrow(RpcInvalidAnswerError)
    expect(() => parseHash(value)).toThrow(RpcInvalidAnswerError)
    expect(() => parseAddress(value)).toThrow(RpcInvalidAnswerError)
  })
})

test('whatever a node sends, a parser answers with a value or with its own error', () => {
  const parsers = [
    parseQuantity,
    parseBytes,
    parseData,
    parseHash,
    parseAddress,
    parseObject,
    parseBlockHeader,
    parseLogEntry,
    (value: unknown) => parseList(value, parseQuantity, 4),
    (value: unknown) => parseOptional(value, parseHash),
  ]
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...parsers), (value, parse) => {
      try {
        parse(value)
      } catch (error) {
        expect(error).toBeInstanceOf(RpcInvalidAnswerError)
      }
    }),
  )
})

test('whatever the body of an answer is, it is matched to the questions or refused', () => {
  const requests = [getChainId(), getBalance('0x0000000000000000000000000000000000000001', 'latest')]
  const item = fc.record(
    {
      id: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.string(), fc.constant(null)),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(item).map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(body, fc.constantFrom(200, 400, 429, 500), (text, status) => {
      try {
        const reply = { status, body: Buffer.from(text), retryAfterMs: undefined }
        expect(readReply(requests, reply, (words) => words)).toHaveLength(2)
      } catch (error) {
        expect(error instanceof RpcInvalidAnswerError || error instanceof RpcRejectedError).toBe(true)
      }
    }),
  )
})

test('answers are matched by id, in whatever order they come', () => {
  const requests = [getChainId(), getChainId()]
  expect(JSON.parse(writeBody(requests))).toMatchObject([{ id: 0 }, { id: 1 }])
  const body = Buffer.from('[{"id":1,"result":"0x2"},{"id":0,"result":"0x1"}]')
  const outcomes = readReply(requests, { status: 200, body, retryAfterMs: undefined }, String)
  expect(outcomes).toEqual([
    { ok: true, value: 1n },
    { ok: true, value: 2n },
  ])
})

test('an answer cannot reach into prototypes', () => {
  const body = Buffer.from('{"id":0,"__proto__":{"result":"0x1"}}')
  expect(() => readReply([getChainId()], { status: 200, body, retryAfterMs: undefined }, String)).toThrow(
    RpcInvalidAnswerError,
  )
  expect(({} as Record<string, unknown>).result).toBeUndefined()
})

test('an error does not quote what is not hex', () => {
  const error = new RpcInvalidAnswerError('a hash', '<a href="https://node/secret-key">')
  expect(error.message).not.toContain('secret-key')
})
