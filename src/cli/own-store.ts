import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.js'

/**
 * Runs a command that follows a chain with a store of its own: the service's watches are the
 * service's.
 */
export async function withOwnStore(config: Config, run: (own: Config) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-watch-'))
  try {
    await run({ ...config, dataDir, databaseUrl: undefined, redisUrl: undefined, logLevel: 'silent' })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
