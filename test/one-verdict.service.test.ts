import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_REPORTS } from '../portal/src/api/reports.js'
import { follow, NOTHING_YET, parseEvent } from '../portal/src/api/stream.js'
import { readVerdict } from '../portal/src/report/shown-verdict.js'
import { generations, readCompiledTraps } from '../scripts/trap-compilers.js'
import { TRUST_STATUSES } from '../src/checks/levels.js'
import { openEngine } from '../src/cli/analyse.js'
import { renderReport } from '../src/cli/render-report.js'
import { readConfig } from '../src/config.js'
import { examplePlans } from '../src/devnet/examples.js'
import type { Address } from '../src/hex.js'
import type { Overall } from '../src/reports/fields/overall.js'
import { expectations as powers } from './powers/power-expectations.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'
import { isWhole, someOf } from './some-of.js'
import { threadsOfWorker } from './threads-of-worker.js'
import { expectations as traps } from './traps/expectations.js'
import { listAll } from './traps/trap-market.js'

/** The compiler of today; what the others change is the traps' own test. */
const GENERATION = generations.find(({ label }) => label === '0.8.30')
const ENDPOINTS = [
  '/api/simulate/execute-simulation',
  '/api/honeypot/honeypot-checks',
  '/api/phishing/phishing-checks',
] as const
const FOLDERS = { traps, powers } as const

/** Set for the long run: all of them, and not one of each kind. */
const ALL = process.env.ASSAY_ALL_VERDICTS !== undefined

/** One kind in so many, and one example. */
const SHARE = 16
const EXAMPLES_SHARE = 8

/** One name for each expectation that there is: what surfaces render differs by what was found. */
function namesOfKinds(expected: Readonly<Record<string, object>>): string[] {
  const kinds = new Map(Object.entries(expected).map(([name, each]) => [ALL ? name : JSON.stringify(each), name]))
  return someOf([...kinds.values()], SHARE)
}

/** What a surface says of a target. */
interface Said {
  level: string
  headline: string
}

/**
 * Every example, and a trap, power or twin of each kind that is expected of the repository's, on
 * every surface of the service: they must all say the same. The terminal makes analyses of its own,
 * which takes as long as all others together, and is asked once for each verdict that there is to
 * render.
 */
describe('one verdict, whoever asks where', () => {
  let service: ServiceOnDevnet
  let engine: Awaited<ReturnType<typeof openEngine>>
  let mcp: Client
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-verdict-'))
  const targets = new Map<string, string>()
  const byChance = new Set(
    Object.keys(traps)
      .filter((name) => traps[name]?.byChance)
      .map((name) => `traps/${name}`),
  )

  beforeAll(async () => {
    const examples = examplePlans.filter(({ chainIds }) => chainIds.includes(1)).map(({ name }) => name)
    service = await startServiceOnDevnet({ chainId: 1, examples: someOf(examples, EXAMPLES_SHARE) })
    for (const { name, targetContractAddress } of service.devnet.examples) targets.set(name, targetContractAddress)
    for (const [folder, expected] of Object.entries(FOLDERS)) {
      const codes = (GENERATION && readCompiledTraps(GENERATION, folder as keyof typeof FOLDERS)) ?? new Map()
      const names = namesOfKinds(expected).filter((name) => codes.has(name))
      const offers = names.map((name) => ({
        ...{ name, creationCode: codes.get(name) ?? '0x', after: expected[name]?.after ?? [] },
      }))
      const tokens = await listAll(service.devnet, offers)
      for (const [i, token] of tokens.entries()) targets.set(`${folder}/${names[i]}`, token)
    }
    engine = await openEngine(
      readConfig({ ASSAY_RPC_1: service.devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir }),
      { threads: threadsOfWorker() },
    )
    mcp = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
      requestInit: { headers: { authorization: `Bearer ${service.key}` } },
    })
    // The declared optional fields of the SDK's own transport are not exact.
    await mcp.connect(transport as Parameters<Client['connect']>[0])
  }, 120_000)
  afterAll(async () => {
    await mcp?.close()
    await engine?.close()
    await service?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** The one level that words name; the words themselves where they name none. */
  const levelIn = (words: string) => TRUST_STATUSES.find((level) => words.includes(level)) ?? words
  const pick = ({ level, headline }: NonNullable<Overall>): Said => ({ level, headline })

  async function askApi(path: string, target: string): Promise<Said> {
    const { overall } = await service.post<{ overall: Overall }>(path, target)
    return pick(overall ?? expect.unreachable())
  }

  /** What the page shows of the events that the stream sends. */
  async function askPortal(target: string): Promise<Said> {
    const response = await fetch(`${service.url}/api/analysis/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ targetContractAddress: target, chainId: 1 }),
    })
    const events = (await response.text()).split('\n\n').flatMap((block) => parseEvent(block) ?? [])
    const { reports } = events.reduce(follow, { ...NOTHING_YET, reports: NO_REPORTS })
    const { level, headline } = readVerdict(reports)
    return { level: levelIn(level), headline }
  }

  async function askModel(target: string): Promise<Said> {
    const call = { name: 'check_target', arguments: { targetContractAddress: target, chainId: '1' } }
    const { content, structuredContent } = (await mcp.callTool(call)) as unknown as {
      content: { text: string }[]
      structuredContent: { overall: NonNullable<Overall> }
    }
    const said = pick(structuredContent.overall)
    expect(content[0]?.text).toContain(
      `verdict: ${said.level}, ${structuredContent.overall.score} of 100. ${said.headline}`,
    )
    return said
  }

  async function askTerminal(target: string): Promise<Said> {
    const { chain } = service.devnet
    const text = renderReport(await engine.analyse({ chain, address: target as Address }), { colour: false })
    const [, level, headline] = /^ {2}verdict +.+? \(([^)]+)\): (.+)$/m.exec(text) ?? []
    return { level: levelIn(level ?? text), headline: headline ?? '' }
  }

  test('every example, and a trap, power and twin of each kind', async () => {
    expect(targets.size).toBeGreaterThan(isWhole ? 100 : 10)
    const contradictions: string[] = []
    const rendered = new Set<string>()
    for (const [i, [name, target]] of [...targets].entries()) {
      // However long it takes, the newest block is a fresh one.
      if (i % 10 === 0) await service.devnet.node.call('evm_mine')
      const answers = await Promise.all(ENDPOINTS.map(async (path) => [path, await askApi(path, target)]))
      const [portal, mcp] = await Promise.all([askPortal(target), askModel(target)])
      const verdict = JSON.stringify(mcp)
      // The terminal's engine has a trader of its own: where chance picks victims, it may rightly
      // see another thing.
      const asksTerminal = !rendered.has(verdict) && !byChance.has(name)
      const terminal = asksTerminal ? { terminal: await askTerminal(target) } : {}
      if (asksTerminal) rendered.add(verdict)
      const said = { ...Object.fromEntries(answers), portal, mcp, ...terminal }
      const voices = new Set(Object.values(said).map((each) => JSON.stringify(each)))
      if (voices.size !== 1) contradictions.push(`${name}: ${JSON.stringify(said)}`)
    }
    expect(contradictions).toEqual([])
    expect(rendered.size).toBeGreaterThan(isWhole ? 15 : 3)
  }, 1_800_000)
})
