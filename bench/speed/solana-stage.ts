import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { SolanaAddress } from '../../src/solana/address.js'
import compile from '../../test/compile.js'

/** Tokens without a hook, and with one: its program is never run in a machine that others use. */
export const ORDINARY = ['plain', 'mintable', 'freezable', 'fee of 1 %', 'pausable']
export const HOOKED = ['hook that allows all', 'hook with a whitelist']
export const HOSTILE = ['hook that never ends', 'hook that floods the log', 'hook with a wild pointer']

export interface SolanaBench {
  /** Milliseconds of processor time that a check took. */
  ask(example: string): Promise<number>
  close(): Promise<void>
}

/**
 * The compiled check of tokens in a process of its own, as it is shipped: from source, threads
 * spend most of a first check on the loader of TypeScript. The devnet is in another, so that the
 * node's work is not counted.
 */
export async function openSolanaBench({ threads }: { threads: number }): Promise<SolanaBench> {
  compile()
  const { url, addresses, stop } = await startNode()
  const checks = fork(new URL('./solana-checks.mjs', import.meta.url), [url, String(threads)], { execArgv: [] })
  await once(checks, 'message')
  return {
    async ask(example) {
      const address = addresses[example]
      if (address === undefined) throw new Error(`no example ${example}`)
      checks.send(address)
      const [{ cpuMs, error }] = (await once(checks, 'message')) as [{ cpuMs: number; error?: string }]
      if (error !== undefined) throw new Error(error)
      return cpuMs
    },
    async close() {
      checks.kill()
      stop()
    },
  }
}

/**
 * A Solana devnet in a process of its own, with the examples of `token-rules.ts` and
 * `transfer-hooks.ts`.
 */
export interface BenchNode {
  url: string
  addresses: Record<string, SolanaAddress>
  stop(): void
}

export async function startNode(): Promise<BenchNode> {
  const node = fork(new URL('./solana-node.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
  const [message] = (await once(node, 'message')) as [Omit<BenchNode, 'stop'>]
  return { ...message, stop: () => void node.kill() }
}
