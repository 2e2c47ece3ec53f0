import { Command, CommanderError } from 'commander'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import { addChainsCommands } from './chains-command.js'
import { addCheckCommand } from './check.js'
import type { CommandLine } from './command-line.js'
import { addCompletionCommand } from './completion-command.js'
import { addDemoCommand } from './demo-command.js'
import { addFalseResultCommands } from './false-results-command.js'
import { addFamilyCommands } from './families-command.js'
import { addFeedCommand } from './feed-command.js'
import { addKeysCommands } from './keys.js'
import { addMcpCommand } from './mcp.js'
import { addReplayCommand } from './replay.js'
import { addReplayBlockCommand } from './replay-block-command.js'
import { addSecondOpinionCommand } from './second-opinion-command.js'
import { addServeCommand } from './serve.js'
import { addSolanaCommands } from './solana-command.js'
import { addStatsCommand } from './stats-command.js'
import { addTraceCommand } from './trace-command.js'
import { addVerifyCommand } from './verify.js'
import { addWatchCommand } from './watch-command.js'

/**
 * Exit codes: everything went well; it did not; the command line makes no sense. Commands that
 * judge have codes of their own.
 */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** The `assay` command. Each command stands in a file of its own and adds itself. */
export function createProgram(io: CommandLine): Command {
  const program = new Command('assay')
    .description('Tells whether a token or contract is safe to touch.')
    .version(readConfig({}).engineVersion)
    .configureOutput({ writeOut: io.write, writeErr: io.writeError })
    .option('--no-color', 'no colours; as NO_COLOR in the environment')
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride()
  addCheckCommand(program, io)
  addWatchCommand(program, io)
  addFeedCommand(program, io)
  addTraceCommand(program, io)
  addChainsCommands(program, io)
  addSolanaCommands(program, io)
  addServeCommand(program, io)
  addMcpCommand(program, io)
  addKeysCommands(program, io)
  addDemoCommand(program, io)
  addFalseResultCommands(program, io)
  addFamilyCommands(program, io)
  addStatsCommand(program, io)
  addReplayCommand(program, io)
  addReplayBlockCommand(program, io)
  addSecondOpinionCommand(program, io)
  addVerifyCommand(program, io)
  addCompletionCommand(program, io)
  return program
}

/**
 * Runs one command and gives its exit code. An expected failure is one line on the error output, an
 * unexpected one a stack.
 */
export async function run(args: readonly string[], io: CommandLine): Promise<number> {
  let code: number = EXIT.ok
  const setExitCode = (wanted: number) => {
    code = wanted
  }
  try {
    const colour = io.colour === true && !args.includes('--no-color')
    await createProgram({ ...io, colour, setExitCode }).parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    io.writeError(`assay: ${describe(error)}\n`)
    return EXIT.failed
  }
}

/** What failed, and what it failed for: the operator who types the command may see all of it. */
function describe(error: unknown): string {
  if (error instanceof BaseError) return [...new Set(messagesOf(error))].join(': ')
  if (error instanceof RangeError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Causes further down say nothing that a person can use. */
const MAX_CAUSES = 4

function messagesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof BaseError) || depth >= MAX_CAUSES) return []
  return [error.message, ...messagesOf(error.cause, depth + 1)]
}
