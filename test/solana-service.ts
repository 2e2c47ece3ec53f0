import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/config.js'
import type { SolanaExample } from '../src/devnet/solana/solana-example.js'
import { type SolanaDevnet, startSolanaDevnet } from '../src/devnet/solana/start-solana-devnet.js'
import { issueKey } from '../src/keys/issue.js'
import { startService } from '../src/wiring/start-service.js'
import { PATIENT } from './service-on-devnet.js'
import { threadsOfWorker } from './threads-of-worker.js'

export interface SolanaService {
  devnet: SolanaDevnet
  ask<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>
  url: string
  key: string
  /** Looks again and again, and gives up long after any machine would have it. */
  until<T>(look: () => Promise<T | undefined>): Promise<T>
  stop(): Promise<void>
}

/** The whole service on a Solana devnet of its own, on which time goes on by itself. */
export async function startSolanaService(
  examples: readonly SolanaExample[],
  env: Readonly<Record<string, string>> = {},
  nodeUrl: (devnetUrl: string) => Promise<string> = async (url) => url,
): Promise<SolanaService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  const devnet = await startSolanaDevnet({ examples })
  const settings = {
    ...{ HOST: '127.0.0.1', PORT: '0', ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'fatal', ASSAY_MAX_HEAD_AGE: '0' },
    ...{ ASSAY_RPC_SOL: await nodeUrl(devnet.url), ...env },
  }
  const service = await startService(readConfig(settings), PATIENT, { threads: threadsOfWorker() })
  const limits = { analysis: 10_000, general: 10_000 }
  const { key } = await issueKey(
    { store: service.keyStore, clock: service.clock },
    { label: 't', tier: 'partner', limits },
  )
  const ticking = setInterval(() => devnet.chain.nextSlot(), SLOT_MS)
  return {
    ...{ devnet, url: service.url, key },
    async ask<T>(method: string, path: string, body?: unknown) {
      const json = body === undefined ? undefined : { 'content-type': 'application/json' }
      const send = () =>
        fetch(`${service.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, ...json },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      // A connection that was idle for a while may be closed just when it is used again.
      const response = await send().catch(send)
      return { status: response.status, body: (await response.json()) as T }
    },
    async until(look) {
      for (let tries = 0; tries < 600; tries += 1) {
        const found = await look()
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      throw new Error('what was waited for did not come')
    },
    async stop() {
      clearInterval(ticking)
      await service.stop()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** As on the cluster. */
const SLOT_MS = 400
