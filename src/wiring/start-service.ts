import type { Config } from '../config.js'
import { createApp } from '../http/app.js'
import { HTTP_BOUNDS, type HttpBounds } from '../http/bounds.js'
import { listen, tryPort } from '../http/listen.js'
import { serveMetrics } from '../metrics/serve-metrics.js'
import { createServices, type OwnedServices, type ServicesOptions } from './create-services.js'
import { optimizeLater } from './optimize-later.js'

export interface RunningService extends Pick<OwnedServices, 'keyStore' | 'clock' | 'log'> {
  /** Where it can be asked from this machine, without a trailing slash. */
  url: string
  /** Where the metrics are, when they are served. */
  metricsUrl: string | undefined
  /** Takes no more requests, lets those under way finish, and lets go of everything. */
  stop(): Promise<void>
}

/**
 * Brings the service up as `config` says. Rejects when a store cannot be opened or a port is taken,
 * with nothing left open. Other `bounds` are for tests whose promise is not the time that an answer
 * takes.
 */
export async function startService(
  config: Config,
  bounds: HttpBounds = HTTP_BOUNDS,
  options: Pick<ServicesOptions, 'threads'> = {},
): Promise<RunningService> {
  optimizeLater()
  await tryPort(config)
  const owned = await createServices(config, { ...options, asksAgain: true })
  const { services, keyStore, clock, log, batches, watches, feed, contacts, followVerdicts, metrics, close } = owned
  const { metricsHost: host, metricsPort: port } = config
  try {
    const metricsServer = port === undefined ? undefined : await serveMetrics(metrics, { host, port })
    const stopMetrics = () => metricsServer?.stop()
    const { url, stop } = await listen(createApp(services, bounds), config).catch(async (error) => {
      await stopMetrics()
      throw error
    })
    batches.start()
    watches.start()
    feed.start()
    contacts.start()
    followVerdicts()
    return {
      url,
      metricsUrl: metricsServer?.url,
      keyStore,
      clock,
      log,
      // Batches, watches and the feed stop at once, and go on elsewhere or after the next start.
      stop: () =>
        Promise.all([stop(), batches.close(), watches.close(), feed.close(), contacts.close()])
          .then(() => {})
          .finally(stopMetrics)
          .finally(close),
    }
  } catch (error) {
    await close()
    throw error
  }
}
