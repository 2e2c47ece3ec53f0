import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { findChain, listIds } from '../chains/index.js'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay second-opinion <file> [--rpc <url>]`: executes a transaction again of which a node said
 * something else than we did, here and, with a URL, on a node.
 */
export function addSecondOpinionCommand(program: Command, io: CommandLine): void {
  program
    .command('second-opinion')
    .description('execute a transaction again of which a node contradicted a simulation, and compare')
    .argument('<file>', 'one of ASSAY_DATA_DIR/second-opinions')
    .option('--rpc <url>', 'ask this node again, which must still have the block; without it its kept answer counts')
    .action(async (path: string, { rpc: url }: { rpc?: string }, command: Command) => {
      const { compareResults } = await import('../simulation/second-opinion/compare-results.js')
      const { parseDisagreement, replayDisagreement } = await import('../simulation/second-opinion/disagreement.js')
      const kept = await readFile(path, 'utf8').then(parseDisagreement).catch(refuse)
      const { chains } = readConfig(io.env)
      const chain = findChain(kept.chainId, chains) ?? command.error(`error: the chain is none of ${listIds(chains)}`)
      const ours = replayDisagreement(chain, kept)
      const said = url === undefined ? kept.theirs : await askAgain(url)
      if (said === undefined) throw new NoAnswerError()
      const { result } = said
      const text = (value: object) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
      io.write(
        `${chain.name} ${kept.block.number}, ${kept.scenario} of ${kept.suspect}\nours   ${text(ours)}\ntheirs ${text(result)}\n`,
      )
      const differences = compareResults(chain, ours, result)
      io.write(differences.length === 0 ? 'no difference\n' : `differs in ${differences.join(', ')}\n`)
      if (differences.length > 0) throw new OpinionsDifferError()

      async function askAgain(at: string) {
        const { createRpcClient } = await import('../rpc/rpc-client.js')
        const { askNode } = await import('../simulation/second-opinion/ask-node.js')
        const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
        const rpc = createRpcClient({ urls: [at], chainId: kept.chainId, clock: createSystemClock(), limits })
        const { block, suspect } = kept
        if (!chain) return undefined
        const [again] = await askNode(rpc, { chain, block, suspect, questions: [kept] }).finally(() => rpc.close())
        return again
      }
    })
}

function refuse(cause: unknown): never {
  throw new UnreadableDisagreementError(cause)
}

class UnreadableDisagreementError extends BaseError {
  override readonly name = 'UnreadableDisagreementError'
  constructor(cause: unknown) {
    super('the file is no disagreement that was kept', { cause, docs: 'docs/operating.md' })
  }
}

/** The answers of `assay second-opinion` that are worth an exit code. */
class OpinionsDifferError extends BaseError {
  override readonly name = 'OpinionsDifferError'
  constructor() {
    super('the node says something else than our engine', { docs: 'docs/operating.md' })
  }
}

class NoAnswerError extends BaseError {
  override readonly name = 'NoAnswerError'
  constructor() {
    super('the node does not execute this transaction', { docs: 'docs/operating.md' })
  }
}
