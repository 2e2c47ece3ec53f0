import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createTestApp } from '../../test/http/test-app.js'

const { app } = await createTestApp()
afterAll(() => app.close())
const read = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: '/openapi.json', headers })

test('a client gets the document in the best form that it takes, and always the same content', async () => {
  const plain = await read()
  const forms = { br: brotliDecompressSync, gzip: gunzipSync }
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
  ] as const) {
    const answer = await read({ 'accept-encoding': accepted })
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'accept-encoding'])
    expect(String(forms[encoding](answer.rawPayload))).toBe(plain.body)
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
  }
})

test.each(['', 'identity', 'br;q=0', 'zstd', 'brotli', '*;q=0'])('with %j it is sent as it is', async (accepted) => {
  const answer = await read({ 'accept-encoding': accepted })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.json().openapi).toBe('3.1.0')
})

test('a client that has the document is told so, in whatever form it has it', async () => {
  const first = await read({ 'accept-encoding': 'br' })
  const known = await read({ 'if-none-match': String(first.headers.etag) })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  expect((await read({ 'if-none-match': '"other"' })).statusCode).toBe(200)
})

test('the head alone says what there is', async () => {
  const [head, whole] = [await read({}, 'HEAD'), await read()]
  expect(head.headers).toMatchObject({
    etag: whole.headers.etag,
    'content-length': String(whole.rawPayload.length),
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  })
  expect(head.body).toBe('')
})
