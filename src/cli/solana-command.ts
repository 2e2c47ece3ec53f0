import { type Command, InvalidArgumentError } from 'commander'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import { parseSolanaAddress, type SolanaAddress } from '../solana/address.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay solana verify`: our swaps with the real programs of an operator's cluster. What worked is
 * kept, and counts from the next start of the service on.
 */
export function addSolanaCommands(program: Command, io: CommandLine): void {
  program
    .command('solana')
    .description('the exchanges of Solana that swaps are played on')
    .command('verify')
    .description('play our swaps with the real programs and pools of a cluster, and keep which of them worked')
    .option('--rpc <url>', 'a node of the cluster; those of ASSAY_RPC_SOL without')
    .option(
      '--pool <address>',
      'a pool to trade in, or the mint of a launch curve; more than one may be named',
      collect,
    )
    .action(async ({ rpc: url, pool: named = [] }: { rpc?: string; pool?: SolanaAddress[] }) => {
      const { solanaRpcUrls, maxHeadAgeMs, dataDir } = readConfig(io.env)
      const { verifySwaps } = await import('../checks/solana/verify-swaps.js')
      const { keepProven } = await import('../solana/pools/proven-swaps.js')
      const { createProgramMemory } = await import('../solana/program-memory.js')
      const { createSolanaRpc } = await import('../solana/rpc/solana-rpc-client.js')
      const { createSvmEngine } = await import('../solana/svm/engine.js')
      const clock = createSystemClock()
      const rpc = createSolanaRpc({ urls: url === undefined ? solanaRpcUrls : [url], clock })
      const engine = createSvmEngine({ threads: 1 })
      const dependencies = { rpc, engine, programs: createProgramMemory(), clock, maxHeadAgeMs }
      const verified = await verifySwaps(dependencies, named).finally(() => Promise.all([rpc.close(), engine.close()]))
      for (const { name, program, trials, reason } of verified) {
        if (reason !== undefined) io.write(`${name} ${program}: ${reason}\n`)
        for (const { pool, token, lossBps, problem } of trials)
          io.write(`${name} ${program}, pool ${pool}, ${token}: ${problem ?? `right, ${lossBps / 100} % lost`}\n`)
      }
      const tried = verified.filter(({ trials }) => trials.length > 0)
      const proven = verified.flatMap((each) => each.proven ?? [])
      if (tried.length > 0) {
        const path = keepProven(
          dataDir,
          tried.map(({ program }) => program),
          proven,
        )
        io.write(`${proven.length} of ${tried.length} kept in ${path}\n`)
      }
      if (proven.length < tried.length || tried.length === 0) throw new SwapsDifferError()
    })
}

function collect(text: string, before: readonly SolanaAddress[] = []): SolanaAddress[] {
  const address = parseSolanaAddress(text)
  if (address === undefined) throw new InvalidArgumentError('It must be an address in base58.')
  if (before.length >= MAX_NAMED) throw new InvalidArgumentError(`At most ${MAX_NAMED} can be named.`)
  return [...before, address]
}

/** A pool takes some seconds, and all are read into one memory. */
const MAX_NAMED = 16

/** The answer of `assay solana verify` that is worth an exit code. */
class SwapsDifferError extends BaseError {
  override readonly name = 'SwapsDifferError'

  constructor() {
    super('not all of what was tried works', { docs: 'docs/solana.md' })
  }
}
