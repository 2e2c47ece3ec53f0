import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { endSlowReaders } from './end-slow-readers.js'

const BOUNDS = { unreadMs: 60_000, unreadByteSeconds: 100_000_000 }
/** More than the system takes for a connection. */
const LONG = Buffer.alloc(20_000_000)

/**
 * A server with a hand on its clock, and a connection that asked for something long and has not
 * read it.
 */
async function start(answer: Buffer) {
  let now = 0
  const server = createServer((_request, response) => response.end(answer))
  const look = endSlowReaders(server, BOUNDS, () => now)
  const accepted = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [socket] = (await accepted) as [Socket]
  return {
    client,
    socket,
    lookAfter(ms: number) {
      now += ms
      look()
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a connection that leaves much unread is ended soon', async () => {
  await using stage = await start(LONG)
  await expect.poll(() => stage.socket.writableLength).toBeGreaterThan(1_000_000)
  stage.lookAfter(1)
  expect(stage.socket.destroyed).toBe(false)
  stage.lookAfter(100_000_000 / (stage.socket.writableLength / 1_000))
  expect(stage.socket.destroyed).toBe(true)
})

test('a connection that reads a little at a time is ended after the longest wait', async () => {
  await using stage = await start(LONG)
  await expect.poll(() => stage.socket.writableLength).toBeGreaterThan(1_000_000)
  // As if nearly all had been read.
  Object.defineProperty(stage.socket, 'writableLength', { value: 10 })
  for (let second = 0; second < 60; second += 1) stage.lookAfter(1_000)
  expect(stage.socket.destroyed).toBe(false)
  stage.lookAfter(1_000)
  expect(stage.socket.destroyed).toBe(true)
})

test('a connection that has read all is left alone, however long it lasts', async () => {
  await using stage = await start(LONG)
  stage.lookAfter(1)
  stage.client.resume()
  await expect.poll(() => stage.socket.writableLength).toBe(0)
  for (let minute = 0; minute < 60; minute += 1) stage.lookAfter(60_000)
  expect(stage.socket.destroyed).toBe(false)
})
