import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { listenTestApp, open, parseAnswers, rawPost, sendRaw } from '../../test/http/raw-client.js'
import { sampleChecks } from '../../test/http/sample-checks.js'
import { createTestApp, failure, request, SIMULATE } from '../../test/http/test-app.js'
import { listen } from './listen.js'

const JSON_BODY = JSON.stringify(request())
const json = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'content-length': JSON_BODY.length,
})
const INVALID_REQUEST = failure('Malformed HTTP request', 'invalid_request')

describe('Authorization', () => {
  test.each(['good first', 'bad first'])('7: two headers are refused, %s', async (order) => {
    await using server = await listenTestApp()
    const lines = [`authorization: Bearer ${server.key}`, 'authorization: Bearer other']
    if (order === 'bad first') lines.reverse()
    const head = `POST ${SIMULATE} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n`
    const [answer] = parseAnswers(await sendRaw(server.port, head))
    expect(answer).toMatchObject({
      status: 401,
      body: failure('Invalid Authorization format', 'invalid_authorization'),
    })
  })

  test.each([
    ['NUL', 'Bearer a\0b'],
    ['a bare line feed', 'Bearer a\nb: c'],
  ])('8: %s in a key injects nothing', async (_name, value) => {
    await using server = await listenTestApp()
    const text = await sendRaw(server.port, rawPost(SIMULATE, { connection: 'close', authorization: value }))
    expect([400, 401, 403]).toContain(parseAnswers(text)[0]?.status)
    expect(server.logLines.every((line) => JSON.parse(line) !== undefined)).toBe(true)
  })
})

describe('a body that is not wanted', () => {
  test('is not waited for when the caller has no key', async () => {
    await using server = await listenTestApp()
    const { socket, received } = open(server.port)
    socket.write(rawPost(SIMULATE, { 'content-type': 'application/json', 'content-length': 1_000_000 }))
    const [answer] = parseAnswers(await received)
    expect(answer?.status).toBe(401)
    expect(answer?.headers.connection).toBe('close')
  })

  test('is not invited when the caller has no key, and invited when he has one', async () => {
    await using server = await listenTestApp()
    const expecting = { expect: '100-continue', 'content-type': 'application/json', 'content-length': JSON_BODY.length }
    const without = open(server.port)
    without.socket.write(rawPost(SIMULATE, { connection: 'close', ...expecting }))
    expect(parseAnswers(await without.received).map(({ status }) => status)).toEqual([401])

    const { socket, received } = open(server.port)
    socket.write(rawPost(SIMULATE, { connection: 'close', ...expecting, authorization: `Bearer ${server.key}` }))
    socket.once('data', () => socket.write(JSON_BODY))
    expect(parseAnswers(await received).map(({ status }) => status)).toEqual([100, 200])
  })

  test('26: a megabyte is answered with 413, and a client that goes on sending can read it', async () => {
    await using server = await listenTestApp()
    const response = await fetch(`${server.url}${SIMULATE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: 'x'.repeat(1_000_000),
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual(failure('Request body too large', 'body_too_large'))
  })

  test('a client that goes on sending sees the end of the connection and no reset', async () => {
    await using server = await listenTestApp()
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    const errors: Error[] = []
    socket.on('error', (error) => errors.push(error))
    socket.write(rawPost(SIMULATE, { 'content-type': 'application/json', 'content-length': 1_000_000 }, 'x'))
    const [answer] = await once(socket, 'data')
    await once(socket, 'end')
    for (let i = 0; i < 5; i += 1) {
      socket.write('x'.repeat(100_000))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    socket.end()
    await once(socket, 'close')
    expect(parseAnswers(String(answer))[0]?.status).toBe(401)
    expect(errors).toEqual([])
  })

  test('26: chunks without a length are answered with 413 after 8 KB, and without end they are cut off', async () => {
    await using server = await listenTestApp()
    const { socket, received } = open(server.port)
    const { 'content-length': _, ...headers } = json(server.key)
    socket.write(rawPost(SIMULATE, { ...headers, 'transfer-encoding': 'chunked' }))
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    let sent = 0
    const timer = setInterval(() => {
      for (let i = 0; i < 16 && socket.writable; i += 1) {
        socket.write(chunk)
        sent += chunk.length
      }
    }, 5)
    const text = await received
    clearInterval(timer)
    expect(parseAnswers(text)[0]).toMatchObject({ status: 413, headers: { connection: 'close' } })
    expect(sent).toBeLessThan(1_000_000_000)
  })

  test('chunks without a length that stay small are read', async () => {
    await using server = await listenTestApp()
    const { 'content-length': _, ...headers } = json(server.key)
    const [first, second] = [JSON_BODY.slice(0, 10), JSON_BODY.slice(10)]
    const chunks = [first, second, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
    const head = rawPost(SIMULATE, { ...headers, connection: 'close', 'transfer-encoding': 'chunked' })
    expect(parseAnswers(await sendRaw(server.port, head + chunks))[0]?.status).toBe(200)
  })

  test('27: a bomb is refused by its headers', async () => {
    await using server = await listenTestApp()
    const response = await fetch(`${server.url}${SIMULATE}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.key}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: Buffer.alloc(5_000, 0x1f),
    })
    expect(response.status).toBe(415)
  })
})

