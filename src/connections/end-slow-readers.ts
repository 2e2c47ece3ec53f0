import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** What one connection may leave unread, and for how long. */
export interface SlowReaderBounds {
  /** How long bytes may wait without a moment in which there are none. */
  unreadMs: number
  /** Bytes that wait, times the seconds that they do. */
  unreadByteSeconds: number
}

/**
 * Ends connections whose other side does not read, or so slowly that it is a way to hold memory:
 * what was written for it lies here until it is taken. Gives the look at all of them that a timer
 * takes every second.
 */
export function endSlowReaders(server: Server, bounds: SlowReaderBounds, now = () => performance.now()): () => void {
  const waits = new Map<Socket, Wait>()
  let lookedAt = now()
  const look = () => {
    const ms = now() - lookedAt
    lookedAt += ms
    for (const [socket, { ms: waited, byteSeconds }] of waits) {
      const unread = socket.writableLength
      const wait = unread === 0 ? NO_WAIT : { ms: waited + ms, byteSeconds: byteSeconds + (unread * ms) / 1_000 }
      waits.set(socket, wait)
      if (wait.ms > bounds.unreadMs || wait.byteSeconds > bounds.unreadByteSeconds) socket.destroy()
    }
  }
  server.on('connection', (socket: Socket) => {
    waits.set(socket, NO_WAIT)
    socket.once('close', () => waits.delete(socket))
  })
  const timer = setInterval(look, LOOK_MS).unref()
  server.once('close', () => clearInterval(timer))
  return look
}

interface Wait {
  ms: number
  byteSeconds: number
}

const NO_WAIT: Wait = { ms: 0, byteSeconds: 0 }
const LOOK_MS = 1_000
