import { randomBytes } from 'node:crypto'
import { createCheckSolanaToken } from '../checks/solana/check-token.js'
import { createReadSets } from '../checks/solana/read-sets.js'
import { TRUSTED_MINTS } from '../checks/solana/trusted-mints.js'
import type { Config } from '../config.js'
import { bytesToHex } from '../hex.js'
import type { Services } from '../http/services.js'
import { readProven } from '../solana/pools/proven-swaps.js'
import { createProgramMemory } from '../solana/program-memory.js'
import { createSolanaRpc, type SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import { createSvmEngine, type SvmThreads } from '../solana/svm/engine.js'
import type { EvmChecksOptions } from './create-evm-checks.js'

export interface SolanaCheck {
  check: Services['checkSolanaToken']
  /** The nodes that it asks. */
  rpc: SolanaRpc
  /** Runs that wait for a thread, and requests that wait for a connection. */
  queued(): number
  close(): Promise<void>
}

/**
 * The check of Solana tokens, on real nodes. Threads and connections are made when the first token
 * is asked about.
 */
export function createSolanaCheck(
  { solanaRpcUrls, maxHeadAgeMs, dataDir }: Pick<Config, 'solanaRpcUrls' | 'maxHeadAgeMs' | 'dataDir'>,
  {
    clock,
    log,
    metrics,
    tracing,
    blame,
    onStrayError,
    threads,
  }: Pick<EvmChecksOptions, 'blame' | 'clock' | 'log' | 'metrics' | 'tracing' | 'onStrayError'> & {
    /** What plays trades; threads of its own without. */
    threads: SvmThreads | undefined
  },
): SolanaCheck {
  const rpc = createSolanaRpc({ urls: solanaRpcUrls, clock, log })
  const engine = createSvmEngine({ threads, onStrayError })
  const check = createCheckSolanaToken({
    rpc,
    engine,
    clock,
    programs: createProgramMemory({ onLookup: (isHit) => metrics.countLookup('Solana programs', isHit) }),
    readSets: createReadSets({ onLookup: (isHit) => metrics.countLookup('Solana read sets', isHit) }),
    trusted: TRUSTED_MINTS,
    newSeed: () => bytesToHex(randomBytes(SEED_BYTES)),
    maxHeadAgeMs,
    proven: readProven(dataDir),
    onGap: (gap, error) => log.warn({ gap, error }, 'a Solana token could not be analysed completely'),
  })
  const checkOrBlame: typeof check = (target) =>
    check(target).catch((cause: unknown) => {
      const error = blame(cause, target.signal)
      metrics.countMachineBusy('solana', error)
      throw error
    })
  return {
    check: metrics.observe('solana', tracing.observe('analysis solana', checkOrBlame)),
    rpc,
    queued: () => engine.queued() + rpc.queued(),
    async close() {
      await Promise.all([rpc.close(), engine.close()])
    },
  }
}

const SEED_BYTES = 32
