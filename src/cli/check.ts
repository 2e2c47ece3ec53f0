import { type Command, InvalidArgumentError } from 'commander'
import { findChain } from '../chains/index.js'
import { readConfig } from '../config.js'
import { parseAddress } from '../http/checksum-address.js'
import type { CommandLine } from './program.js'
import { renderReport } from './render-report.js'

interface CheckOptions {
  chain: number
  json?: boolean
}

/** `assay check <address> --chain 1`: one report on the terminal, from the configured nodes, without a server. */
export function addCheckCommand(program: Command, io: CommandLine): void {
  program
    .command('check')
    .description('judge one token or contract')
    .argument('<address>', 'its address', parseTarget)
    .requiredOption('--chain <id>', 'chain id: 1, 56, 8453 or 42161', parseChainId)
    .option('--json', 'one line of JSON for programs')
    .action(async (address: Awaited<ReturnType<typeof parseTarget>>, { chain: chainId, json }: CheckOptions) => {
      const chain = findChain(chainId)
      if (!chain) return
      // The engine is loaded only by the commands that need it.
      const { analyse } = await import('./analyse.js')
      const { simulation, honeypot } = await analyse(readConfig(io.env), { chain, address })
      if (json) io.write(`${JSON.stringify({ simulation, honeypot })}\n`)
      else
        io.write(`\n${address} on ${chain.name}\n${renderReport(simulation, honeypot, { colour: io.colour ?? false })}`)
    })
}

function parseTarget(text: string) {
  const address = parseAddress(text)
  if (address === undefined)
    throw new InvalidArgumentError('It must be 0x and 40 hex digits, with a right checksum if it has one.')
  return address
}

function parseChainId(text: string): number {
  const id = Number(text)
  if (!findChain(id)) throw new InvalidArgumentError('It must be 1, 56, 8453 or 42161.')
  return id
}
