import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createTestApp, failure, request } from '../../../../test/http/test-app.js'

const json = JSON.stringify(request())

describe('413', () => {
  const TOO_LARGE = failure('Request body too large', 'body_too_large')

  test('26: a megabyte', async () => {
    const { post } = await createTestApp()
    const response = await post('x'.repeat(1_000_000))
    expect(response.statusCode).toBe(413)
    expect(response.json()).toEqual(TOO_LARGE)
  })

  test('8 KB is the last size that is read', async () => {
    const { post } = await createTestApp()
    expect((await post(json.padEnd(8_192))).statusCode).toBe(200)
    expect((await post(json.padEnd(8_193))).statusCode).toBe(413)
  })

  test('size is looked at before the type', async () => {
    const { post } = await createTestApp()
    expect((await post('x'.repeat(8_193), { headers: { 'content-type': 'text/plain' } })).statusCode).toBe(413)
  })
})

describe('415', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'json',
    '',
  ])('25: %j', async (type) => {
    const { post } = await createTestApp()
    const response = await post(json, { headers: { 'content-type': type } })
    expect(response.statusCode).toBe(415)
    expect(response.json()).toEqual(failure('Content-Type must be application/json', 'unsupported_content_type'))
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'identity, gzip'])(
    '27: a body compressed with %s is not inflated',
    async (encoding) => {
      const { post } = await createTestApp()
      const response = await post(gzipSync(json), { headers: { 'content-encoding': encoding } })
      expect(response.statusCode).toBe(415)
      expect(response.json()).toEqual(failure('Content-Encoding is not supported', 'unsupported_content_encoding'))
    },
  )

  test('comes after the limit: a caller that sends nonsense is counted', async () => {
    const { post } = await createTestApp()
    for (let i = 0; i < 10; i += 1) await post(json, { headers: { 'content-type': 'text/plain' } })
    expect((await post(json)).statusCode).toBe(429)
  })
})
