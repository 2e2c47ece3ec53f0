import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Errors } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AssayClient, createClient } from '../../src/client/client.js'
import { readConfig } from '../../src/config.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { type SolanaDevnet, startSolanaDevnet } from '../../src/devnet/solana/start-solana-devnet.js'
import { HTTP_BOUNDS } from '../../src/http/bounds.js'
import { issueKey } from '../../src/keys/issue.js'
import { SolanaTokenReportBody } from '../../src/reports/solana/schema.js'
import { startService } from '../../src/wiring/start-service.js'
import { threadsOfWorker } from '../threads-of-worker.js'

/**
 * The whole service on a Solana devnet: what takes targets of the numeric chains takes those of
 * Solana, too.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
const WANTED = ['plain', 'hook that denies sales']
let devnet: SolanaDevnet
let service: Awaited<ReturnType<typeof startService>>
let assay: AssayClient
let key: string
beforeAll(async () => {
  devnet = await startSolanaDevnet({ examples: [...RULES, ...HOOKS].filter(({ name }) => WANTED.includes(name)) })
  const env = { HOST: '127.0.0.1', PORT: '0', ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'fatal' }
  service = await startService(readConfig({ ...env, ASSAY_RPC_SOL: devnet.url }), HTTP_BOUNDS, {
    threads: threadsOfWorker(),
  })
  const { keyStore: store, clock } = service
  key = (await issueKey({ store, clock }, { label: 'test', tier: 'partner' })).key
  assay = createClient({ baseUrl: service.url, apiKey: key })
})
afterAll(async () => {
  await service?.stop()
  await devnet?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const target = (name: string) => {
  const targetContractAddress = devnet.examples.find((each) => each.name === name)?.address ?? ''
  return { targetContractAddress, chainId: 'SOL' as const }
}

test('a batch makes the analyses of Solana tokens', async () => {
  const { id } = await assay.createBatch({
    targets: [
      target('plain'),
      { ...target('hook that denies sales'), check: 'honeypot' },
      { ...target('plain'), check: 'phishing' },
      { targetContractAddress: '0x514910771af9ca656af840dff83e8264ecf986ca', chainId: 'SOL' },
    ],
  })
  let batch = await assay.readBatch({ id })
  while (batch.status === 'waiting') {
    await sleep(100)
    batch = await assay.readBatch({ id })
  }
  const [plain, denied, phishing, invalid] = batch.items
  expect(plain?.state).toBe('done')
  expect([...Errors(SolanaTokenReportBody, plain?.result?.solana)]).toEqual([])
  expect(plain?.result?.solana).toMatchObject({ checks: { byteCodeResult: { trustStatus: 'Safe' } } })
  expect(denied?.result?.honeypot).toMatchObject({ honeypotResponse: { isHoneypot: true } })
  // No endpoint makes that check there.
  expect(phishing).toMatchObject({ state: 'failed', result: { phishing: { code: 'unsupported_chain' } } })
  expect(invalid).toMatchObject({ state: 'failed', result: { solana: { code: 'invalid_address' } } })
})

describe('the MCP server', () => {
  let client: Client
  beforeAll(async () => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    })
    client = new Client({ name: 'test', version: '1' })
    await client.connect(transport as Parameters<Client['connect']>[0])
  })
  afterAll(() => client?.close())

  const call = async (tool: string, name: string) => {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: target(name) })
    const [text] = content as { text: string }[]
    return { text: text?.text, structuredContent, isError }
  }

  test('judges a token, in words and for programs', async () => {
    const { text, structuredContent, isError } = await call('check_target', 'plain')
    expect(isError).toBe(false)
    expect(text).toMatch(/^verdict: Safe, 0 of 100\. .*\nsolana: 0 findings; history: .*\.\nhoneypot: Immediate /)
    expect(structuredContent).toMatchObject({ solana: { tokenInfo: { decimals: 6 } } })
  })

  test('tells a trap', async () => {
    const { text } = await call('check_honeypot', 'hook that denies sales')
    expect(text).toMatch(/^verdict: Critical Risk, 9\d of 100\. .*\nhoneypot: a honeypot; /)
  })

  test('says which checks there are none of', async () => {
    expect(await call('check_phishing', 'plain')).toMatchObject({ isError: true, text: 'Unsupported chainId' })
  })

  test('names the chain where it takes it', async () => {
    const { tools } = await client.listTools()
    const taking = tools.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"SOL"'))
    expect(taking.map(({ name }) => name)).toEqual(['check_target', 'check_honeypot'])
  })
})
