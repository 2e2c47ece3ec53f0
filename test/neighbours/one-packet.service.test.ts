import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startServiceProcess } from '../catalogue/service-process.js'

const LONG = { timeout: 120_000 }
/** Enough for the service, and for nothing that one packet asks for. */
const HEAP_MB = 128
const CONNECTIONS = 6
const PIPELINED = 1_600

const dataDir = mkdtempSync(join(tmpdir(), 'assay-packet-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

let running: ChildProcess | undefined
const sockets: Socket[] = []
afterEach(() => {
  running?.kill('SIGKILL')
  for (const socket of sockets.splice(0)) socket.destroy()
})

const get = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`

/** What one anonymous client can send in one write, without reading a byte of the answers. */
const PACKETS: readonly [name: string, packet: string][] = [
  ['GET /openapi.json', get('/openapi.json').repeat(PIPELINED)],
  ['HEAD /openapi.json', get('/openapi.json', 'HEAD').repeat(PIPELINED)],
  ['GET /health', get('/health').repeat(PIPELINED)],
  ['GET /ready', get('/ready').repeat(PIPELINED)],
  ['GET /api/signing-key', get('/api/signing-key').repeat(PIPELINED)],
  ['OPTIONS', get('/api/batch', 'OPTIONS').repeat(PIPELINED)],
  ['paths that are not there', get('/none').repeat(PIPELINED)],
  ['POST with a body and no key', post('/api/batch').repeat(PIPELINED)],
  ['the shortest requests there are', 'GET / HTTP/1.0\r\n\r\n'.repeat(PIPELINED)],
  ['sign-ins', get('/api/auth/nonce').repeat(PIPELINED)],
]

function send(url: string, packet: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(packet)
  sockets.push(socket)
  return socket
}

test('no packet of an anonymous client ends the process or keeps others from their answer', LONG, async () => {
  const { url, child } = await startServiceProcess({ dataDir, stdout: 'ignore', heapMb: HEAP_MB })
  running = child
  for (const [name, packet] of PACKETS) {
    const attackers = Array.from({ length: CONNECTIONS }, () => send(url, packet))
    await Promise.all(attackers.map((socket) => once(socket, 'connect')))
    for (let asked = 0; asked < 5; asked += 1) {
      const answer = await fetch(`${url}/health`)
      expect([name, answer.status]).toEqual([name, 200])
    }
    for (const socket of attackers) socket.resume()
    const { status } = await fetch(`${url}/openapi.json`)
    expect([name, status, child.exitCode, child.signalCode]).toEqual([name, 200, null, null])
    for (const socket of attackers) socket.destroy()
  }
})
