import { type Command, InvalidArgumentError, Option } from 'commander'
import { ApiError } from '../api-error.js'
import type { Chain } from '../chains/chain.js'
import { TRUST_STATUSES } from '../checks/levels.js'
import type { ProgressStep } from '../checks/target.js'
import type { WalletRequest } from '../checks/wallet-request.js'
import { parseAddress } from '../checksum-address.js'
import { BaseError } from '../errors.js'
import type { Overall } from '../reports/fields/overall.js'
import { parseWalletRequest } from '../reports/phishing/parse-wallet-request.js'
import { withDeadline } from '../scheduling/with-deadline.js'
import type { openEngine } from './analyse.js'
import type { CommandLine } from './command-line.js'
import {
  ADDRESS_NEEDED,
  CHAIN_OPTION,
  chooseChain,
  MINT_NEEDED,
  type Misused,
  readTargets,
  SOLANA,
} from './read-targets.js'
import { renderReport } from './render-report.js'
import { exitCodeOf } from './render-verdict.js'
import { repeat } from './repeat.js'

interface CheckOptions {
  chain: string
  rpcUrl?: string
  request?: string
  json?: boolean
  watch?: number | true
  timeout: number
  failOn?: string
}

/** Seconds between two looks when nothing is said: a few blocks of the slowest chain. */
const WATCH_SECONDS = 60
const MIN_WATCH_SECONDS = 5
const MAX_WATCH_SECONDS = 86_400
/** Seconds for one target: a node that is far away takes some, a hostile contract a dozen. */
const TIMEOUT_SECONDS = 60
const MAX_TIMEOUT_SECONDS = 3_600

/** The levels as a person types them: `safe`, `low`, `medium`, `high`, `critical`. */
const LEVELS = TRUST_STATUSES.map((status) => status.replace(' Risk', '').toLowerCase())

/**
 * `assay check <addresses> --chain 1`: reports on the terminal, from the configured nodes, without
 * a server.
 */
export function addCheckCommand(program: Command, io: CommandLine): void {
  program
    .command('check')
    .description(
      'judge tokens and contracts; exits with 0 Safe, 10 Low, 20 Medium, 30 High, 40 Critical Risk of the worst',
    )
    .argument('<addresses...>', 'their addresses; - reads them from standard input, one a line')
    .requiredOption('--chain <chain>', CHAIN_OPTION)
    .option('--rpc-url <url>', 'ask this node, in place of those of the settings')
    .option('--request <json>', 'what a wallet is asked to send or sign, in the fields of docs/wallet.md')
    .option('--json', 'one line of JSON for each, for programs')
    .option(
      '--watch [seconds]',
      `look again every so often (${WATCH_SECONDS}), and tell what changed`,
      parseWatchSeconds,
    )
    .option('--timeout <seconds>', 'give up on an address after so long', parseTimeout, TIMEOUT_SECONDS)
    .addOption(new Option('--fail-on <level>', 'exit with 0 below this level').choices(LEVELS))
    .action(async (texts: string[], options: CheckOptions, command: Command) => {
      const misused: Misused = (message) => command.error(`error: ${message}`)
      const { chain, config } = chooseChain(io.env, options, misused)
      const targets = await (chain === SOLANA
        ? solanaTargets(io, texts, misused)
        : evmTargets(io, texts, { chain, request: options.request }, misused))
      // The engine is loaded only by the commands that need it.
      const { openEngine } = await import('./analyse.js')
      const engine = await openEngine(config, { threads: io.threads })
      const look = lookAtAll(io, engine, targets, options)
      try {
        if (options.watch !== undefined) {
          await repeat(io, () => gather(look), options.watch === true ? WATCH_SECONDS : options.watch)
        } else {
          const failed = await look(io.write)
          if (failed > 0) throw new TargetsFailedError(failed, targets.length)
        }
      } finally {
        await engine.close()
      }
    })
}

type Engine = Awaited<ReturnType<typeof openEngine>>

interface Target {
  address: string
  /** The answers, and the same for a person. */
  judge(engine: Engine, signal: AbortSignal): Promise<{ report: object; text: string; overall: Overall }>
}

/** Looks at each target once, and tells of each; gives back how many could not be judged. */
type Look = (tell: (text: string) => unknown) => Promise<number>

