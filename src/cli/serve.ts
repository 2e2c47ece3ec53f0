import type { Command } from 'commander'
import { readConfig } from '../config.js'
import { untilSignal } from '../wiring/until-signal.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay serve`: the service, configured by environment variables alone, until it is told to stop.
 */
export function addServeCommand(program: Command, { env }: CommandLine): void {
  program
    .command('serve')
    .description('run the service; settings come from environment variables (.env.example)')
    .action(async () => {
      // The engine is loaded only by the commands that need it.
      const { startService } = await import('../wiring/start-service.js')
      const service = await startService(readConfig(env))
      service.log.info({ url: service.url }, 'listening')
      service.log.info({ signal: await untilSignal() }, 'stopping')
      await service.stop()
    })
}