describe('odd paths', () => {
  test.each([
    '/api/simulate/../simulate/execute-simulation',
    '/api/simulate/%2e%2e/execute-simulation',
    '//api//simulate',
    '*',
  ])('30: %s', async (path) => {
    await using server = await listenTestApp()
    const [answer] = parseAnswers(await sendRaw(server.port, rawPost(path, { connection: 'close' })))
    expect(answer).toMatchObject({ status: 404, body: failure('Not found', 'not_found') })
  })

  test('30: a path of 10 KB', async () => {
    await using server = await listenTestApp()
    const [answer] = parseAnswers(await sendRaw(server.port, rawPost(`/${'a'.repeat(10_240)}`, {})))
    expect(answer).toMatchObject({ status: 414, body: failure('Request URL too long', 'url_too_long') })
  })

  test('29: methods that Fastify does not know', async () => {
    await using server = await listenTestApp()
    const answers = await Promise.all(
      ['PROPFIND', 'TRACE', 'LOCK'].map((method) =>
        sendRaw(server.port, rawPost(SIMULATE, { connection: 'close' }).replace('POST', method)),
      ),
    )
    for (const text of answers) {
      expect(parseAnswers(text)[0]).toMatchObject({ status: 405, headers: { allow: 'post' } })
    }
  })

  test('CONNECT is answered, not hung up on', async () => {
    await using server = await listenTestApp()
    const [answer] = parseAnswers(
      await sendRaw(server.port, 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n'),
    )
    expect(answer).toMatchObject({ status: 404, body: failure('Not found', 'not_found') })
  })
})

describe('headers', () => {
  test('431: more than 8 KB', async () => {
    await using server = await listenTestApp()
    const [answer] = parseAnswers(await sendRaw(server.port, rawPost(SIMULATE, { 'x-long': 'a'.repeat(9_000) })))
    expect(answer).toMatchObject({ status: 431, body: failure('Request headers too large', 'headers_too_large') })
  })

  test('431: more than 50', async () => {
    await using server = await listenTestApp()
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, 1]))
    const [answer] = parseAnswers(await sendRaw(server.port, rawPost(SIMULATE, { connection: 'close', ...many })))
    expect(answer).toMatchObject({ status: 431, body: failure('Request headers too large', 'headers_too_large') })
  })

  test('400: no Host', async () => {
    await using server = await listenTestApp()
    const [answer] = parseAnswers(await sendRaw(server.port, `POST ${SIMULATE} HTTP/1.1\r\nconnection: close\r\n\r\n`))
    expect(answer).toMatchObject({ status: 400, body: INVALID_REQUEST })
  })

  test('every answer carries the security headers, also the one to broken syntax', async () => {
    await using server = await listenTestApp()
    const answers = [
      await sendRaw(server.port, 'nonsense\r\n\r\n'),
      await sendRaw(server.port, rawPost(SIMULATE, { connection: 'close' })),
      await sendRaw(server.port, rawPost(SIMULATE, { connection: 'close', ...json(server.key) }, JSON_BODY)),
    ].map((text) => parseAnswers(text)[0])
    expect(answers.map((answer) => answer?.status)).toEqual([400, 401, 200])
    for (const answer of answers) {
      expect(answer?.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      })
    }
  })
})

