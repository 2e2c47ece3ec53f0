import { CONNECTION_BOUNDS, type ConnectionBounds } from '../connections/bound-connections.js'
import { ANALYSIS_BOUNDS, type AnalysisBounds } from '../reports/analysis-bounds.js'

/**
 * What one caller can take of the service before it is cut off. Sizes in bytes, times in
 * milliseconds.
 */
export interface HttpBounds extends ConnectionBounds, AnalysisBounds {
  bodyBytes: number
  /** Of a batch. */
  batchBodyBytes: number
  headerBytes: number
  headerCount: number
  urlBytes: number
  /** From the first byte of a connection to the end of the headers. */
  headersMs: number
  /** From the first byte to the end of the body. */
  requestMs: number
  /** How long a connection may stay open between two requests. */
  keepAliveMs: number
  connections: number
  /** How long running requests may take to end when the service stops. */
  drainMs: number
}

export const HTTP_BOUNDS: Readonly<HttpBounds> = Object.freeze({
  ...CONNECTION_BOUNDS,
  ...ANALYSIS_BOUNDS,
  // An analysis request has 100 bytes; the largest thing that later routes take is a transaction to
  // judge.
  bodyBytes: 8 * 1024,
  // A hundred targets with every optional field.
  batchBodyBytes: 64 * 1024,
  // An Authorization header has 80 bytes; the rest is what browsers and proxies add.
  headerBytes: 8 * 1024,
  headerCount: 50,
  urlBytes: 1024,
  // A client that needs longer for so few bytes is holding the connection, not using it.
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 5_000,
  // Each costs about 20 kB; beyond this the queue for analyses is full many times over.
  connections: 512,
  // Longer than one analysis, shorter than the 30 s after which process managers kill.
  drainMs: 20_000,
})
