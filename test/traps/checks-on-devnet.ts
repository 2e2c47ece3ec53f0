import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { SimulationChecks } from '../../src/checks/simulation/simulation-checks.js'
import type { AnalysisTarget } from '../../src/checks/target.js'
import { readConfig } from '../../src/config.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address } from '../../src/hex.js'
import type { Assessment } from '../../src/reports/assess.js'
import { createServices, type OwnedServices, type ServicesOptions } from '../../src/wiring/create-services.js'
import { threadsOfWorker } from '../threads-of-worker.js'

/** What a request may want besides. */
type Wishes = Partial<
  Pick<
    AnalysisTarget,
    'pair' | 'poolId' | 'amount' | 'wallet' | 'simulateLiquidity' | 'traderSeed' | 'blockNumber' | 'only'
  >
>

/** The checks of a real service on a devnet of its own, without HTTP between. */
export interface ChecksOnDevnet {
  devnet: Devnet
  honeypot(address: Address, wishes?: Wishes): Promise<HoneypotReport>
  /** All checks, and the verdict. */
  assess(address: Address, wishes?: Wishes): Promise<Assessment>
  /** By another service, which remembers nothing. */
  assessAfresh(address: Address, wishes?: Wishes): Promise<Assessment>
  honeypotAfresh(address: Address, wishes?: Wishes): Promise<HoneypotReport>
  simulation(address: Address, wishes?: Wishes): Promise<SimulationChecks>
  stop(): Promise<void>
}

/**
 * About trading alone unless it is to look around: powers, holders and liquidity have tests of
 * their own.
 */
export async function startChecksOnDevnet(
  chainId = 1,
  looksAround = false,
  onSimulation?: ServicesOptions['onSimulation'],
): Promise<ChecksOnDevnet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  const devnet = await startDevnet({ chainId, examples: [] })
  const env = {
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'fatal',
    ASSAY_MAX_HEAD_AGE: '0',
    [`ASSAY_RPC_${chainId}`]: devnet.url,
  }
  const open = () =>
    createServices(readConfig(env), {
      ...{ looksAround, threads: threadsOfWorker() },
      ...(onSimulation && { onSimulation }),
    })
  const { checks, services, close } = await open()
  const afresh = async <T>(ask: (another: OwnedServices) => Promise<T>): Promise<T> => {
    const another = await open()
    try {
      return await ask(another)
    } finally {
      await another.close()
    }
  }
  const { chain } = devnet
  return {
    devnet,
    honeypot: (address, wishes) => checks.honeypot({ chain, address, ...wishes }),
    assess: (address, wishes) => services.assess({ chain, address, ...wishes }),
    assessAfresh: (address, wishes) => afresh(({ services }) => services.assess({ chain, address, ...wishes })),
    honeypotAfresh: (address, wishes) => afresh(({ checks }) => checks.honeypot({ chain, address, ...wishes })),
    simulation: (address, wishes) => checks.simulation({ chain, address, ...wishes }),
    async stop() {
      await close()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
