import type { Server } from 'node:http'
import { boundPipelines } from './bound-pipelines.js'
import { endSlowReaders, type SlowReaderBounds } from './end-slow-readers.js'

/** What one connection can take of a server, honest or not. */
export interface ConnectionBounds extends SlowReaderBounds {
  /** Requests under way at the same time. */
  pipelinedRequests: number
}

export const CONNECTION_BOUNDS: Readonly<ConnectionBounds> = Object.freeze({
  // More than any client has under way on one connection; the next are read when these are
  // answered.
  pipelinedRequests: 8,
  // A phone that goes through a tunnel comes back; a client that reads a byte a second does not
  // mean it.
  unreadMs: 60_000,
  // A report of a megabyte for 16 s, a small answer for as long as any: slower than any line is.
  unreadByteSeconds: 16 * 1024 * 1024,
})

/** Holds each connection of a server to the bounds. */
export function boundConnections(server: Server, bounds: ConnectionBounds = CONNECTION_BOUNDS): void {
  boundPipelines(server, bounds.pipelinedRequests)
  endSlowReaders(server, bounds)
}
