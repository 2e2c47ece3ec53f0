import type { SolanaAddress } from '../../solana/address.js'
import { EXAMPLE_AMM_PROGRAM } from '../../solana/pools/layouts.js'
import { createSolanaChain, type SolanaChain } from './cluster.js'
import { CONDITIONS } from './examples/hook-conditions.js'
import { MARKETS } from './examples/markets.js'
import { RULES } from './examples/token-rules.js'
import { HOOKS } from './examples/transfer-hooks.js'
import { placeWrappedSol, readProgram } from './scene.js'
import type { SolanaExample } from './solana-example.js'
import { startSolanaNode } from './solana-node.js'

/** Every example token of the Solana devnet. */
export const SOLANA_EXAMPLES: readonly SolanaExample[] = [...RULES, ...HOOKS, ...CONDITIONS, ...MARKETS]

/** An example that stands on a running devnet. */
export interface PlacedSolanaExample extends SolanaExample {
  address: SolanaAddress
}

/** A Solana cluster of one on this machine, with example tokens and an exchange. */
export interface SolanaDevnet {
  /** Of its JSON-RPC node. */
  url: string
  chain: SolanaChain
  examples: readonly PlacedSolanaExample[]
  stop(): Promise<void>
}

export interface SolanaDevnetOptions {
  /** Seconds since 1970. */
  now?: number
  examples?: readonly SolanaExample[]
}

/** Rejects with `SvmUnavailableError` where the virtual machine has no build for the platform. */
export async function startSolanaDevnet({
  now = Math.floor(Date.now() / 1_000),
  examples = SOLANA_EXAMPLES,
}: SolanaDevnetOptions = {}): Promise<SolanaDevnet> {
  const chain = createSolanaChain(BigInt(now))
  placeWrappedSol(chain)
  chain.deploy(EXAMPLE_AMM_PROGRAM, readProgram('amm'))
  const placed = examples.map((example) => ({ ...example, address: example.place(chain) }))
  const { url, stop } = await startSolanaNode(chain)
  return { url, chain, examples: placed, stop }
}
