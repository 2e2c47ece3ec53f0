import { createCheckSolanaToken, type SolanaTarget } from '../../src/checks/solana/check-token.js'
import { createReadSets } from '../../src/checks/solana/read-sets.js'
import type { NotAMintReport, SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { TRUSTED_MINTS } from '../../src/checks/solana/trusted-mints.js'
import { createSystemClock } from '../../src/clock.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { type SolanaDevnet, startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'
import type { Hex } from '../../src/hex.js'
import { judgeSolana } from '../../src/reports/judge-solana.js'
import type { Verdict } from '../../src/reports/verdict.js'
import type { ProvenSwap } from '../../src/solana/pools/proven-swaps.js'
import { createProgramMemory } from '../../src/solana/program-memory.js'
import { createSolanaRpc } from '../../src/solana/rpc/solana-rpc-client.js'
import { createSvmEngine, type SvmEngine } from '../../src/solana/svm/engine.js'
import { threadsOfWorker } from '../threads-of-worker.js'

export type Judged<Report> = Report & Pick<Verdict, 'level' | 'score'>

export interface SolanaStage {
  devnet: SolanaDevnet
  /** With the verdict on what was found. */
  check(target: SolanaTarget): Promise<Judged<SolanaTokenReport> | Judged<NotAMintReport>>
  /** The check of a service that has just started, beside the other: it knows no node yet. */
  fresh(): { check: SolanaStage['check']; close(): Promise<void> }
  addressOf(example: string): SolanaDevnet['examples'][number]['address']
  close(): Promise<void>
}

export interface SolanaStageOptions {
  examples?: readonly SolanaExample[]
  /** What the check believes to be its nodes, instead of the devnet itself. */
  nodeUrls?(devnetUrl: string): Promise<readonly string[]>
  engine?: SvmEngine
  callTimeoutMs?: number
  maxHeadAgeMs?: number
  /** The same people each time, unless told otherwise. */
  newSeed?(): Hex
  /** As an operator has proven them. */
  proven?(): readonly ProvenSwap[]
}

/** The check of tokens on a Solana devnet of its own. */
export async function createSolanaStage({
  examples,
  nodeUrls,
  engine: given,
  callTimeoutMs,
  maxHeadAgeMs = Number.POSITIVE_INFINITY,
  newSeed = () => `0x${'01'.repeat(32)}`,
  proven = () => [],
}: SolanaStageOptions = {}): Promise<SolanaStage> {
  const devnet = await startSolanaDevnet(examples ? { examples } : {})
  const clock = createSystemClock()
  const urls = (await nodeUrls?.(devnet.url)) ?? [devnet.url]
  const engine = given ?? createSvmEngine({ threads: threadsOfWorker().solana })
  const programs = createProgramMemory()
  const fresh = () => {
    const rpc = createSolanaRpc({ urls, clock, ...(callTimeoutMs !== undefined && { callTimeoutMs }) })
    const check = createCheckSolanaToken({
      ...{ rpc, engine, clock, programs, newSeed, maxHeadAgeMs },
      readSets: createReadSets(),
      trusted: TRUSTED_MINTS,
      proven: proven(),
    })
    return {
      async check(target: SolanaTarget) {
        const report = await check(target)
        const { level, score } = judgeSolana(report)
        return { ...report, level, score }
      },
      close: () => rpc.close(),
    }
  }
  const first = fresh()
  return {
    devnet,
    fresh,
    check: first.check,
    addressOf(name) {
      const example = devnet.examples.find((each) => each.name === name)
      if (example === undefined) throw new Error(`this devnet has no example ${name}`)
      return example.address
    },
    async close() {
      await Promise.all([first.close(), engine.close(), devnet.stop()])
    },
  }
}
