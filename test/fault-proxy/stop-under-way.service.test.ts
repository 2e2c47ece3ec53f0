import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'
import { type FaultProxy, startFaultProxy } from './fault-proxy.js'
import { EXCHANGE_FAULTS } from './node-faults.js'

/**
 * What a process manager's SIGTERM does to analyses that are under way, with the node well and with
 * the node in penalty.
 */

const ANALYSES = 6
let proxy: FaultProxy
let service: ServiceOnDevnet
let amount = 10n ** 15n

async function start(env: Readonly<Record<string, string>> = {}) {
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean'] },
    {
      env,
      async nodeUrls(devnetUrl) {
        proxy = await startFaultProxy(devnetUrl)
        return [proxy.url]
      },
    },
  )
}

interface End {
  status: number | undefined
  code?: string
}

const SIMULATE = '/api/simulate/execute-simulation'

/**
 * An analysis whose headers were read and let in (100 Continue) before `begun` resolves. Different
 * amounts are different questions.
 */
function analyse<T>(path: string, read: (response: IncomingMessage) => Promise<T>) {
  amount += 1n
  const body = { targetContractAddress: service.addressOf('clean'), chainId: 1, amount: `${amount}` }
  const headers = {
    authorization: `Bearer ${service.key}`,
    'content-type': 'application/json',
    expect: '100-continue',
  }
  const asked = request(`${service.url}${path}`, { method: 'POST', headers, agent: false })
  const begun = once(asked, 'continue').then(() => void asked.end(JSON.stringify(body)))
  const end = once(asked, 'response').then(([response]: IncomingMessage[]) =>
    read(response ?? expect.unreachable('no answer')),
  )
  asked.flushHeaders()
  return { begun, end }
}

async function readEnd(response: IncomingMessage): Promise<End> {
  const { code } = (await json(response)) as { code?: string }
  return { status: response.statusCode, ...(code !== undefined && { code }) }
}

/** What a stream said of each part, and that it said its end. */
async function readStream(response: IncomingMessage): Promise<string[]> {
  const events = (await text(response)).trim().split('\n\n')
  return events.flatMap((event) => {
    const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? []
    if (name === 'progress' || name === 'expected') return []
    const { code } = JSON.parse(data) as { code?: string }
    return [code === undefined ? name : `${name} ${code}`]
  })
}

/** Stops the service when all analyses are under way. */
async function stopUnderWay<T>(spoil: () => void, path: string, read: (response: IncomingMessage) => Promise<T>) {
  await start()
  const analyses = Array.from({ length: ANALYSES }, () => analyse(path, read))
  await Promise.all(analyses.map(({ begun }) => begun))
  const stopped = service.stop()
  spoil()
  const ends = await Promise.all(analyses.map(({ end }) => end))
  await stopped
  await proxy.close()
  return ends
}

/**
 * The second is for those whose turn did not come in time, on a busy machine, or that found no
 * node.
 */
const HONEST: readonly End[] = [{ status: 200 }, { status: 503, code: 'busy' }]

test('analyses under way when the service is stopped end in their answers', async () => {
  const ends = await stopUnderWay(() => {}, SIMULATE, readEnd)
  for (const end of ends) expect(HONEST).toContainEqual(end)
  expect(ends).toContainEqual({ status: 200 })
})

const failNode = () => {
  const fault = EXCHANGE_FAULTS['HTTP 429, come back in an hour'] ?? expect.unreachable('no such fault')
  proxy.inject({ name: 'in penalty', exchange: fault })
}

test('where the node fails meanwhile, they end in an answer or in a word to come back', async () => {
  const ends = await stopUnderWay(failNode, SIMULATE, readEnd)
  for (const end of ends) expect(HONEST).toContainEqual(end)
  expect(ends.some(({ status }) => status === 503)).toBe(true)
})

const STREAM = '/api/analysis/stream'

test('streams say of each part what became of it, and then their end', async () => {
  const ends = await stopUnderWay(() => {}, STREAM, readStream)
  for (const end of ends) {
    expect(end).toHaveLength(4)
    expect(end.at(-1)).toBe('end')
    for (const said of end.slice(0, 3)) expect(['report', 'failure busy']).toContain(said)
  }
  expect(ends.flat()).toContain('report')
})

test('where the node fails meanwhile, a part of a stream is a report or a word to come back', async () => {
  const ends = await stopUnderWay(failNode, STREAM, readStream)
  const parts = ends.flatMap((end) => end.slice(0, -1))
  for (const said of parts) expect(['report', 'failure busy']).toContain(said)
  expect(parts).toContain('failure busy')
})

test('a batch under way goes on after the next start, and nothing of it has failed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-stop-'))
  const targets = Array.from({ length: 12 }, (_, i) => ({ check: 'simulate', amount: `${10n ** 15n + BigInt(i)}` }))
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${service.url}/api/batch${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { id: string; waiting: number; done: number; failed: number }
  }
  await start({ ASSAY_DATA_DIR: dataDir })
  const { key } = service
  const target = { targetContractAddress: service.addressOf('clean'), chainId: 1 }
  const { id } = await ask('', { targets: targets.map((each) => ({ ...target, ...each })) })
  await expect.poll(async () => (await ask(`/${id}`)).done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
  await service.stop()
  await proxy.close()
  await start({ ASSAY_DATA_DIR: dataDir })
  await expect.poll(() => ask(`/${id}`), { timeout: 120_000 }).toMatchObject({ waiting: 0, done: 12, failed: 0 })
  await service.stop()
  await proxy.close()
  rmSync(dataDir, { recursive: true, force: true })
}, 240_000)
