import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chains } from '../chains/index.js'
import { readConfig } from '../config.js'
import type { DevnetExample } from '../devnet/example.js'
import { type Devnet, startDevnet } from '../devnet/start-devnet.js'
import { issueKey } from '../keys/issue.js'
import { ANALYSES } from '../reports/analyses.js'
import type { SolanaTokenReportBody } from '../reports/solana/schema.js'
import { type RunningService, startService } from '../wiring/start-service.js'
import { findSolanaMismatches, startSolanaExamples } from './demo-solana.js'
import { findWalletMismatches, walletExamples } from './demo-wallet.js'
import { findMismatches } from './expectation.js'
import { findFreePort } from './free-port.js'
import { renderPhishing, renderReport } from './render-report.js'
import { renderSolanaReport } from './render-solana-report.js'
import type { FailedAnswer, HoneypotAnswer, PhishingAnswer, SimulationAnswer } from './wire.js'

export interface DemoOptions {
  port: number
  /** Run the examples once and come back, instead of keeping the service up. */
  once: boolean
  write(text: string): void
  colour: boolean
}

export interface Demo {
  /** How many examples answered otherwise than expected. */
  mismatches: number
  stop(): Promise<void>
}

/**
 * Everything on this machine: a devnet per chain, the service on top, and a report on each example
 * through the real API.
 */
export async function runDemo({ port, once, write, colour }: DemoOptions): Promise<Demo> {
  write('Starting a devnet for each chain ...\n')
  const devnets = await Promise.all(
    chains.map(({ id }) => startDevnet({ chainId: id, blockEverySeconds: BLOCK_SECONDS })),
  )
  const solana = await startSolanaExamples(write)
  let service: RunningService | undefined
  const stop = async () => {
    await service?.stop()
    await solana?.stop()
    await Promise.all(devnets.map((devnet) => devnet.stop()))
  }
  try {
    // Wallets sign in to an address, so that it must be known beforehand.
    const config = readConfig(demoEnvironment(devnets, solana?.url, port === 0 ? await findFreePort() : port))
    service = await startService(config)
    const { keyStore, clock, url } = service
    const { key } = await issueKey({ store: keyStore, clock }, { label: 'demo', tier: 'partner', limits: DEMO_LIMITS })
    const examples = devnets.flatMap((devnet) => devnet.examples)
    const client = { url, apiKey: key }
    await writeDemoFile(config.dataDir, client, devnets, [...examples, ...(solana?.listed ?? [])])

    let mismatches = 0
    const tell = (example: Asked, complaints: readonly string[], text: string) => {
      if (complaints.length > 0) mismatches += 1
      write(`\n${complaints.length === 0 ? '✔' : '✘'} ${titleOf(example)}\n${text}`)
      for (const complaint of complaints) write(`  ✘ ${complaint}\n`)
    }
    for (const example of examples) {
      const [simulation, honeypot, phishing] = await Promise.all([
        post<SimulationAnswer>(client, ANALYSES.simulation.url, example),
        post<HoneypotAnswer>(client, ANALYSES.honeypot.url, example),
        post<PhishingAnswer>(client, ANALYSES.phishing.url, example),
      ])
      const answers = { simulation, honeypot, phishing }
      tell(example, findMismatches(example.expect, answers), renderReport(answers, { colour }))
    }
    for (const example of solana?.listed ?? []) {
      const report = await post<SolanaTokenReportBody | FailedAnswer>(client, ANALYSES.solana.url, example)
      const text = report.success ? renderSolanaReport(report, { colour }) : ''
      tell(example, findSolanaMismatches(example.expect, report), text)
    }
    const wallets = devnets.slice(0, 1).flatMap(walletExamples)
    for (const example of wallets) {
      const report = await post<PhishingAnswer>(client, ANALYSES.phishing.url, example, {
        ...example.request,
        only: true,
      })
      const complaints = report.success ? findWalletMismatches(example, report) : [report.errorReason]
      tell(example, complaints, renderPhishing(report, { colour }))
    }
    const shown = examples.length + (solana?.listed.length ?? 0) + wallets.length
    write(`\n${shown - mismatches} of ${shown} examples as expected\n`)
    if (!once) write(invitation(client, examples))
    return { mismatches, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As on Ethereum: a node whose head is old is not believed. */
const BLOCK_SECONDS = 12

/** Three questions about each example, and whatever people try besides. */
const DEMO_LIMITS = { analysis: 1_000, general: 1_000 }

/** What the demo asks about, of whatever chain. */
interface Asked {
  name: string
  summary: string
  targetContractAddress: string
  chainId: number | 'SOL'
}

interface Client {
  url: string
  apiKey: string
}

/**
 * Devnet nodes instead of public ones, a data folder of its own, and a log that leaves the terminal
 * to the reports.
 */
function demoEnvironment(
  devnets: readonly Devnet[],
  solanaUrl: string | undefined,
  port: number,
): Record<string, string> {
  return {
    ...(solanaUrl !== undefined && { ASSAY_RPC_SOL: solanaUrl }),
    ...Object.fromEntries(devnets.map(({ chain, url }) => [`ASSAY_RPC_${chain.id}`, url])),
    // The devnets make a block when a transaction is sent, and not before.
    ASSAY_MAX_HEAD_AGE: '0',
    HOST: '127.0.0.1',
    PORT: `${port}`,
    ASSAY_DATA_DIR: DATA_DIR,
    ASSAY_LOG_LEVEL: 'error',
  }
}

const DATA_DIR = 'data'
const DEMO_FILE = 'demo.json'

/**
 * The first analysis starts the worker threads and fills the caches; later ones take a fraction.
 */
const REQUEST_TIMEOUT_MS = 20_000

async function post<Answer>(
  { url, apiKey }: Client,
  path: string,
  { targetContractAddress, chainId }: Asked,
  more: object = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ targetContractAddress, chainId, ...more }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  return (await response.json()) as Answer
}

/**
 * What scripts and tests read to find the demo: where it is, a key, a wallet to sign in with, and
 * what to ask.
 */
async function writeDemoFile(
  dataDir: string,
  client: Client,
  devnets: readonly Devnet[],
  examples: readonly Asked[],
): Promise<void> {
  const wallet = devnets[0]?.accounts[0]
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, DEMO_FILE), `${JSON.stringify({ ...client, wallet, examples }, null, 2)}\n`)
}

function titleOf({ name, targetContractAddress, chainId, summary }: Asked): string {
  return `${name} (chain ${chainId}, ${targetContractAddress}): ${summary}`
}

function invitation({ url, apiKey }: Client, [example]: readonly DevnetExample[]): string {
  const body = { targetContractAddress: example?.targetContractAddress, chainId: example?.chainId }
  return `
Assay is up. Open ${url} in a browser, and sign in with a wallet or with this API key: ${apiKey}
Or ask from a program:

curl -s ${url}/api/simulate/execute-simulation \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'

All examples are in ${join(DATA_DIR, DEMO_FILE)}. Ctrl-C ends the demo.
`
}
