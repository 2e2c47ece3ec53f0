import type { Command } from 'commander'
import type { Chain } from '../chains/chain.js'
import { CHAIN_NAMES, findChainNamed, listIds } from '../chains/index.js'
import { createSystemClock } from '../clock.js'
import { type Config, readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay chains` lists what is judged; `assay chains verify` asks the nodes whether it is there.
 */
export function addChainsCommands(program: Command, io: CommandLine): void {
  const chains = program.command('chains').description('the EVM chains that are judged, and their exchanges')
  chains.action(() => {
    for (const chain of readConfig(io.env).chains) io.write(`${describe(chain)}\n`)
  })
  chains
    .command('verify')
    .description(
      'ask the nodes whether routers and factories have code and answer as their family does, and pools are where they should be',
    )
    .option('--chain <chain>', `one chain alone: ${CHAIN_NAMES}, by id or name, or one of ASSAY_CHAINS`)
    .action(async ({ chain: text }: { chain?: string }, command: Command) => {
      const config = readConfig(io.env)
      const wanted = text === undefined ? config.chains : [findChainNamed(text, config.chains)]
      let problems = 0
      for (const chain of wanted) {
        if (!chain) return command.error(`error: the chain must be one of ${listIds(config.chains)}, or its name`)
        problems += await verify(io, config, chain)
      }
      if (problems > 0) throw new ChainsDifferError(problems)
    })
}

const describe = (chain: Chain) => `${chain.id} ${chain.name}: ${exchangesOf(chain).join(', ')}`

const exchangesOf = ({ v2, v3, v4, solidly, slipstream, algebra }: Chain): string[] =>
  [...v2, ...v3, ...v4, ...solidly, ...slipstream, ...algebra].map(({ name }) => name)

/** One line for each contract; gives back how many are wrong. */
async function verify(io: CommandLine, { rpcUrls, maxHeadAgeMs }: Config, chain: Chain): Promise<number> {
  const { createRpcClient } = await import('../rpc/rpc-client.js')
  const { verifyExchanges } = await import('../dex/verify-exchanges.js')
  const { verifyPools } = await import('../dex/verify-pools.js')
  const urls = rpcUrls[chain.id] ?? chain.defaultRpcUrls
  const rpc = createRpcClient({ urls, chainId: chain.id, clock: createSystemClock(), limits: { maxHeadAgeMs } })
  const verify = () => Promise.all([verifyExchanges(rpc, chain), verifyPools(rpc, chain)])
  const verified = (await verify().finally(() => rpc.close())).flat()
  for (const { exchange, part, address, problems, note = 'right' } of verified)
    io.write(`${chain.name}, ${exchange}, ${part} ${address}: ${problems.join('; ') || note}\n`)
  return verified.filter(({ problems }) => problems.length > 0).length
}

/** The answer of `assay chains verify` that is worth an exit code. */
class ChainsDifferError extends BaseError {
  override readonly name = 'ChainsDifferError'

  constructor(count: number) {
    super(`${count} contract${count === 1 ? ' is' : 's are'} not what the table says`, { docs: 'docs/chains.md' })
  }
}