describe('33: request smuggling', () => {
  const inner = 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n'
  test.each([
    ['length and chunked', `content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['two lengths', `content-length: 0\r\ncontent-length: ${inner.length}\r\n\r\n${inner}`],
    ['two lengths in one', `content-length: 0, ${inner.length}\r\n\r\n${inner}`],
    ['a space before the colon', `content-length : ${inner.length}\r\n\r\n${inner}`],
    ['a bare carriage return', `x: a\rb\r\ncontent-length: 0\r\n\r\n${inner}`],
    ['a folded header', `x: a\r\n b\r\ntransfer-encoding:\r\n chunked\r\ncontent-length: 0\r\n\r\n${inner}`],
    ['chunked twice', `transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${inner}`],
    ['a length with a sign', `content-length: +5\r\n\r\nhello${inner}`],
    ['a broken chunk size', `transfer-encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n${inner}`],
  ])('%s: 400, and no second request runs', async (_name, rest) => {
    await using server = await listenTestApp()
    const head = `POST ${SIMULATE} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\n`
    const answers = parseAnswers(await sendRaw(server.port, head + rest))
    expect(answers.at(-1)).toMatchObject({ status: 400, body: INVALID_REQUEST, headers: { connection: 'close' } })
    expect(answers.map(({ status }) => status)).not.toContain(200)
  })
})

describe('slow clients', () => {
  test('31: headers that do not end are cut off with 408', async () => {
    await using server = await listenTestApp({ bounds: { headersMs: 100, requestMs: 5_000 } })
    const [answer] = parseAnswers(await sendRaw(server.port, `POST ${SIMULATE} HTTP/1.1\r\nhost: a\r\nx:`))
    expect(answer).toMatchObject({ status: 408, body: failure('Request timed out', 'request_timeout') })
  })

  test('31: a connection that says nothing is closed', async () => {
    await using server = await listenTestApp({ bounds: { headersMs: 100, requestMs: 5_000 } })
    const { received } = open(server.port)
    expect(parseAnswers(await received)[0]?.status).toBe(408)
  })

  test('32: a body that does not end is cut off with 408', async () => {
    await using server = await listenTestApp({ bounds: { headersMs: 100, requestMs: 200 } })
    const [answer] = parseAnswers(await sendRaw(server.port, rawPost(SIMULATE, json(server.key), '{')))
    expect(answer).toMatchObject({ status: 408, body: failure('Request timed out', 'request_timeout') })
  })

  test('31: others are served meanwhile', async () => {
    await using server = await listenTestApp({ bounds: { connections: 500 } })
    const slow = Array.from({ length: 200 }, () => open(server.port))
    for (const { socket } of slow) socket.write('POST / HTTP/1.1\r\nx:')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(slow.some(({ socket }) => socket.destroyed)).toBe(false)
    for (const { socket } of slow) socket.destroy()
  })

  test('connections beyond the bound are closed at once, and there is room again when others leave', async () => {
    await using server = await listenTestApp({ bounds: { connections: 2 } })
    const held = [open(server.port), open(server.port)]
    await Promise.all(held.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))))
    expect(await sendRaw(server.port, 'GET /health HTTP/1.1\r\nhost: a\r\n\r\n')).toBe('')
    for (const { socket } of held) socket.destroy()
    await Promise.all(held.map(({ received }) => received))
    await expect
      .poll(() =>
        fetch(`${server.url}/health`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
  })
})

test('34: a hundred requests on one connection are answered in order and counted', async () => {
  await using server = await listenTestApp()
  const one = rawPost(SIMULATE, json(server.key), JSON_BODY)
  const last = 'GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
  const answers = parseAnswers(await sendRaw(server.port, one.repeat(100) + last))
  expect(answers.map(({ status }) => status)).toEqual([...new Array(10).fill(200), ...new Array(90).fill(429), 200])
})

describe('35: the client leaves', () => {
  test('the work is told to stop within the second, and its slot is free', async () => {
    const signals: AbortSignal[] = []
    let started = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    await using server = await listenTestApp({
      services: {
        simulation: ({ signal }) =>
          new Promise((_, reject) => {
            if (signal) signals.push(signal)
            signal?.addEventListener('abort', () => reject(signal.reason))
            started()
          }),
      },
    })
    const { socket } = open(server.port)
    socket.write(rawPost(SIMULATE, json(server.key), JSON_BODY))
    await running
    expect(signals[0]?.aborted).toBe(false)
    socket.destroy()
    await expect.poll(() => signals[0]?.aborted, { timeout: 1_000 }).toBe(true)
    expect(signals[0]?.reason.name).toBe('ClientLeftError')
    await expect.poll(() => server.logLines.some((line) => line.includes('client left'))).toBe(true)
    expect(server.logLines.some((line) => line.includes('"level":"error"'))).toBe(false)
  })

  test('a client that is still there is not given up', async () => {
    await using server = await listenTestApp({
      services: {
        simulation: async ({ signal }) => {
          await new Promise((resolve) => setTimeout(resolve, 100))
          signal?.throwIfAborted()
          return sampleChecks
        },
      },
    })
    const response = await fetch(`${server.url}${SIMULATE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON_BODY,
    })
    expect(response.status).toBe(200)
  })
})

describe('75: stopping', () => {
  test('running requests are answered, new ones on open connections are sent away, and the port is free', async () => {
    const [begun, gate] = [createGate(), createGate()]
    const setup = await createTestApp({
      services: {
        simulation() {
          begun.open()
          return gate.passed.then(() => sampleChecks)
        },
      },
    })
    const server = await listen(setup.app, { host: '127.0.0.1', port: 0 })
    const port = Number(new URL(server.url).port)
    const { socket, received } = open(port)
    const one = rawPost(SIMULATE, json(setup.key), JSON_BODY)
    socket.write(one)
    await begun.passed
    const stopped = server.stop()
    socket.write(one)
    await new Promise((resolve) => setTimeout(resolve, 20))
    gate.open()
    const answers = parseAnswers(await received)
    expect(answers[0]).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await stopped
    await expect(fetch(server.url)).rejects.toThrow()
  })

  test('what does not end is hung up on', async () => {
    const begun = createGate()
    const simulation = () => {
      begun.open()
      return new Promise<never>(() => {})
    }
    const setup = await createTestApp({ services: { simulation } })
    const server = await listen(setup.app, { host: '127.0.0.1', port: 0 }, { drainMs: 100 })
    const { socket, received } = open(Number(new URL(server.url).port))
    socket.write(rawPost(SIMULATE, json(setup.key), JSON_BODY))
    await begun.passed
    await Promise.all([server.stop(), server.stop()])
    expect(await received).toBe('')
  })
})

function createGate(): { passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
