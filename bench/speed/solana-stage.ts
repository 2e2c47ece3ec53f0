import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createCheckSolanaToken } from '../../src/checks/solana/check-token.js'
import { createReadSets } from '../../src/checks/solana/read-sets.js'
import { TRUSTED_MINTS } from '../../src/checks/solana/trusted-mints.js'
import { createSystemClock } from '../../src/clock.js'
import { bytesToHex } from '../../src/hex.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { createProgramMemory } from '../../src/solana/program-memory.js'
import { createSolanaRpc } from '../../src/solana/rpc/solana-rpc-client.js'
import { createSvmEngine, type SvmEngineOptions } from '../../src/solana/svm/engine.js'

/** Tokens without a hook, and with one: its program is never run in a machine that anybody else uses. */
export const ORDINARY = ['plain', 'mintable', 'freezable', 'fee of 1 %', 'pausable']
export const HOOKED = ['hook that allows all', 'hook with a whitelist']
export const HOSTILE = ['hook that never ends', 'hook that floods the log', 'hook with a wild pointer']

export interface SolanaBench {
  ask(example: string): Promise<unknown>
  close(): Promise<void>
}

/** The check of tokens, on a devnet in a process of its own, so that the node's work is not counted. */
export async function openSolanaBench(options: SvmEngineOptions): Promise<SolanaBench> {
  const { url, addresses, stop } = await startNode()
  const clock = createSystemClock()
  const rpc = createSolanaRpc({ urls: [url], clock })
  const engine = createSvmEngine(options)
  const check = createCheckSolanaToken({
    rpc,
    engine,
    clock,
    programs: createProgramMemory(),
    readSets: createReadSets(),
    trusted: TRUSTED_MINTS,
    newSeed: () => bytesToHex(randomBytes(32)),
    maxHeadAgeMs: Number.POSITIVE_INFINITY,
  })
  return {
    async ask(example) {
      const address = addresses[example]
      if (address === undefined) throw new Error(`no example ${example}`)
      return check({ address })
    },
    async close() {
      await Promise.all([rpc.close(), engine.close()])
      stop()
    },
  }
}

/** A Solana devnet in a process of its own, with the examples of `token-rules.ts` and `transfer-hooks.ts`. */
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
