import { createHmac } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createDeliverWebhook } from './deliver-webhook.js'
import { PrivateAddressError } from './public-address.js'

const AT = 1_767_225_600
const SECRET = 'a secret of some length'
const never = new AbortController().signal

async function receive(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const received: { body: string; headers: IncomingMessage['headers']; path: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ body, headers: request.headers, path: request.url })
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const deliver = createDeliverWebhook({ allowPrivate: true, now: () => AT * 1_000 })

test('the receiver can check who sent what and when', async () => {
  await using receiver = await receive((_, response) => response.writeHead(204).end())
  await deliver({ url: receiver.url, secret: SECRET }, '{"id":"batch_1"}', never)
  const [message] = receiver.received
  expect(message?.body).toBe('{"id":"batch_1"}')
  const signature = createHmac('sha256', SECRET).update(`${AT}.{"id":"batch_1"}`).digest('hex')
  expect(message?.headers['x-assay-signature']).toBe(`t=${AT},v1=${signature}`)
  expect(message?.headers.host).toMatch(/^localhost:/)
})

test('anything but a 2xx is no delivery, and a redirect is not followed', async () => {
  await using receiver = await receive((_, response) => response.writeHead(307, { location: '/elsewhere' }).end())
  await expect(deliver({ url: receiver.url, secret: SECRET }, '{}', never)).rejects.toThrow('answered 307')
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('a host with a private address hears nothing', async () => {
  await using receiver = await receive((_, response) => response.end())
  const careful = createDeliverWebhook({ allowPrivate: false, now: () => 0 })
  await expect(careful({ url: receiver.url, secret: SECRET }, '{}', never)).rejects.toThrow(PrivateAddressError)
  expect(receiver.received).toEqual([])
})

test('a receiver that hangs is late, and lets go at once when the service stops', async () => {
  await using receiver = await receive(() => {})
  const hasty = createDeliverWebhook({ allowPrivate: true, now: () => 0, timeoutMs: 100 })
  await expect(hasty({ url: receiver.url, secret: SECRET }, '{}', never)).rejects.toThrow('did not answer in time')
  const stop = new AbortController()
  const delivery = deliver({ url: receiver.url, secret: SECRET }, '{}', stop.signal)
  await expect.poll(() => receiver.received.length).toBe(2)
  stop.abort(new Error('stopping'))
  await expect(delivery).rejects.toThrow('stopping')
})

test('one that is not there cannot be reached', async () => {
  const { url } = await receive(() => {}).then(async (receiver) => {
    await receiver[Symbol.asyncDispose]()
    return receiver
  })
  await expect(deliver({ url, secret: SECRET }, '{}', never)).rejects.toThrow('could not be reached')
})

test('a name server that hangs is waited for no longer, and in none of our threads', async () => {
  const asked: string[] = []
  const silent = createSocket('udp4', () => asked.push('a question'))
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const nameServers = [`127.0.0.1:${silent.address().port}`]
  const options = { allowPrivate: false, now: () => 0, nameServers }
  const hook = { url: 'https://hooks.example/', secret: SECRET }
  const stop = new AbortController()
  const deliveries = Array.from({ length: 16 }, () => createDeliverWebhook(options)(hook, '{}', stop.signal))
  await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2 * deliveries.length)
  await readFile(import.meta.filename)
  stop.abort(new Error('stopping'))
  for (const delivery of deliveries) await expect(delivery).rejects.toThrow('stopping')
  const hasty = createDeliverWebhook({ ...options, timeoutMs: 50 })
  await expect(hasty(hook, '{}', never)).rejects.toThrow('did not answer in time')
  silent.close()
})

test('a name that leads to a private address, or to none, hears nothing', async () => {
  const careful = createDeliverWebhook({ allowPrivate: false, now: () => 0 })
  for (const host of ['127.0.0.1:1', '[::1]:1', 'a.localhost:1']) {
    await expect(careful({ url: `http://${host}/`, secret: SECRET }, '{}', never)).rejects.toThrow(PrivateAddressError)
  }
})
