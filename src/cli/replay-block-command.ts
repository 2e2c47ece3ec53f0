import { type Command, InvalidArgumentError } from 'commander'
import { CHAIN_IDS, findChain, listIds } from '../chains/index.js'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay replay-block <number> --rpc <url>`: executes a block of an operator's own chain with our
 * engine, on state that the node proves, and compares with the header.
 */
export function addReplayBlockCommand(program: Command, io: CommandLine): void {
  program
    .command('replay-block')
    .description('execute a block again on state that the node proves, and compare gas, receipts, logs and state')
    .argument('<number>', 'height of the block', parseHeight)
    .requiredOption('--rpc <url>', 'a node that has debug_executionWitness (geth, reth)')
    .option('--chain <id>', `chain id: ${CHAIN_IDS}, or one of ASSAY_CHAINS`, '1')
    .action(async (number: bigint, { rpc: url, chain: id }: { rpc: string; chain: string }, command: Command) => {
      const { chains } = readConfig(io.env)
      const chain = findChain(Number(id), chains) ?? command.error(`error: the chain must be one of ${listIds(chains)}`)
      const { createRpcClient } = await import('../rpc/rpc-client.js')
      const { readFromNode } = await import('../replay-blocks/read-from-node.js')
      const { contradictions, describeReplay, refuseOwnStacks, replayBlock } = await import(
        '../replay-blocks/replay-block.js'
      )
      refuseOwnStacks(chain)
      const clock = createSystemClock()
      const rpc = createRpcClient({ urls: [url], chainId: chain.id, clock, limits: LIMITS })
      const { block, witness } = await readFromNode(rpc, chain, number).finally(() => rpc.close())
      const startedAt = clock.monotonic()
      const replayed = replayBlock(block, witness)
      const tookMs = Math.round(clock.monotonic() - startedAt)
      io.write(`${chain.name} ${number}: ${describeReplay(block, replayed)}, ${tookMs} ms\n`)
      if (contradictions(block, replayed).length > 0) throw new BlockDiffersError()
    })
}

/** Witnesses are larger than any other answer: 10 MB for a block of Ethereum is usual. */
const LIMITS = { callTimeoutMs: 120_000, maxAnswerBytes: 256 * 1024 * 1024, maxHeadAgeMs: Number.POSITIVE_INFINITY }

function parseHeight(text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return BigInt(text)
}

/** The answer of `assay replay-block` that is worth an exit code. */
class BlockDiffersError extends BaseError {
  override readonly name = 'BlockDiffersError'

  constructor() {
    super('our execution does not come to what the header says', { docs: 'docs/real-chain.md' })
  }
}
