import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../../test/fuzz/runs.js'
import { boundPipelines } from './bound-pipelines.js'

const BOUND = 3

/**
 * A server that answers each request with its path and body some turns of the loop later, and knows
 * how many it had at the same time.
 */
async function start(handle = answerLater) {
  let underWay = 0
  let most = 0
  let begun = 0
  const server = createServer((request, response) => {
    begun += 1
    underWay += 1
    most = Math.max(most, underWay)
    response.once('close', () => {
      underWay -= 1
    })
    void handle(request, response)
  })
  boundPipelines(server, BOUND)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    most: () => most,
    begun: () => begun,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerLater(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  setImmediate(() => response.end(`<${request.method} ${request.url} ${body.length}>`))
}

/**
 * Writes the packets one after the other and gives the answers' texts once the other side hung up.
 */
async function exchange(port: number, packets: readonly Buffer[]): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const closed = once(socket, 'close')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  for (const packet of packets) {
    socket.write(packet)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await closed
  return [...text.matchAll(/<([^>]*)>/g)].map(([, answer]) => answer ?? '')
}

interface Sent {
  method: string
  path: string
  body: string
  isChunked: boolean
}

const requestOf = fc.record({
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  path: fc.stringMatching(/^\/[a-z]{0,8}$/),
  // What could be taken for the end of a head, too.
  body: fc.oneof(fc.constant(''), fc.stringMatching(/^(\r\n|\n|\r|x){1,30}$/), fc.constant('\r\n\r\n'.repeat(9))),
  isChunked: fc.boolean(),
})

function write({ method, path, body, isChunked }: Sent, isLast: boolean): string {
  const close = isLast ? 'connection: close\r\n' : ''
  const head = `${method} ${path} HTTP/1.1\r\nhost: a\r\n${close}`
  if (body === '') return `${head}\r\n`
  if (!isChunked) return `${head}content-length: ${body.length}\r\n\r\n${body}`
  return `${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

test('requests of one connection are under way within the bound, and all are answered in order, however they are cut', async () => {
  await using server = await start()
  await fc.assert(
    fc.asyncProperty(
      fc.array(requestOf, { minLength: 1, maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 30 }),
      async (requests, sizes) => {
        const bytes = Buffer.from(requests.map((each, i) => write(each, i === requests.length - 1)).join(''))
        const packets: Buffer[] = []
        let at = 0
        for (const size of sizes) {
          packets.push(bytes.subarray(at, at + size))
          at += size
        }
        packets.push(bytes.subarray(at))
        expect(await exchange(server.port, packets)).toEqual(
          requests.map(({ method, path, body }) => `${method} ${path} ${body.length}`),
        )
      },
    ),
    fuzz(100),
  )
  expect(server.most()).toBe(BOUND)
})

test('what is beyond the bound is not begun while nothing is answered', async () => {
  await using server = await start(async () => {})
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET /a HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1_000))
  await expect.poll(server.begun).toBe(BOUND)
  // Another connection is served by the same turns of the loop in which the rest would have been
  // begun.
  const other = connect(server.port, '127.0.0.1')
  other.write('GET /b HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(server.begun).toBe(BOUND + 1)
  for (const each of [socket, other]) each.destroy()
})

test('what comes after the last request of a connection is not begun', async () => {
  await using server = await start(async (_request, response) => {
    response.setHeader('connection', 'close').end('<done>')
  })
  const first = 'GET /a HTTP/1.1\r\nhost: a\r\n\r\n'
  const answers = await exchange(server.port, [Buffer.from(first.repeat(100)), Buffer.from(first.repeat(100))])
  expect(answers).toEqual(['done'])
  expect(server.begun()).toBe(BOUND)
})

test('answers that are not read stop the reading of requests too, and go on when they are read', async () => {
  const long = 'x'.repeat(300_000)
  await using server = await start(async (_request, response) => {
    response.end(`<${long}>`)
  })
  const count = 60
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  const last = 'GET /z HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
  socket.write('GET /a HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(count - 1) + last)
  await expect.poll(server.begun).toBeGreaterThan(BOUND)
  let answers = 0
  socket.on('data', (chunk) => {
    answers += String(chunk).split('<').length - 1
  })
  socket.resume()
  await once(socket, 'close')
  expect(answers).toBe(count)
  expect(server.most()).toBe(BOUND)
})
