import { type Command, InvalidArgumentError } from 'commander'
import { ApiError } from '../api-error.js'
import { CHAIN_IDS, findChain, listIds } from '../chains/index.js'
import type { WalletRequest } from '../checks/phishing/wallet-request.js'
import type { ProgressStep } from '../checks/target.js'
import { parseAddress } from '../checksum-address.js'
import { readConfig } from '../config.js'
import type { Overall } from '../reports/fields/overall.js'
import { parseWalletRequest } from '../reports/phishing/parse-wallet-request.js'
import type { openEngine } from './analyse.js'
import type { CommandLine } from './command-line.js'
import { renderReport } from './render-report.js'
import { exitCodeOf } from './render-verdict.js'
import { repeat } from './repeat.js'

interface CheckOptions {
  chain: number | typeof SOLANA
  request?: string
  json?: boolean
  watch?: number | true
}

/** How the interface names it (specification, section 1). */
const SOLANA = 'SOL'

/** Seconds between two looks when nothing is said: a few blocks of the slowest chain. */
const WATCH_SECONDS = 60
const MIN_WATCH_SECONDS = 5
const MAX_WATCH_SECONDS = 86_400

/**
 * `assay check <address> --chain 1`: one report on the terminal, from the configured nodes, without
 * a server.
 */
export function addCheckCommand(program: Command, io: CommandLine): void {
  program
    .command('check')
    .description('judge one token or contract; exits with 0 Safe, 10 Low, 20 Medium, 30 High, 40 Critical Risk')
    .argument('<address>', 'its address')
    .requiredOption('--chain <id>', `chain id: ${CHAIN_IDS}, one of ASSAY_CHAINS, or SOL`, parseChainId)
    .option('--request <json>', 'what a wallet is asked to send or sign, in the fields of docs/wallet.md')
    .option('--json', 'one line of JSON for programs')
    .option('--watch [seconds]', `look again every so often (${WATCH_SECONDS}), and tell what changed`, parseSeconds)
    .action(async (address: string, { chain, request, json = false, watch }: CheckOptions, command: Command) => {
      const misused = (message: string): never => command.error(`error: ${message}`)
      const judge =
        chain === SOLANA
          ? await judgeSolana(io, address, misused)
          : judgeEvm(io, { text: address, chainId: chain, request }, misused)
      // The engine is loaded only by the commands that need it.
      const { openEngine } = await import('./analyse.js')
      const engine = await openEngine(readConfig(io.env))
      const look = async () => {
        const { report, text, overall } = await judge(engine)
        io.setExitCode?.(exitCodeOf(overall))
        return json ? `${JSON.stringify(report)}\n` : text
      }
      try {
        if (watch === undefined) io.write(await look())
        else await repeat(io, look, watch === true ? WATCH_SECONDS : watch)
      } finally {
        await engine.close()
      }
    })
}

type Engine = Awaited<ReturnType<typeof openEngine>>

/** One look at a target: the answers, and the same for a person. */
type Judge = (engine: Engine) => Promise<{ report: object; text: string; overall: Overall }>

interface Asked {
  text: string
  chainId: number
  /** JSON. */
  request: string | undefined
}

function judgeEvm(io: CommandLine, { text, chainId, request }: Asked, misused: (message: string) => never): Judge {
  const address =
    parseAddress(text) ?? misused('the address must be 0x and 40 hex digits, with a right checksum if it has one')
  const { chains } = readConfig(io.env)
  const chain = findChain(chainId, chains) ?? misused(`the chain must be ${listIds(chains)} or SOL`)
  const wallet = request === undefined ? undefined : readRequest(request, misused)
  const colour = io.colour ?? false
  return async (engine) => {
    const report = await showProgress(io, (onProgress) =>
      engine.analyse({ chain, address, ...(wallet && { wallet }), ...(onProgress && { onProgress }) }),
    )
    const body = renderReport(report, { colour })
    return { report, text: `\n${address} on ${chain.name}\n${body}`, overall: report.simulation.overall }
  }
}

function readRequest(text: string, misused: (message: string) => never): WalletRequest {
  try {
    const wallet = parseWalletRequest(JSON.parse(text), { compat: false })
    return wallet ?? misused('the request has neither calldata, value, calls, typedData nor an authorizationList')
  } catch (error) {
    if (error instanceof ApiError) return misused(`the request: ${error.message}`)
    if (error instanceof SyntaxError) return misused('the request is not JSON')
    throw error
  }
}

async function judgeSolana(io: CommandLine, text: string, misused: (message: string) => never): Promise<Judge> {
  const { parseSolanaAddress } = await import('../solana/address.js')
  const { renderSolanaReport } = await import('./render-solana-report.js')
  const address = parseSolanaAddress(text) ?? misused('the address must be base58 of 32 bytes')
  return async (engine) => {
    const report = await engine.analyseSolana({ address })
    const body = renderSolanaReport(report, { colour: io.colour ?? false })
    return { report, text: `\n${address} on Solana\n${body}`, overall: report.overall }
  }
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

function parseChainId(text: string): CheckOptions['chain'] {
  if (text === SOLANA) return SOLANA
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError(`It must be ${CHAIN_IDS} or SOL.`)
  return Number(text)
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < MIN_WATCH_SECONDS || seconds > MAX_WATCH_SECONDS) {
    throw new InvalidArgumentError(`Not a whole number from ${MIN_WATCH_SECONDS} to ${MAX_WATCH_SECONDS}.`)
  }
  return seconds
}
