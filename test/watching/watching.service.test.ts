import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'
import { readEvents } from './read-events.js'

interface AlertBody {
  id: string
  kind: string
  text: string
  address: string
  block: { number: number } | null
  transaction: string | null
  before: { level: string } | null
  after: { level: string } | null
}

interface WatchBody {
  id: string
  verdict: { level: string; score: number } | null
  dependencies: { words: number; codes: number; isComplete: boolean } | null
}

const abi = parseAbi([
  'function setClosed(bool next)',
  'function owner() view returns (address)',
  'function transferOwnership(address newOwner)',
  'function transfer(address to, uint256 amount)',
])

/** Waits for an event of the service, and gives up long after any machine would have it. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('what was waited for did not come')
}

let service: ServiceOnDevnet
let receiver: Server
const received: { signature: string; body: AlertBody & { type: string } }[] = []

const ask = async <T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> => {
  const order = {
    method,
    headers: {
      authorization: `Bearer ${service.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const send = () => fetch(`${service.url}${path}`, order)
  // A connection that was idle for a while may be closed just when it is used again.
  const response = await send().catch(send)
  return { status: response.status, body: (await response.json()) as T }
}

const listAlerts = async () => (await ask<{ alerts: AlertBody[] }>('GET', '/api/watches/alerts')).body.alerts
const findAlert = (address: string, kind: string) =>
  until(async () => (await listAlerts()).find((alert) => alert.kind === kind && same(alert.address, address)))
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A token that is watched, and was judged. */
async function watch(example: string, more: object = {}) {
  const address = service.addressOf(example)
  const order = { targetContractAddress: address, chainId: 1, ...more }
  const { status, body } = await ask<{ watch: WatchBody }>('POST', '/api/watches', order)
  expect(status).toBe(201)
  const judged = await until(async () => {
    const read = await ask<{ watch: WatchBody }>('GET', `/api/watches/${body.watch.id}`)
    return read.body.watch.verdict === null ? undefined : read.body.watch
  })
  return { address: address as `0x${string}`, id: body.watch.id, judged }
}

async function callAsOwner(token: `0x${string}`, data: `0x${string}`): Promise<string> {
  const { node } = service.devnet
  const answer = await node.call<string>(
    'eth_call',
    { to: token, data: encodeFunctionData({ abi, functionName: 'owner' }) },
    'latest',
  )
  return node.call<string>('eth_sendTransaction', { from: `0x${answer.slice(-40)}`, to: token, data })
}

/** The node answers before the block is made. */
const readBlockOf = (transaction: string) =>
  until(async () => {
    const receipt = await service.devnet.node.call<{ blockNumber: string } | null>(
      'eth_getTransactionReceipt',
      transaction,
    )
    return receipt === null ? undefined : Number(receipt.blockNumber)
  })

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      received.push({ signature: String(request.headers['x-assay-signature']), body: JSON.parse(text) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['owner-can-close', 'clean', 'taxed'] },
    { env: { ASSAY_PRIVATE_WEBHOOKS: '1', ASSAY_WATCH_PENDING: '1' } },
  )
})
afterAll(async () => {
  await service?.stop()
  receiver?.close()
})

describe('a watched token', () => {
  test('whose owner shuts it is told of with the block and the transaction, and again with the new verdict', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const { address, id, judged } = await watch('owner-can-close', {
      webhook: { url, secret: 'a secret of some length' },
    })
    expect(judged.verdict?.level).toBe('High Risk')
    expect(judged.dependencies).toMatchObject({ isComplete: true })

    const events = readEvents(`${service.url}/api/watches/events`, service.key)
    const transaction = await callAsOwner(address, encodeFunctionData({ abi, functionName: 'setClosed', args: [true] }))
    const number = await readBlockOf(transaction)

    const told = await findAlert(address, 'condition')
    expect(told).toMatchObject({ transaction, block: { number }, after: null })
    const level = await findAlert(address, 'level')
    expect(level).toMatchObject({ before: { level: 'High Risk' }, after: { level: 'Critical Risk' } })

    // The same by event and by webhook, each once.
    const streamed = (await events.until((alerts) => alerts.some(({ id: each }) => each === level.id))).map(
      (each) => each.id,
    )
    // More may have come since.
    expect(streamed).toEqual((await listAlerts()).slice(0, streamed.length).map((each) => each.id))
    await until(async () => (received.some(({ body }) => body.id === level.id) ? true : undefined))
    expect(received.map(({ body }) => body.id)).toEqual([...new Set(received.map(({ body }) => body.id))])
    expect(received[0]).toMatchObject({
      signature: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      body: { type: 'watch.alert', kind: 'condition', watch: id },
    })
    events.close()
  })

  test('whose owner hands it on is told of', async () => {
    const { address } = await watch('taxed', { tells: ['owner'] })
    const [{ address: heir } = { address: '0x' }] = service.devnet.accounts
    const data = encodeFunctionData({ abi, functionName: 'transferOwnership', args: [heir as `0x${string}`] })
    const transaction = await callAsOwner(address, data)
    expect(await findAlert(address, 'owner')).toMatchObject({ transaction })
  })

  test('to which nothing but transfers happens is told of nothing', async () => {
    const { address } = await watch('clean')
    const { node, accounts } = service.devnet
    const before = (await listAlerts()).length
    for (const { address: from } of accounts.slice(0, 3)) {
      const data = encodeFunctionData({ abi, functionName: 'transfer', args: [from as `0x${string}`, 0n] })
      await node.call('eth_sendTransaction', { from, to: address, data })
    }
    // Another token's change after these blocks shows that they were gone through.
    const other = service.addressOf('owner-can-close') as `0x${string}`
    const transaction = await callAsOwner(other, encodeFunctionData({ abi, functionName: 'setClosed', args: [false] }))
    await until(async () => (await listAlerts()).find((alert) => alert.transaction === transaction))
    const after = (await listAlerts()).slice(before)
    expect(after.filter((alert) => same(alert.address, address))).toEqual([])
  })
})

