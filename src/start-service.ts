import type { Config } from './config.js'
import { createApp } from './http/app.js'
import { listen } from './http/listen.js'
import { createServices, type OwnedServices } from './services.js'

export interface RunningService extends Pick<OwnedServices, 'keyStore' | 'clock' | 'log'> {
  /** Where it can be asked from this machine, without a trailing slash. */
  url: string
  /** Takes no more requests, lets those under way finish, and lets go of everything. */
  stop(): Promise<void>
}

/** Brings the service up as `config` says. Rejects when a store cannot be opened or the port is taken, with nothing left open. */
export async function startService(config: Config): Promise<RunningService> {
  const { services, keyStore, clock, log, close } = await createServices(config)
  try {
    const { url, stop } = await listen(createApp(services), config)
    return { url, keyStore, clock, log, stop: () => stop().finally(close) }
  } catch (error) {
    await close()
    throw error
  }
}
