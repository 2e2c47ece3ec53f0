import type { Chain } from '../chains/chain.js'
import { CHAIN_NAMES, findChainNamed } from '../chains/index.js'
import { type Config, type Environment, readConfig } from '../config.js'
import type { CommandLine } from './command-line.js'

/** How the interface names it (specification, section 1). */
export const SOLANA = 'SOL'
type Solana = typeof SOLANA

/** Refuses the command line with one sentence. */
export type Misused = (message: string) => never

export const ADDRESS_NEEDED = 'the address must be 0x and 40 hex digits, with a right checksum if it has one'
export const MINT_NEEDED = 'the address must be base58 of 32 bytes'
export const CHAIN_OPTION = `${CHAIN_NAMES}, by id or name, one of ASSAY_CHAINS, or ${SOLANA}`

interface ChainChoice {
  chain: Chain | Solana
  config: Config
}

/**
 * The chain that the command is about, and the settings, in which `rpcUrl` stands in place of that
 * chain's nodes.
 */
export function chooseChain(
  env: Environment | undefined,
  { chain: text, rpcUrl }: { chain: string; rpcUrl?: string },
  misused: Misused,
): ChainChoice {
  const chain = /^sol(ana)?$/i.test(text) ? SOLANA : findChainNamed(text, readConfig(env).chains)
  if (!chain) return misused(`the chain must be one of ${CHAIN_OPTION}`)
  const name = `ASSAY_RPC_${chain === SOLANA ? SOLANA : chain.id}`
  return { chain, config: readConfig(env, { ...(rpcUrl !== undefined && { [name]: rpcUrl }) }) }
}

/** A list of a thousand addresses has 45 kB; what is longer is no list. */
const MAX_LIST_CHARS = 1_000_000
const MAX_TARGETS = 1_000

/**
 * The addresses of a command line; `-` stands for those on the standard input, one a line, what
 * follows `#` left out. Each is read by `parse`.
 */
export async function readTargets<Address>(
  texts: readonly string[],
  { readInput = readStandardInput }: CommandLine,
  parse: (text: string) => Address,
  misused: Misused,
): Promise<Address[]> {
  const named = await Promise.all(
    texts.map(async (text) => (text === '-' ? linesOf(await readInput(MAX_LIST_CHARS)) : text)),
  )
  const all = [...new Set(named.flat())]
  if (all.length === 0) return misused('no address was given')
  if (all.length > MAX_TARGETS) return misused(`at most ${MAX_TARGETS} addresses at a time`)
  return all.map(parse)
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')

async function readStandardInput(maxChars: number): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece
    if (text.length > maxChars) break
  }
  return text.slice(0, maxChars)
}

/** The same of commands that are about chains with an EVM alone. */
export function chooseEvmChain(
  env: Environment | undefined,
  options: { chain: string; rpcUrl?: string },
  misused: Misused,
): { chain: Chain; config: Config } {
  const { chain, config } = chooseChain(env, options, misused)
  return chain === SOLANA ? misused('the chain must have an EVM') : { chain, config }
}
