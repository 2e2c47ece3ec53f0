import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AssayClient, AssayFailure, createClient } from '../../src/client/client.js'
import { program } from '../compiled.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

let service: ServiceOnDevnet
let assay: AssayClient
beforeAll(async () => {
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean', 'taxed', 'sell-blocked'] },
    { env: { ASSAY_PRIVATE_WEBHOOKS: '1' } },
  )
  assay = createClient({ baseUrl: service.url, apiKey: service.key })
})
afterAll(() => service?.stop())

const target = (name: string) => ({ targetContractAddress: service.addressOf(name), chainId: 1 })

describe('the generated client', () => {
  test('gives the answers of each check, typed', async () => {
    const { checks } = await assay.simulate(target('taxed'))
    expect([checks.simulateResult.buyTax, checks.simulateResult.sellTax]).toEqual(['5', '8'])
    const honeypot = await assay.checkHoneypot(target('sell-blocked'))
    expect('honeypotResponse' in honeypot && honeypot.honeypotResponse.riskScore).toBeGreaterThan(70)
    expect((await assay.checkPhishing(target('clean'))).verdict).toBe('SAFE')
  })

  test('a refusal is an error with the code of the documentation', async () => {
    const failure = await assay.simulate({ targetContractAddress: '0x1', chainId: 1 }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AssayFailure)
    expect(failure).toMatchObject({ status: 400, code: 'invalid_address', message: 'Invalid targetContractAddress' })
    const stranger = createClient({ baseUrl: service.url, apiKey: 'nonsense' })
    await expect(stranger.simulate(target('clean'))).rejects.toMatchObject({ status: 403, code: 'invalid_key' })
  })

  test('follows a batch to its end, and the webhook is told', async () => {
    const messages: { body: string; signature: string }[] = []
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      messages.push({ body, signature: String(request.headers['x-assay-signature']) })
      response.end()
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const secret = 'sixteen characters'
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const { id, total } = await assay.createBatch({
      targets: [
        { ...target('sell-blocked'), check: 'honeypot' },
        { ...target('taxed'), check: 'simulate' },
        { targetContractAddress: '0x1', chainId: 1 },
      ],
      webhook: { url, secret },
    })
    expect(total).toBe(3)
    let batch = await assay.readBatch({ id })
    while (batch.webhook === 'waiting') {
      await sleep(1_000)
      batch = await assay.readBatch({ id })
    }
    expect(batch.items.map(({ state }) => state)).toEqual(['done', 'done', 'failed'])
    expect(batch.items[1]?.result?.simulation).toMatchObject({ checks: { simulateResult: { sellTax: '8' } } })
    expect(batch.items[2]?.result?.phishing).toMatchObject({ code: 'invalid_address' })
    expect(batch.webhook).toBe('delivered')
    const [message] = messages
    const [, at] = /^t=(\d+),/.exec(message?.signature ?? '') ?? []
    const hmac = createHmac('sha256', secret).update(`${at}.${message?.body}`).digest('hex')
    expect(message?.signature).toBe(`t=${at},v1=${hmac}`)
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ id, total: 3, done: 2, failed: 1 })
    receiver.closeAllConnections()
    receiver.close()
  })
})

type ToolResult = {
  content: { type: string; text: string }[]
  structuredContent?: Record<string, object>
  isError?: boolean
}

async function expectTools(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['check_target', 'simulate_trade', 'check_honeypot', 'check_phishing', 'check_wallet_request'],
  ])
  for (const { outputSchema } of tools) {
    expect(Object.keys(outputSchema?.properties ?? {})).toEqual(
      expect.arrayContaining(['overall', 'simulation', 'honeypot', 'phishing']),
    )
  }
  const call = async (name: string, example: string) =>
    (await client.callTool({ name, arguments: target(example) })) as unknown as ToolResult
  const honeypot = await call('check_honeypot', 'sell-blocked')
  expect(honeypot.content[0]?.text).toMatch(
    /^verdict: Critical Risk, 100 of 100\. It can be bought and not sold\..*\nhoneypot: a honeypot; Immediate buy/,
  )
  expect(honeypot.structuredContent?.honeypot).toMatchObject({ success: true })
  const trade = await call('simulate_trade', 'taxed')
  expect(trade.content[0]?.text).toContain('bought and sold, buy tax 5 %, sell tax 8 %')
  expect(JSON.stringify(trade.structuredContent)).not.toContain('"calls"')
  const payment = { ...target('clean'), calldata: `0xa9059cbb${'1'.repeat(64)}${'0'.repeat(63)}1` }
  const wallet = (await client.callTool({ name: 'check_wallet_request', arguments: payment })) as unknown as ToolResult
  expect(wallet.content[0]?.text).toMatch(/^verdict: .*\nphishing: .* It would (go through|fail): .*warnings: /)
  const wrong = (await client.callTool({ name: 'check_target', arguments: { chainId: 1 } })) as unknown as ToolResult
  expect([wrong.isError, wrong.content[0]?.text]).toEqual([true, 'targetContractAddress is required'])
}

async function expectPrompts(client: Client): Promise<void> {
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['should_i_buy', 'should_i_sign', 'compare_tokens'])
  const { tools } = await client.listTools()
  for (const { name, arguments: expected = [] } of prompts) {
    const given = Object.fromEntries(expected.map((each) => [each.name, `<${each.name}>`]))
    const { messages } = await client.getPrompt({ name, arguments: given })
    const text = messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join()
    for (const value of Object.values(given)) expect(text).toContain(value)
    expect(tools.some((tool) => text.includes(`Call ${tool.name} `))).toBe(true)
    expect(text).toContain('neither guilt nor safety')
    await expect(client.getPrompt({ name, arguments: {} })).rejects.toThrow('missing: ')
  }
  await expect(client.getPrompt({ name: 'no_such' })).rejects.toThrow('no such prompt')
}

describe('the MCP server', () => {
  const connect = async (key: string) => {
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    })
    // The declared optional fields of the SDK's own transport are not exact.
    await client.connect(transport as Parameters<Client['connect']>[0])
    return client
  }

  test('answers over HTTP with the key of its caller', async () => {
    const client = await connect(service.key)
    await expectTools(client)
    await expectPrompts(client)
    await client.close()
  })

  test('opens to nobody without a key', async () => {
    await expect(connect('nonsense')).rejects.toThrow('Invalid API key')
  })

  test('answers on standard input and output, without a server', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-mcp-'))
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program('cli/main'), 'mcp'],
      env: {
        PATH: process.env.PATH ?? '',
        ASSAY_RPC_1: service.devnet.url,
        ASSAY_MAX_HEAD_AGE: '0',
        ASSAY_DATA_DIR: dataDir,
      },
    })
    await client.connect(transport)
    await expectTools(client)
    await expectPrompts(client)
    await client.close()
    rmSync(dataDir, { recursive: true, force: true })
  }, 120_000)
})
