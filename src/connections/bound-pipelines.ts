import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps requests under way on one connection within a bound. Node's parser begins all requests that
 * one packet holds, thousands of them, before any is answered; so it is given no more of the packet
 * than there is room for. The rest stays bytes in the socket, which is not read on until an answer
 * is out: what a client sends beyond the bound costs one packet and its own patience, and every
 * answer still comes, in order.
 */
export function boundPipelines(server: Server, maxRequests: number): void {
  const gates = new WeakMap<Socket, Gate>()
  server.on('connection', (socket: Socket) => gates.set(socket, createGate(socket, maxRequests)))
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const gate = gates.get(socket)
    gate?.begin()
    response.once('close', () => gate?.end())
  })
}

interface Gate {
  begin(): void
  end(): void
}

/**
 * True while answers wait to be read: Node's parser takes nothing then, and Node goes on reading by
 * itself.
 */
type PausingSocket = Socket & { _paused?: boolean }

function createGate(socket: PausingSocket, maxRequests: number): Gate {
  let underWay = 0
  let tail: Buffer = Buffer.alloc(0)
  // The listener through which Node's server feeds its parser. Its other way, from the system past
  // all listeners, ends when there is another listener.
  const feeds = socket.rawListeners('data')
  socket.removeAllListeners('data')
  socket.on('data', (packet: Buffer) => {
    let rest = packet
    while (rest.length > 0) {
      // A client that was told of the connection's end is listened to no more.
      if (socket.destroyed || socket.writableEnded) return
      const room = maxRequests - underWay
      if (room === 0 || socket._paused) {
        socket.pause()
        socket.unshift(rest)
        return
      }
      const slice = rest.subarray(0, endOfHeads(tail, rest, room))
      rest = rest.subarray(slice.length)
      tail = joinTail(tail, slice)
      for (const feed of feeds) feed.call(socket, slice)
    }
  })
  return {
    begin() {
      underWay += 1
    },
    end() {
      underWay -= 1
      if (!socket._paused) socket.resume()
    },
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')
/** What of an end of a head can stand in the packet before. */
const TAIL_BYTES = HEAD_END.length - 1

/**
 * Length of the longest part of `packet` in which at most `room` heads of requests end, when `tail`
 * came before it.
 */
function endOfHeads(tail: Buffer, packet: Buffer, room: number): number {
  let end = endOfStraddling(tail, packet)
  for (let heads = end === 0 ? 0 : 1; heads < room; heads += 1) {
    const at = packet.indexOf(HEAD_END, end)
    if (at < 0) return packet.length
    end = at + HEAD_END.length
  }
  return end
}

/**
 * Where a head ends in `packet` that ends with what came before it; 0 when none does, as nearly
 * always.
 */
function endOfStraddling(tail: Buffer, packet: Buffer): number {
  if (packet[0] !== CR && packet[0] !== LF) return 0
  const at = Buffer.concat([tail, packet.subarray(0, TAIL_BYTES)]).indexOf(HEAD_END)
  return at < 0 ? 0 : at + HEAD_END.length - tail.length
}

const [CR, LF] = HEAD_END

/** The last bytes of both: copies, because a part of a packet would keep the whole of it. */
function joinTail(tail: Buffer, slice: Buffer): Buffer {
  if (slice.length >= TAIL_BYTES) return Buffer.from(slice.subarray(-TAIL_BYTES))
  return Buffer.concat([tail, slice]).subarray(-TAIL_BYTES)
}
