import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
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

async function start() {
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean'] },
    {
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

/**
 * An analysis whose headers were read and let in (100 Continue) before `begun` resolves. Different
 * amounts are different questions.
 */
function analyse(): { begun: Promise<void>; end: Promise<End> } {
  amount += 1n
  const body = { targetContractAddress: service.addressOf('clean'), chainId: 1, amount: `${amount}` }
  const headers = {
    authorization: `Bearer ${service.key}`,
    'content-type': 'application/json',
    expect: '100-continue',
  }
  const asked = request(`${service.url}/api/simulate/execute-simulation`, { method: 'POST', headers, agent: false })
  const begun = once(asked, 'continue').then(() => void asked.end(JSON.stringify(body)))
  const end = once(asked, 'response').then(async ([response]: IncomingMessage[]) => {
    const { code } = (await json(response ?? expect.unreachable('no answer'))) as { code?: string }
    return { status: response?.statusCode, ...(code !== undefined && { code }) }
  })
  asked.flushHeaders()
  return { begun, end }
}

/** Stops the service when all analyses are under way. */
async function stopUnderWay(spoil: () => void) {
  await start()
  const analyses = Array.from({ length: ANALYSES }, analyse)
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
  const ends = await stopUnderWay(() => {})
  for (const end of ends) expect(HONEST).toContainEqual(end)
  expect(ends).toContainEqual({ status: 200 })
})

test('where the node fails meanwhile, they end in an answer or in a word to come back', async () => {
  const fault = EXCHANGE_FAULTS['HTTP 429, come back in an hour'] ?? expect.unreachable('no such fault')
  const ends = await stopUnderWay(() => proxy.inject({ name: 'in penalty', exchange: fault }))
  for (const end of ends) expect(HONEST).toContainEqual(end)
  expect(ends.some(({ status }) => status === 503)).toBe(true)
})
