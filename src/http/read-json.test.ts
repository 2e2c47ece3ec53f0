import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../../test/fuzz/runs.js'
import { createTestApp, request } from '../../test/http/test-app.js'
import { ApiError } from '../api-error.js'
import { createJsonReader, MAX_DEPTH, readJson } from './read-json.js'

const read = (reader: (bytes: Buffer) => unknown, text: string) => reader(Buffer.from(text))

describe('a body that comes again', () => {
  test('is the same object', () => {
    const reader = createJsonReader()
    const body = read(reader, '{"a":[1,{"b":"\u00e9"}]}')
    expect(body).toEqual({ a: [1, { b: '\u00e9' }] })
    expect(read(reader, '{"a":[1,{"b":"\u00e9"}]}')).toBe(body)
    expect(read(createJsonReader(), '{"a":[1,{"b":"\u00e9"}]}')).not.toBe(body)
  })

  test('cannot have been changed by an earlier reader', () => {
    const reader = createJsonReader()
    const body = read(reader, '{"a":[1,{"b":2}]}') as { a: [number, { b: number }] }
    expect(() => Object.assign(body, { c: 3 })).toThrow(TypeError)
    expect(() => body.a.push(3)).toThrow(TypeError)
    expect(() => Object.assign(body.a[1], { b: 3 })).toThrow(TypeError)
    expect(read(reader, '{"a":[1,{"b":2}]}')).toEqual({ a: [1, { b: 2 }] })
  })

  test.each([
    ['{"a":1}', '{"a": 1}'],
    ['{"a":"\u00e9"}', '{"a":"\u00c3\u00a9"}'],
    ['{"a":1}', '{"b":1}'],
  ])('%s is not %s', (first, second) => {
    const reader = createJsonReader()
    const body = read(reader, first)
    expect(read(reader, second)).not.toBe(body)
    expect(read(reader, second)).toEqual(JSON.parse(second))
  })

  test('is refused each time when it is no JSON', () => {
    const reader = createJsonReader()
    for (const text of ['{"a":', '{"a":', '\ufeff{}', '\ufeff{}']) expect(() => read(reader, text)).toThrow(ApiError)
    for (let i = 0; i < 2; i += 1) expect(() => reader(Buffer.from([0x22, 0xe9, 0x22]))).toThrow(ApiError)
  })

  test('is read anew when it is long', () => {
    const reader = createJsonReader()
    const text = JSON.stringify({ a: 'x'.repeat(600) })
    expect(read(reader, text)).not.toBe(read(reader, text))
    expect(read(reader, text)).toEqual({ a: 'x'.repeat(600) })
  })

  test('is what it is, object or not', () => {
    const reader = createJsonReader()
    for (const text of ['null', 'null', '1', '1', '"a"', '"a"']) expect(read(reader, text)).toBe(JSON.parse(text))
    expect(reader(Buffer.alloc(0))).toBeUndefined()
  })
})

test('of many bodies the first is forgotten', () => {
  const reader = createJsonReader()
  const first = read(reader, '{"n":0}')
  for (let i = 1; i < 30_000; i += 1) read(reader, `{"n":${i}}`)
  expect(read(reader, '{"n":0}')).toEqual(first)
  expect(read(reader, '{"n":0}')).not.toBe(first)
})

test('a bad question is refused each time it comes', async () => {
  const { post } = await createTestApp()
  for (let i = 0; i < 2; i += 1) {
    expect((await post(request({ chainId: 7 }))).json()).toMatchObject({ code: 'unsupported_chain' })
    expect((await post(request())).statusCode).toBe(200)
  }
})

describe('depth', () => {
  const nested = (depth: number, [open, close] = ['[', ']'] as const) =>
    Buffer.from(open.repeat(depth) + close.repeat(depth))

  test('as deep as a body may be is read, one level more is not', () => {
    expect(readJson(nested(MAX_DEPTH))).toBeInstanceOf(Array)
    expect(() => readJson(nested(MAX_DEPTH + 1))).toThrow(ApiError)
    expect(() => readJson(Buffer.from(`${'{"a":'.repeat(MAX_DEPTH + 1)}1${'}'.repeat(MAX_DEPTH + 1)}`))).toThrow(
      ApiError,
    )
  })

  test('brackets in texts are no depth, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('[', '{', '"', '\\', 'a', ']'), maxLength: 200 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
        expect(readJson(Buffer.from(JSON.stringify(texts)))).toEqual(texts)
      }),
      fuzz(200),
    )
  })

  test('any value that JSON has within the depth is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        expect(readJson(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
      fuzz(200),
    )
  })
})
