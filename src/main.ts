import { readConfig } from './config.js'
import { BaseError } from './errors.js'
import { toSourceLines } from './source-lines.js'
import { startService } from './wiring/start-service.js'
import { untilSignal } from './wiring/until-signal.js'

/** `npm start`: environment, services, listen, and stop on SIGTERM. */
try {
  const service = await startService(readConfig())
  service.log.info({ url: service.url }, 'listening')
  service.log.info({ signal: await untilSignal() }, 'stopping')
  await service.stop()
} catch (error) {
  process.stderr.write(
    `${error instanceof BaseError ? error.message : toSourceLines(String((error as Error).stack ?? error))}\n`,
  )
  process.exitCode = 1
}
