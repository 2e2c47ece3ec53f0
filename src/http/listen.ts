import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { BaseError } from '../errors.js'
import { HTTP_BOUNDS, type HttpBounds } from './bounds.js'

export interface ListeningApp {
  /** Where it can be asked from this machine. */
  url: string
  /**
   * Takes no more connections, lets running requests end for `drainMs`, and then hangs up. Safe to
   * call twice.
   */
  stop(): Promise<void>
}

/** Puts an application on a port. Rejects with `ListenError` when it cannot have it. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  { drainMs }: Pick<HttpBounds, 'drainMs'> = HTTP_BOUNDS,
): Promise<ListeningApp> {
  await app.listen({ host, port }).catch((error) => {
    throw new ListenError(host, port, error)
  })
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(app.server.address() as AddressInfo),
    stop() {
      stopped ??= drain(app, drainMs)
      return stopped
    },
  }
}

/**
 * Rejects with `ListenError` when the port cannot be had now. To be asked before anything is begun
 * that would have to be ended again: threads that are ended while they start can take the process
 * with them.
 */
export async function tryPort({ host, port }: { host: string; port: number }): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(host, port, error as Error)
  }
  server.close()
  await once(server, 'close')
}

async function drain(app: FastifyInstance, drainMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  const isAny = address === '0.0.0.0' || address === '::'
  const host = family === 'IPv6' && !isAny ? `[${address}]` : address
  return `http://${isAny ? '127.0.0.1' : host}:${port}`
}

/** The operator named a port or an address that this process cannot have. */
class ListenError extends BaseError {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, cause: Error & { code?: string }) {
    super(`Cannot listen on ${host}, port ${port}`, {
      cause,
      details: cause.code ?? cause.message,
      docs: 'docs/operating.md',
    })
  }
}
