import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
import { watchWhileShut } from './demo-watch.js'
import { findMismatches } from './expectation.js'
import { findFreePort } from './free-port.js'
import { renderPhishing, renderReport } from './render-report.js'
import { renderSolanaReport } from './render-solana-report.js'
import type { FailedAnswer, HoneypotAnswer, PhishingAnswer, SimulationAnswer } from './wire.js'

export interface DemoOptions {
  port: number
  /** Run the examples once and come back, instead of keeping the service up. */
  once: boolean
  /** Keep everything up for other commands, without running the examples. */
  keep?: boolean
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
export async function runDemo({ port, once, keep = false, write, colour }: DemoOptions): Promise<Demo> {
  write('Starting a devnet for each chain ...\n')
  const devnets = await Promise.all(
    chains.map(({ id }) => startDevnet({ chainId: id, blockEverySeconds: BLOCK_SECONDS })),
  )
  const solana = await startSolanaExamples(write)
  // What a service keeps, watches above all, is about its own chains, and these end with the demo.
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-demo-'))
  let service: RunningService | undefined
  const stop = async () => {
    await service?.stop()
    await solana?.stop()
    await Promise.all(devnets.map((devnet) => devnet.stop()))
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    // Wallets sign in to an address, so that it must be known beforehand.
    const chosen = port === 0 ? await findFreePort() : port
    const examples = devnets.flatMap((devnet) => devnet.examples)
    const asked: Asked[] = [...examples, ...(solana?.listed ?? [])]
    const environment = demoEnvironment(devnets, solana?.url, { port: chosen, dataDir })
    const config = readConfig({ ...environment, ASSAY_EXAMPLES: offer(asked) })
    service = await startService(config)
    const { keyStore, clock, url } = service
    const { key } = await issueKey({ store: keyStore, clock }, { label: 'demo', tier: 'partner', limits: DEMO_LIMITS })
    const client = { url, apiKey: key }
    await writeDemoFile(client, devnets, asked)
    const nodes = [
      ...devnets.map(({ chain, url: node }) => ({ id: String(chain.id), name: chain.name, url: node })),
      ...(solana === undefined ? [] : [{ id: 'SOL', name: 'Solana', url: solana.url }]),
    ]
    if (keep) {
      write(invitation(client, examples, nodes))
      return { mismatches: 0, stop }
    }

    let mismatches = 0
    const tell = (title: string, complaints: readonly string[], text: string) => {
      if (complaints.length > 0) mismatches += 1
      write(`\n${complaints.length === 0 ? '✔' : '✘'} ${title}\n${text}`)
      for (const complaint of complaints) write(`  ✘ ${complaint}\n`)
    }
    for (const example of examples) {
      const [simulation, honeypot, phishing] = await Promise.all([
        post<SimulationAnswer>(client, ANALYSES.simulation.url, example),
        post<HoneypotAnswer>(client, ANALYSES.honeypot.url, example),
        post<PhishingAnswer>(client, ANALYSES.phishing.url, example),
      ])
      const answers = { simulation, honeypot, phishing }
      tell(titleOf(example), findMismatches(example.expect, answers), renderReport(answers, { colour }))
    }
    for (const example of solana?.listed ?? []) {
      const report = await post<SolanaTokenReportBody | FailedAnswer>(client, ANALYSES.solana.url, example)
      const text = report.success ? renderSolanaReport(report, { colour }) : ''
      tell(titleOf(example), findSolanaMismatches(example.expect, report), text)
    }
    const wallets = devnets.slice(0, 1).flatMap(walletExamples)
    for (const example of wallets) {
      const report = await post<PhishingAnswer>(client, ANALYSES.phishing.url, example, {
        ...example.request,
        only: true,
      })
      const complaints = report.success ? findWalletMismatches(example, report) : [report.errorReason]
      tell(titleOf(example), complaints, renderPhishing(report, { colour }))
    }
    const scenes = await Promise.all(devnets.map((devnet) => watchWhileShut(client, devnet, { colour })))
    const watched = scenes.filter((scene) => scene !== undefined)
    for (const { title, text, complaints } of watched) tell(title, complaints, text)
    const shown = examples.length + (solana?.listed.length ?? 0) + wallets.length + watched.length
    write(`\n${shown - mismatches} of ${shown} examples as expected\n`)
    if (!once) write(invitation(client, examples, nodes))
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

/** What the first page offers, by the names of the examples. */
const OFFERED: Readonly<Record<string, string>> = {
  clean: 'An ordinary token',
  'sell-blocked': 'A trap',
  'rising-tax': 'A tax that rises',
  plain: 'A mint on Solana',
}

/** The first of each name: the others are the same on another chain. */
function offer(asked: readonly Asked[]): string {
  const found = Object.entries(OFFERED).flatMap(([example, name]) => {
    const target = asked.find((each) => each.name === example)
    return target ? `${target.chainId}:${target.targetContractAddress}=${name}` : []
  })
  return found.join() || '0'
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
  { port, dataDir }: { port: number; dataDir: string },
): Record<string, string> {
  return {
    ...(solanaUrl !== undefined && { ASSAY_RPC_SOL: solanaUrl }),
    ...Object.fromEntries(devnets.map(({ chain, url }) => [`ASSAY_RPC_${chain.id}`, url])),
    ASSAY_FEED: devnets.map(({ chain }) => chain.id).join(','),
    // The devnets make a block when a transaction is sent, and not before.
    ASSAY_MAX_HEAD_AGE: '0',
    HOST: '127.0.0.1',
    PORT: `${port}`,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'error',
  }
}

const DEMO_FILE = join('data', 'demo.json')

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
async function writeDemoFile(client: Client, devnets: readonly Devnet[], examples: readonly Asked[]): Promise<void> {
  const wallet = devnets[0]?.accounts[0]
  await mkdir(dirname(DEMO_FILE), { recursive: true })
  await writeFile(DEMO_FILE, `${JSON.stringify({ ...client, wallet, examples }, null, 2)}\n`)
}

function titleOf({ name, targetContractAddress, chainId, summary }: Asked): string {
  return `${name} (chain ${chainId}, ${targetContractAddress}): ${summary}`
}

interface DemoNode {
  id: string
  name: string
  url: string
}

function invitation({ url, apiKey }: Client, [example]: readonly DevnetExample[], nodes: readonly DemoNode[]): string {
  const { targetContractAddress, chainId } = example ?? {}
  const node = nodes.find(({ id }) => id === String(chainId))?.url
  return `
Assay is up. Open ${url} in a browser, and sign in with a wallet or with this API key: ${apiKey}
Or ask from a program:

curl -s ${url}/api/simulate/execute-simulation \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ targetContractAddress, chainId })}'

Or without the service, on the chain's own node:

ASSAY_MAX_HEAD_AGE=0 npx assay check ${targetContractAddress} --chain ${chainId} --rpc-url ${node}

Nodes:
${nodes.map(({ id, name, url: at }) => `  ${at}  ${name} (${id})\n`).join('')}
All examples are in ${DEMO_FILE}. Ctrl-C ends the demo.
`
}
