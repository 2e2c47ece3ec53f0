import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chains } from '../../src/chains/index.js'
import { findFreePort } from '../../src/cli/free-port.js'
import { createSystemClock } from '../../src/clock.js'
import { type Config, readConfig } from '../../src/config.js'
import { SOLANA_EXAMPLES, startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { openStores } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import type { Db } from '../../src/stores/database.js'
import { startService } from '../../src/wiring/start-service.js'
import { PATIENT } from '../service-on-devnet.js'
import { threadsOfWorker } from '../threads-of-worker.js'
import { launchChromium } from './browser.js'

export interface Stage {
  url: string
  /** A key of the operator's, with room for all tests together. */
  apiKey: string
  browser: Browser
  /** Of Ethereum. */
  devnet: Devnet
  addressOf(example: string): string
  /**
   * A page of a context of its own, which fails the test when it does what the policy forbids, asks
   * another host, or throws.
   */
  open(path: string, options?: BrowserContextOptions, prepare?: (page: Page) => Promise<unknown>): Promise<OpenPage>
  stop(): Promise<void>
}

export interface OpenPage {
  page: Page
  /** What went wrong in the page so far. */
  complaints: string[]
}

/** A bound of despair: a busy machine takes its time to judge, and less than a test has. */
const DESPAIR_MS = 120_000

/** On Solana: a token that can be bought and not sold. */
export const SOLANA_TRAP = 'hook that denies sales'

/** Writes what the key did before the service started. */
type Past = (db: Db, keyId: string) => Promise<void>

interface StageNodes {
  solanaExamples?: readonly string[]
  /** What the service takes for its node of Ethereum: in front of the devnet's own. */
  nodeUrl?: (url: string) => Promise<string>
}

/**
 * The built portal on the whole service on devnets of Ethereum and Solana, and a browser in front
 * of it.
 */
export async function setStage(
  examples: readonly string[],
  past: Past = async () => {},
  more: Readonly<Record<string, string>> = {},
  { solanaExamples = [SOLANA_TRAP], nodeUrl = async (url) => url }: StageNodes = {},
): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-portal-'))
  const devnet = await startDevnet({ chainId: 1, examples })
  const solana = await startSolanaDevnet({
    examples: SOLANA_EXAMPLES.filter(({ name }) => solanaExamples.includes(name)),
  })
  const port = await findFreePort()
  const env = {
    HOST: '127.0.0.1',
    PORT: `${port}`,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'fatal',
    ASSAY_MAX_HEAD_AGE: '0',
    // What takes signing in is what most of these tests are about.
    ASSAY_GUEST_CHECKS: '0',
    ASSAY_PRIVATE_WEBHOOKS: '1',
    ...more,
  }
  // Chains that are not here say so at once.
  const nowhere = Object.fromEntries(chains.map(({ id }) => [`ASSAY_RPC_${id}`, 'http://127.0.0.1:1']))
  const config = readConfig({ ...nowhere, ...env, ASSAY_RPC_1: await nodeUrl(devnet.url), ASSAY_RPC_SOL: solana.url })
  const apiKey = await prepareKey(config, past)
  const service = await startService(config, PATIENT, { threads: threadsOfWorker() })
  const browser = await launchChromium()
  return {
    url: service.url,
    apiKey,
    browser,
    devnet,
    addressOf(name) {
      const token = solana.examples.find((each) => each.name === name)
      if (token) return token.address
      const example = devnet.examples.find((each) => each.name === name)
      if (!example) throw new Error(`this devnet has no example ${name}`)
      return example.targetContractAddress
    },
    async open(path, options, prepare) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      page.setDefaultTimeout(DESPAIR_MS)
      const complaints: string[] = []
      page.on('console', (message) => {
        // A refusal that a test provokes is no fault of the page.
        if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
          complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('request', (request) => {
        if (!request.url().startsWith(service.url) && !request.url().startsWith('data:'))
          complaints.push(`asked ${request.url()}`)
      })
      await prepare?.(page)
      await page.goto(`${service.url}${path}`)
      return { page, complaints }
    },
    async stop() {
      await browser.close()
      await service.stop()
      await devnet.stop()
      await solana.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function prepareKey(config: Config, past: Past): Promise<string> {
  const { db, keyStore } = await openStores(config)
  const order = { label: 'test', tier: 'partner', limits: { analysis: 1_000, general: 1_000 } } as const
  const { key, record } = await issueKey({ store: keyStore, clock: createSystemClock() }, order)
  await past(db, record.id)
  await keyStore.close()
  return key
}
