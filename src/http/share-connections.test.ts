import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test/http/test-app.js'
import { listen } from './listen.js'
import { shareConnections } from './share-connections.js'

/** Half are taken at 20, and one address may then have 10. */
const CONNECTIONS = 40

class PretendSocket extends EventEmitter {
  isOpen = true
  constructor(readonly remoteAddress: string | undefined) {
    super()
  }
  destroy() {
    if (!this.isOpen) return
    this.isOpen = false
    this.emit('close')
  }
}

function setUp(trustProxy: readonly string[] = []) {
  const server = new EventEmitter()
  shareConnections(server as Server, { connections: CONNECTIONS, trustProxy })
  const connectFrom = (ip: string | undefined) => {
    const socket = new PretendSocket(ip)
    server.emit('connection', socket)
    return socket
  }
  /** How many of `count` connections stay open. */
  const countOpen = (count: number, ipOf: (i: number) => string | undefined) =>
    Array.from({ length: count }, (_, i) => connectFrom(ipOf(i))).filter(({ isOpen }) => isOpen).length
  return { connectFrom, countOpen }
}

describe('connections', () => {
  test('one address has half of them at most, and the rest are for others', () => {
    const { countOpen } = setUp()
    expect(countOpen(1_000, () => '203.0.113.7')).toBe(20)
    expect(countOpen(1_000, () => '203.0.113.8')).toBe(10)
    expect(countOpen(10, (i) => `198.51.100.${i}`)).toBe(10)
  })

  test('the addresses of one /64 are one, and one /48 has half of them at most', () => {
    const { countOpen } = setUp()
    expect(countOpen(20, (i) => `198.51.100.${i}`)).toBe(20)
    expect(countOpen(100, (i) => `2001:db8:1:2::${i.toString(16)}`)).toBe(10)
    expect(countOpen(100, (i) => `2001:db8:1:${(i + 3).toString(16)}::1`)).toBe(10)
    expect(countOpen(5, (i) => `2001:db8:${(i + 2).toString(16)}::1`)).toBe(5)
  })

  test('what is closed makes room again', () => {
    const { connectFrom, countOpen } = setUp()
    const sockets = Array.from({ length: 20 }, () => connectFrom('203.0.113.7'))
    expect(connectFrom('203.0.113.7').isOpen).toBe(false)
    sockets[0]?.destroy()
    expect(countOpen(5, () => '203.0.113.7')).toBe(1)
    for (const socket of sockets) socket.destroy()
    // One is still there.
    expect(countOpen(1_000, () => '203.0.113.7')).toBe(19)
  })

  test('a few are never too many', () => {
    const server = new EventEmitter()
    shareConnections(server as Server, { connections: 2, trustProxy: [] })
    const sockets = ['a', 'b'].map((name) => new PretendSocket(`2001:db8:${name}::1`))
    for (const socket of sockets) server.emit('connection', socket)
    expect(sockets.map(({ isOpen }) => isOpen)).toEqual([true, true])
  })

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.7'],
    ['203.0.113.0/24', '::ffff:203.0.113.7'],
    ['2001:db8::/32', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
  ])('a proxy of %s stands for many: %s', (range, ip) => {
    expect(setUp([range]).countOpen(CONNECTIONS, () => ip)).toBe(CONNECTIONS)
    expect(setUp([range]).countOpen(CONNECTIONS, () => '192.0.2.1')).toBe(20)
  })

  test('a socket without an address is let through: it is not of this network', () => {
    expect(setUp().countOpen(CONNECTIONS, () => undefined)).toBe(CONNECTIONS)
  })
})

describe('the service', () => {
  const sockets: Socket[] = []
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })

  test('answers another host while one host takes all connections that it gets', async () => {
    const { app } = await createTestApp({ bounds: { connections: CONNECTIONS } })
    const server = await listen(app, { host: '127.0.0.1', port: 0 })
    const port = Number(new URL(server.url).port)
    const reach = async (localAddress: string) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      socket.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n')
      const answer = once(socket, 'data').then(([chunk]) => String(chunk).slice(9, 12))
      return Promise.race([answer, once(socket, 'close').then(() => 'closed')])
    }
    const attack: string[] = []
    for (let i = 0; i < 3 * CONNECTIONS; i += 1) attack.push(await reach('127.0.0.1'))
    expect(attack.filter((outcome) => outcome === '200')).toHaveLength(CONNECTIONS / 2)
    expect(await reach('127.0.0.2')).toBe('200')
    await server.stop()
  })
})
