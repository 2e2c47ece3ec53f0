import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getContractAddress, parseEther, toHex } from 'viem'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import type { PhishingReport } from '../../src/checks/phishing/check-phishing.js'
import type { AnalysisTarget } from '../../src/checks/target.js'
import { readConfig } from '../../src/config.js'
import { createLedger } from '../../src/devnet/devnet-ledger.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { createServices } from '../../src/wiring/create-services.js'
import { threadsOfWorker } from '../threads-of-worker.js'

/** The phishing check of a real service on a devnet of its own, without HTTP between. */
export interface PhishingOnDevnet {
  devnet: Devnet
  /** Who deployed everything, and so operates it. */
  operator: Address
  check(address: Address, rest?: Partial<AnalysisTarget>): Promise<PhishingReport>
  /** Deploys what one compiler made of `contracts/phishing`; addresses by name. */
  deployAll(label: string): Promise<Map<string, Address>>
  /** Deploys creation code; addresses by name. */
  deploy(codes: ReadonlyMap<string, Hex>): Promise<Map<string, Address>>
  stop(): Promise<void>
}

const WARM_UPS = 4
let warmUps = 0
const DEPLOYMENT_GAS = 5_000_000n
const CHAIN_ID = 1
/** What a bait has inside, and what is called `…Funded`. */
const BAIT_WEI = parseEther('2')

export async function startPhishingOnDevnet(examples: readonly string[] = []): Promise<PhishingOnDevnet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  const devnet = await startDevnet({ chainId: CHAIN_ID, examples })
  const env = {
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'fatal',
    ASSAY_MAX_HEAD_AGE: '0',
    [`ASSAY_RPC_${CHAIN_ID}`]: devnet.url,
  }
  const { checks, close } = await createServices(readConfig(env), { threads: threadsOfWorker() })
  const { chain, node } = devnet
  const operator = firstOf(devnet.accounts).address

  const check = async (address: Address, rest: Partial<AnalysisTarget> = {}) => {
    // A service shares the head until the next block is due; a test wants the block that it has
    // just made.
    const blockNumber = BigInt(await node.call<Hex>('eth_blockNumber'))
    return checks.phishing({ chain, address, blockNumber, ...rest })
  }
  // The first run in a thread also prepares the engine's own code, which on a busy machine takes
  // longer than a check may. The threads are those of the worker.
  for (; warmUps < WARM_UPS; warmUps += 1)
    await check(chain.wrappedNative, { traderSeed: toPaddedHex(BigInt(warmUps + 1), 32) })

  const deploy = async (codes: ReadonlyMap<string, Hex>): Promise<Map<string, Address>> => {
    const head = await node.call<{ timestamp: Hex; gasLimit: Hex }>('eth_getBlockByNumber', 'latest', false)
    const nonce = Number(await node.call<Hex>('eth_getTransactionCount', operator, 'latest'))
    const ledger = createLedger(node, { gasLimit: BigInt(head.gasLimit), nonces: new Map([[operator, nonce]]) })
    const names = [...codes.keys()]
    await node.call('evm_setAutomine', false)
    await node.call('anvil_setBalance', operator, toHex(parseEther('1000000')))
    await ledger.mine(
      Number(head.timestamp) + 1,
      names.map((name) => ({
        ...{ what: `deploy ${name}`, from: operator, data: codes.get(name) ?? '0x', gas: DEPLOYMENT_GAS },
        ...((name === 'WithdrawBait' || name.endsWith('Funded')) && { value: BAIT_WEI }),
      })),
    )
    await node.call('evm_mine')
    await node.call('evm_setAutomine', true)
    const addressAt = (i: number) => getContractAddress({ from: operator, nonce: BigInt(nonce + i) })
    return new Map(names.map((name, i) => [name, addressAt(i).toLowerCase() as Address]))
  }

  return {
    devnet,
    operator,
    check,
    deploy,
    async deployAll(label) {
      const generation = generations.find((each) => each.label === label)
      const codes = generation && readCompiledTraps(generation, 'phishing')
      if (!codes) throw new Error('contracts/phishing has changed. Run: npm run compile:traps')
      return deploy(codes)
    },
    async stop() {
      await close()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new RangeError('the devnet has no account')
  return first
}
