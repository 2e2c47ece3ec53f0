import { type Command, InvalidArgumentError, Option } from 'commander'
import { BaseError } from '../errors.js'
import { untilSignal } from '../wiring/until-signal.js'
import type { CommandLine } from './command-line.js'

interface DemoCommandOptions {
  port: number
  once?: boolean
  keep?: boolean
}

/** `assay demo`: everything on this machine, offline. Needs the development dependencies. */
export function addDemoCommand(
  program: Command,
  { write, colour = false, untilStopped = untilSignal }: CommandLine,
): void {
  program
    .command('demo')
    .description('start devnets with good and bad example tokens, the service on them, and report on each')
    .option('--port <n>', 'where the service listens; 0 takes a free port', parsePort, DEFAULT_PORT)
    .addOption(
      new Option('--once', 'report and exit: 0 when every report is as expected, 1 otherwise').conflicts('keep'),
    )
    .option('--keep', 'no reports: print where nodes and service are, and keep them up for other commands')
    .action(async ({ port, once = false, keep = false }: DemoCommandOptions) => {
      // The devnet is no part of a production install.
      const { runDemo } = await import('./demo.js')
      const { mismatches, stop } = await runDemo({ port, once, keep, write: (text) => void write(text), colour })
      if (!once) await untilStopped()
      await stop()
      if (mismatches > 0 && once) throw new ExamplesMisjudgedError(mismatches)
    })
}

const DEFAULT_PORT = 8080
const MAX_PORT = 65_535

function parsePort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw new InvalidArgumentError(`It must be from 0 to ${MAX_PORT}.`)
  return port
}

export class ExamplesMisjudgedError extends BaseError {
  override readonly name = 'ExamplesMisjudgedError'
  constructor(count: number) {
    super(`${count} of the examples were not judged as expected`)
  }
}
