import type { Command } from 'commander'
import type { Chain } from '../chains/chain.js'
import { parseAddress } from '../checksum-address.js'
import type { Config } from '../config.js'
import type { Address } from '../hex.js'
import type { RecordedSimulation } from '../simulation/record-runs.js'
import type { CommandLine } from './command-line.js'
import { ADDRESS_NEEDED, CHAIN_OPTION, chooseEvmChain, type Misused } from './read-targets.js'
import { renderTrace } from './render-trace.js'

/** What an analysis took, as `assay trace --json` prints it. */
export interface AnalysisTrace {
  address: Address
  chainId: number
  /** In the order in which they ended, the first {@link MAX_SIMULATIONS}. */
  simulations: readonly RecordedSimulation[]
  simulationsLeftOut: number
  /** What became of each part of the analysis. */
  parts: Readonly<Record<string, string>>
}

/** An analysis makes some ten, and some more where a trade is tried elsewhere. */
const MAX_SIMULATIONS = 64

/**
 * `assay trace <address> --chain 1`: analyses as `assay check` does, and prints in place of the
 * report what each simulation asked for, round by round, and what ended it.
 */
export function addTraceCommand(program: Command, io: CommandLine): void {
  program
    .command('trace')
    .description('analyse one token or contract, and tell what each simulation asked the nodes for and what ended it')
    .argument('<address>', 'its address')
    .requiredOption('--chain <chain>', CHAIN_OPTION)
    .option('--rpc-url <url>', 'ask this node, in place of those of the settings')
    .option('--json', 'one line of JSON for programs')
    .action(async (text: string, options: TraceOptions, command: Command) => {
      const misused: Misused = (message) => command.error(`error: ${message}`)
      const { chain, config } = chooseEvmChain(io.env, options, misused)
      const address = parseAddress(text) ?? misused(ADDRESS_NEEDED)
      const trace = await traceAnalysis(io, config, chain, address)
      io.write(options.json ? `${JSON.stringify(trace, (_, value) => toJson(value))}\n` : renderTrace(trace, chain))
    })
}

interface TraceOptions {
  chain: string
  rpcUrl?: string
  json?: boolean
}

async function traceAnalysis(io: CommandLine, config: Config, chain: Chain, address: Address): Promise<AnalysisTrace> {
  // The engine is loaded only by the commands that need it.
  const { createServices } = await import('../wiring/create-services.js')
  const simulations: RecordedSimulation[] = []
  let made = 0
  const onSimulation = (simulation: RecordedSimulation) => {
    made += 1
    if (simulations.length < MAX_SIMULATIONS) simulations.push(simulation)
  }
  const { services, close } = await createServices(
    { ...config, logLevel: 'silent' },
    { onSimulation, threads: io.threads },
  )
  try {
    const { simulation, honeypot, phishing } = await services.assess({ chain, address })
    const parts = { simulation, honeypot, phishing }
    return {
      ...{ address, chainId: chain.id, simulations, simulationsLeftOut: made - simulations.length },
      parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, becameOf(part)])),
    }
  } finally {
    await close()
  }
}

/** By the kind of the failure: its message may hold what a node said. */
function becameOf(part: object | undefined): string {
  if (part === undefined || !('failed' in part)) return 'made'
  return `failed (${'error' in part && part.error instanceof Error ? part.error.name : 'unknown'})`
}

/** Numbers of slots do not fit a number of JSON. */
const toJson = (value: unknown) => (typeof value === 'bigint' ? `0x${value.toString(16)}` : value)
