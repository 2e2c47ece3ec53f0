import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createDeliverWebhook } from './deliver-webhook.js'
import { PrivateAddressError } from './public-address.js'

const AT = 1_767_225_600
const SECRET = 'a secret of some length'

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
  await deliver({ url: receiver.url, secret: SECRET }, '{"id":"batch_1"}')
  const [message] = receiver.received
  expect(message?.body).toBe('{"id":"batch_1"}')
  const signature = createHmac('sha256', SECRET).update(`${AT}.{"id":"batch_1"}`).digest('hex')
  expect(message?.headers['x-assay-signature']).toBe(`t=${AT},v1=${signature}`)
  expect(message?.headers.host).toMatch(/^localhost:/)
})

test('anything but a 2xx is no delivery, and a redirect is not followed', async () => {
  await using receiver = await receive((_, response) => response.writeHead(307, { location: '/elsewhere' }).end())
  await expect(deliver({ url: receiver.url, secret: SECRET }, '{}')).rejects.toThrow('answered 307')
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
})

test('a host with a private address hears nothing', async () => {
  await using receiver = await receive((_, response) => response.end())
  const careful = createDeliverWebhook({ allowPrivate: false, now: () => 0 })
  await expect(careful({ url: receiver.url, secret: SECRET }, '{}')).rejects.toThrow(PrivateAddressError)
  expect(receiver.received).toEqual([])
})