test('what waits is told before its block where it would change what decides, and what only trades is not', async () => {
  const { address } = await watch('owner-can-close', { tells: ['pending', 'condition'] })
  const { node, accounts } = service.devnet
  await node.call('evm_setAutomine', false)
  try {
    const [{ address: from } = { address: '0x' }] = accounts
    const harmless = encodeFunctionData({ abi, functionName: 'transfer', args: [from as `0x${string}`, 0n] })
    await node.call('eth_sendTransaction', { from, to: address, data: harmless, gas: '0x30000' })
    const shutting = encodeFunctionData({ abi, functionName: 'setClosed', args: [true] })
    const before = (await listAlerts()).length
    const hash = await callAsOwner(address, shutting)
    const since = async (kind: string) => (await listAlerts()).slice(before).filter((alert) => alert.kind === kind)
    const told = await until(async () => (await since('pending'))[0])
    expect(told).toMatchObject({ transaction: hash, after: null })
    expect(told.text).toContain('What decides whether and at what cost it can be sold')
    expect(await node.call('eth_getTransactionReceipt', hash)).toBeNull()
    await node.call('evm_mine')
    expect(await until(async () => (await since('condition'))[0])).toMatchObject({ transaction: hash })
    expect((await since('pending')).map(({ transaction }) => transaction)).toEqual([hash])
  } finally {
    await node.call('evm_setAutomine', true)
  }
})

describe('watches', () => {
  test('are renewed, listed and ended by their key alone', async () => {
    const { id } = await watch('clean', { tells: ['level'] })
    const again = await watch('clean', { tells: ['level', 'tax'] })
    expect(again.id).toBe(id)
    const listed = await ask<{ watches: { id: string; tells: string[] }[] }>('GET', '/api/watches')
    expect(listed.body.watches.find((each) => each.id === id)).toMatchObject({ tells: ['level', 'tax'] })
    const stranger = await fetch(`${service.url}/api/watches/${id}`, { method: 'DELETE' })
    expect(stranger.status).toBe(401)
    expect(await ask('DELETE', `/api/watches/${id}`)).toMatchObject({ status: 200 })
    expect(await ask('GET', `/api/watches/${id}`)).toMatchObject({ status: 404, body: { code: 'watch_not_found' } })
  })

  test.each([
    [{}, 'address_required'],
    [{ targetContractAddress: '0x0000000000000000000000000000000000000001' }, 'chain_required'],
    [{ targetContractAddress: '0x0000000000000000000000000000000000000001', chainId: 99 }, 'unsupported_chain'],
    [{ targetContractAddress: '0x0000000000000000000000000000000000000001', chainId: 1, tells: [] }, 'invalid_tells'],
    [
      { targetContractAddress: '0x0000000000000000000000000000000000000001', chainId: 1, tells: ['all'] },
      'invalid_tells',
    ],
    [
      { targetContractAddress: '0x0000000000000000000000000000000000000001', chainId: 1, webhook: { url: 'ftp://x' } },
      'invalid_webhook',
    ],
  ])('refuse %j', async (order, code) => {
    expect(await ask('POST', '/api/watches', order)).toMatchObject({ status: 400, body: { success: false, code } })
  })

  test.each(['nonsense', 'watch_%00', `watch_${'0'.repeat(32)}`])('know no watch %s', async (id) => {
    expect(await ask('GET', `/api/watches/${id}`)).toMatchObject({ status: 404 })
    expect(await ask('DELETE', `/api/watches/${id}`)).toMatchObject({ status: 404 })
  })
})
