import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { boundConnections } from '../connections/bound-connections.js'
import { BaseError } from '../errors.js'
import type { Metrics } from './create-metrics.js'

export interface MetricsServer {
  url: string
  stop(): Promise<void>
}

/** One collector asks every few seconds. */
const MAX_CONNECTIONS = 16
const TIMEOUT_MS = 5_000

/**
 * `GET /metrics` on a port of its own, so that it is never reachable where the service is. Rejects
 * when the port is taken.
 */
export async function serveMetrics(
  metrics: Pick<Metrics, 'contentType' | 'render'>,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  boundConnections(server)
  server.listen(port, host)
  await once(server, 'listening').catch((cause) => {
    throw new MetricsPortError(port, cause)
  })
  return { url: urlOf(server), stop: () => stop(server) }
}

function urlOf(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/metrics` : ''
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** The operator named a port that this process cannot have. */
class MetricsPortError extends BaseError {
  override readonly name = 'MetricsPortError'

  constructor(port: number, cause: unknown) {
    super(`Cannot serve metrics on port ${port}`, { cause, docs: 'docs/operating.md' })
  }
}
