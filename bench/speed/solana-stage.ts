import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { SolanaAddress } from '../../src/solana/address.js'

/** Tokens without a hook, and with one: its program is never run in a machine that others use. */
export const ORDINARY = ['plain', 'mintable', 'freezable', 'fee of 1 %', 'pausable']
export const HOOKED = ['hook that allows all', 'hook with a whitelist']
export const HOSTILE = ['hook that never ends', 'hook that floods the log', 'hook with a wild pointer']

export interface SolanaBench {
  /** Milliseconds of processor time that a check took. */
  ask(example: string): Promise<number>
  close(): Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
const BUNDLED = join(ROOT, 'dist/tests/bench/checks.js')

/**
 * The compiled check of tokens in a process of its own, bundled as the service is: from source,
 * threads spend most of a first check on the loader of TypeScript. The devnet is in another, so
 * that the node's work is not counted.
 */
export async function openSolanaBench({ threads }: { threads: number }): Promise<SolanaBench> {
  const bundle = ['build', '--config', 'bench/speed/solana.vite.config.ts', '--logLevel', 'warn']
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), bundle, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const { url, addresses, stop } = await startNode()
  const checks = fork(BUNDLED, [url, String(threads)], { execArgv: [] })
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