function lookAtAll(
  io: CommandLine,
  engine: Engine,
  targets: readonly Target[],
  { json = false, timeout, failOn }: CheckOptions,
): Look {
  return async (tell) => {
    let [worst, failed] = [0, 0]
    for (const { address, judge } of targets) {
      try {
        const deadline = { ms: timeout * 1_000, graceMs: GRACE_MS }
        const { report, text, overall } = await withDeadline(deadline, (signal) => judge(engine, signal))
        tell(json ? `${JSON.stringify(report)}\n` : text)
        worst = Math.max(worst, exitCodeOf(overall))
      } catch (error) {
        // One target alone fails as the command does.
        if (targets.length === 1 || !(error instanceof BaseError)) throw error
        io.writeError(`assay: ${address}: ${error.message}\n`)
        failed += 1
      }
    }
    const least = failOn === undefined ? 0 : LEVELS.indexOf(failOn) * 10
    io.setExitCode?.(worst < least ? 0 : worst)
    return failed
  }
}

/** So that an analysis can still say what it found. */
const GRACE_MS = 1_000

async function gather(look: Look): Promise<string> {
  let all = ''
  await look((text) => {
    all += text
  })
  return all
}

async function evmTargets(
  io: CommandLine,
  texts: readonly string[],
  { chain, request }: { chain: Chain; request: string | undefined },
  misused: Misused,
): Promise<Target[]> {
  const wallet = request === undefined ? undefined : readRequest(request, misused)
  const addresses = await readTargets(texts, io, (text) => parseAddress(text) ?? misused(ADDRESS_NEEDED), misused)
  const colour = io.colour ?? false
  return addresses.map((address) => ({
    address,
    async judge(engine, signal) {
      const report = await showProgress(io, (onProgress) =>
        engine.analyse({ chain, address, signal, ...(wallet && { wallet }), ...(onProgress && { onProgress }) }),
      )
      const body = renderReport(report, { colour })
      return { report, text: `\n${address} on ${chain.name}\n${body}`, overall: report.simulation.overall }
    },
  }))
}

function readRequest(text: string, misused: Misused): WalletRequest {
  try {
    const wallet = parseWalletRequest(JSON.parse(text), { compat: false })
    return wallet ?? misused('the request has neither calldata, value, calls, typedData nor an authorizationList')
  } catch (error) {
    if (error instanceof ApiError) return misused(`the request: ${error.message}`)
    if (error instanceof SyntaxError) return misused('the request is not JSON')
    throw error
  }
}

async function solanaTargets(io: CommandLine, texts: readonly string[], misused: Misused): Promise<Target[]> {
  const { parseSolanaAddress } = await import('../solana/address.js')
  const parse = (text: string) => parseSolanaAddress(text) ?? misused(MINT_NEEDED)
  const { renderSolanaReport } = await import('./render-solana-report.js')
  return (await readTargets(texts, io, parse, misused)).map((address) => ({
    address,
    async judge(engine, signal) {
      const report = await engine.analyseSolana({ address, signal })
      const body = renderSolanaReport(report, { colour: io.colour ?? false })
      return { report, text: `\n${address} on Solana\n${body}`, overall: report.overall }
    },
  }))
}

/** One line on the error output that grows with each finished step, where a person watches. */
async function showProgress<T>(
  { progress = false, writeError }: CommandLine,
  run: (onProgress?: (step: ProgressStep) => void) => Promise<T>,
): Promise<T> {
  if (!progress) return run()
  try {
    return await run(({ step, success }) => writeError(`${success ? '✔' : '✘'} ${step}  `))
  } finally {
    writeError('\n')
  }
}

const secondsFrom = (least: number, most: number) => (text: string) => {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < least || seconds > most) {
    throw new InvalidArgumentError(`Not a whole number from ${least} to ${most}.`)
  }
  return seconds
}

const parseWatchSeconds = secondsFrom(MIN_WATCH_SECONDS, MAX_WATCH_SECONDS)
const parseTimeout = secondsFrom(1, MAX_TIMEOUT_SECONDS)

/** Of a list: each was said in a line of its own. */
class TargetsFailedError extends BaseError {
  override readonly name = 'TargetsFailedError'
  constructor(failed: number, all: number) {
    super(`${failed} of ${all} could not be judged`)
  }
}
