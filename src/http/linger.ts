import type { Socket } from 'node:net'

/**
 * Lets a client that is still sending read our answer before the connection goes. Closing with
 * unread bytes in the buffer makes the system send a reset, which can take the answer away with it;
 * so the sending side is closed first and what still arrives is thrown away, for a bounded time and
 * amount (RFC 9112, section 9.6).
 */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed) return
    socket.end()
    const readBefore = socket.bytesRead
    const endAt = performance.now() + LINGER_MS
    const timer = setInterval(() => {
      if (performance.now() >= endAt || socket.bytesRead - readBefore > LINGER_BYTES) socket.destroy()
    }, CHECK_MS)
    socket.once('close', () => clearInterval(timer))
  }
}

/** An honest client has read the answer by then. */
const LINGER_MS = 2_000
/** What is in flight on a fast connection; a gigabyte is not read to its end. */
const LINGER_BYTES = 4 * 1024 * 1024
const CHECK_MS = 50
