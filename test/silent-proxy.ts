import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A server's port as its callers reach it through a network that can fall silent. */
export interface SilentProxy {
  port: number
  /**
   * From now on the connections that exist carry nothing in either direction and do not end, as
   * when a firewall has forgotten them or the server's address has moved to another machine. New
   * ones work.
   */
  fallSilent(): void
  close(): Promise<void>
}

/**
 * Passes bytes between the callers of a new port and `upstreamPort`, both on the loopback
 * interface.
 */
export async function startSilentProxy(upstreamPort: number): Promise<SilentProxy> {
  const pairs = new Set<{ caller: Socket; upstream: Socket }>()
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    const upstream = connect({ port: upstreamPort, host: '127.0.0.1', allowHalfOpen: true })
    const pair = { caller, upstream }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      caller.destroy()
      upstream.destroy()
    }
    for (const socket of [caller, upstream]) socket.on('error', end).on('close', end)
    caller.pipe(upstream)
    upstream.pipe(caller)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      for (const { caller, upstream } of pairs) {
        caller.unpipe(upstream).pause()
        upstream.unpipe(caller).pause()
      }
    },
    async close() {
      for (const { caller, upstream } of pairs) {
        caller.destroy()
        upstream.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
