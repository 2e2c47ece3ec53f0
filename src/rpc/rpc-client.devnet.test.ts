import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, type FaultProxy, startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { ANSWER_FAULTS, EXCHANGE_FAULTS } from '../../test/fault-proxy/node-faults.js'
import { createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode } from '../devnet/node.js'
import { BaseError } from '../errors.js'
import { RpcBudgetError } from './budget.js'
import { RpcWrongChainError } from './capabilities.js'
import { RpcStaleHeadError } from './head-watch.js'
import { RpcConnectionError, RpcTimeoutError } from './http-transport.js'
import { ethCall, getBalance, getBlock, getChainId } from './methods.js'
import { RpcRejectedError } from './node-replies.js'
import { RpcInvalidAnswerError } from './parse.js'
import {
  createRpcClient,
  type RpcClient,
  type RpcClientOptions,
  RpcUnavailableError,
  RpcUrlError,
} from './rpc-client.js'

const RICH = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const REVERTER = '0x00000000000000000000000000000000000c0de0'
/** Whose questions these are: failures are the node's. */
const suspect = 'chain'
const anyHead = { maxHeadAgeMs: Number.POSITIVE_INFINITY }

let anvil: Anvil
let first: FaultProxy
let second: FaultProxy
const clients: RpcClient[] = []
const logged: string[] = []

const create = (options: Partial<RpcClientOptions> = {}) => {
  const rpc = createRpcClient({
    urls: [first.url, second.url],
    chainId: 1,
    clock: createSystemClock(),
    log: { warn: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields, errorFields)}`) },
    limits: { ...anyHead, callTimeoutMs: 300 },
    ...options,
  })
  clients.push(rpc)
  return rpc
}

/** What a log would print of an error. */
const errorFields = (_: string, value: unknown) =>
  value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const node = createDevnetNode(anvil.url)
  await node.call('anvil_setCode', REVERTER, '0x60aa5f5260205ffd')
  await node.call('evm_mine')
  first = await startFaultProxy(anvil.url)
  second = await startFaultProxy(anvil.url)
})

beforeEach(() => {
  for (const proxy of [first, second]) {
    proxy.inject()
    proxy.reset()
  }
  logged.length = 0
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((rpc) => rpc.close()))
})

afterAll(async () => {
  await Promise.all([first.close(), second.close(), anvil.stop()])
})

/** Leaves the probe alone. */
const onBalance = (name: string): Fault => ({
  name,
  method: 'eth_getBalance',
  exchange: EXCHANGE_FAULTS[name] ?? fail(),
})
const answering = (name: string): Fault => ({ name, method: 'eth_getBalance', answer: ANSWER_FAULTS[name] ?? fail() })
const fail = () => expect.unreachable('no such fault')
const causeOf = <T extends Error>(error: unknown, type: abstract new (...args: never[]) => T) =>
  error instanceof BaseError ? error.find(type) : undefined

describe('one HTTP request', () => {
  test('carries a whole batch, and each answer has the type of its question', async () => {
    const rpc = create()
    await rpc.probe()
    first.reset()
    const [balance, block, chain] = await rpc.batch([getBalance(RICH, 'latest'), getBlock('latest'), getChainId()], {
      suspect,
    })
    expect(balance.ok && balance.value > 0n).toBe(true)
    expect(block.ok && block.value?.number).toBe(1n)
    expect(chain).toEqual({ ok: true, value: 1n })
    expect(first.seen.http).toBe(1)
  })

  test('is split when the node wants smaller batches, and the limit is remembered', async () => {
    first.inject(...limitedNode('batch of 4'))
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    const ask = () =>
      rpc.batch(
        Array.from({ length: 10 }, () => getBalance(RICH, 'latest')),
        { suspect },
      )
    await ask()
    first.seen.http = 0
    expect((await ask()).every(({ ok }) => ok)).toBe(true)
    expect(first.seen.http).toBeLessThanOrEqual(4)
  })

  test('is counted, by the budget and by the client', async () => {
    const rpc = create()
    await rpc.probe()
    const before = rpc.stats().httpRequests
    const budget = rpc.createBudget()
    await rpc.batch([getChainId(), getChainId()], { suspect, budget })
    await rpc.call(getChainId(), { suspect, budget })
    expect({ http: budget.httpRequests, calls: budget.calls }).toEqual({ http: 2, calls: 3 })
    expect(rpc.stats().httpRequests - before).toBe(2)
  })

  test('keeps its connection open for the next', async () => {
    const connections = new Set<unknown>()
    const server = await listen((socket) => connections.add(socket))
    const rpc = create({ urls: [server.url] })
    for (let i = 0; i < 4; i += 1) await rpc.call(getChainId(), { suspect }).catch(() => {})
    expect(rpc.stats().httpRequests).toBeGreaterThan(4)
    expect(connections.size).toBeLessThanOrEqual(2)
    await server.close()
  })
})

describe('two nodes', () => {
  test.each(['no answer ever', 'cut in the middle', 'HTTP 500', 'an HTML page', 'HTTP 429, come back in an hour'])(
    '%s: the other node answers',
    async (fault) => {
      const rpc = create()
      await rpc.probe()
      first.inject(onBalance(fault))
      expect(await rpc.call(getBalance(RICH, 'latest'), { suspect })).toBeGreaterThan(0n)
      expect(logged).toHaveLength(1)
    },
  )

  test('the preferred one is asked as long as it answers', async () => {
    const rpc = create()
    await rpc.probe()
    second.reset()
    for (let i = 0; i < 5; i += 1) await rpc.call(getBalance(RICH, 'latest'), { suspect })
    expect(second.seen.http).toBe(0)
    await rpc.call(getBalance(RICH, 'latest'), { suspect, prefer: 1 })
    expect(second.seen.http).toBe(1)
  })

  test('one that fails again and again is left alone', async () => {
    const rpc = create()
    await rpc.probe()
    first.inject(onBalance('HTTP 500'))
    for (let i = 0; i < 5; i += 1) await rpc.call(getBalance(RICH, 'latest'), { suspect })
    first.seen.http = 0
    for (let i = 0; i < 5; i += 1) await rpc.call(getBalance(RICH, 'latest'), { suspect })
    expect(first.seen.http).toBe(0)
    expect(rpc.stats().endpoints.map(({ isUsable }) => isUsable)).toEqual([false, true])
  })

  test('one that asks for an hour of silence is left alone', async () => {
    const rpc = create()
    await rpc.probe()
    first.inject(onBalance('HTTP 429, come back in an hour'))
    await rpc.call(getBalance(RICH, 'latest'), { suspect })
    first.seen.http = 0
    await rpc.call(getBalance(RICH, 'latest'), { suspect })
    expect(first.seen.http).toBe(0)
  })

  test('only one that has the ability is asked', async () => {
    first.inject(...limitedNode('eth_simulateV1'))
    const rpc = create()
    await rpc.probe()
    first.reset()
    await rpc.call(getChainId(), { suspect, needs: 'simulate' })
    expect(first.seen.http).toBe(0)
    second.inject(...limitedNode('eth_simulateV1'))
    const neither = create({ urls: [second.url] })
    await expect(neither.call(getChainId(), { suspect, needs: 'simulate' })).rejects.toThrow(RpcUnavailableError)
  })
})

describe('one node', () => {
  test('is asked again after a passing fault', async () => {
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    first.inject(onBalance('HTTP 500'))
    const answer = rpc.call(getBalance(RICH, 'latest'), { suspect })
    await expect.poll(() => first.seen.calls.some(({ method }) => method === 'eth_getBalance')).toBe(true)
    first.inject()
    expect(await answer).toBeGreaterThan(0n)
  })

  test.each([
    ['no answer ever', RpcTimeoutError],
    ['one byte at a time', RpcTimeoutError],
    ['the connection is closed without a word', RpcConnectionError],
    ['an HTML page', RpcInvalidAnswerError],
    ['a redirect inwards', RpcRejectedError],
  ] as const)('%s: three tries, then one designed error with its cause', async (fault, cause) => {
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    first.inject(onBalance(fault))
    first.seen.http = 0
    const error = await rpc.call(getBalance(RICH, 'latest'), { suspect }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RpcUnavailableError)
    expect(causeOf<Error>(error, cause)).toBeInstanceOf(cause)
    expect(first.seen.http).toBe(3)
  })

  test('a revert is an answer: no second try, and its data is there', async () => {
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    first.seen.http = 0
    const error = await rpc.call(ethCall({ to: REVERTER }, 'latest'), { suspect }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RpcRejectedError)
    expect(error).toMatchObject({ kind: 'reverted', data: `0x${'aa'.padStart(64, '0')}` })
    expect(first.seen.http).toBe(1)
  })

  test('an optional item may fail alone', async () => {
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    first.inject(answering('error -32603'))
    const [balance, chain] = await rpc.batch([{ ...getBalance(RICH, 'latest'), optional: true }, getChainId()], {
      suspect,
    })
    expect(balance.ok).toBe(false)
    expect(chain.ok).toBe(true)
  })

  test('of another chain is not used', async () => {
    const rpc = create({ urls: [first.url], chainId: 56 })
    const error = await rpc.call(getBalance(RICH, 'latest'), { suspect }).catch((thrown: unknown) => thrown)
    expect(causeOf(error, RpcWrongChainError)).toBeDefined()
    expect(first.seen.calls.some(({ method }) => method === 'eth_getBalance')).toBe(false)
  })

  test('whose head is an hour old is not used', async () => {
    const hourAgo = Math.floor(Date.now() / 1_000) - 3_600
    const old = await startAnvil({ chainId: 1, genesisTimestamp: hourAgo })
    const rpc = create({ urls: [old.url], limits: {} })
    const error = await rpc.call(getChainId(), { suspect }).catch((thrown: unknown) => thrown)
    expect(causeOf(error, RpcStaleHeadError)?.details).toMatch(/^36\d\d s old$/)
    await old.stop()
  })
})

describe('budgets', () => {
  test('end the calls', async () => {
    const rpc = create()
    const budget = rpc.createBudget({ maxCalls: 3 })
    await rpc.batch([getChainId(), getChainId()], { suspect, budget })
    await expect(rpc.batch([getChainId(), getChainId()], { suspect, budget })).rejects.toThrow(RpcBudgetError)
    await rpc.call(getChainId(), { suspect, budget })
  })

  test('end the waiting, without blaming the node', async () => {
    const rpc = create({ urls: [first.url] })
    await rpc.probe()
    first.inject(onBalance('no answer ever'))
    const budget = rpc.createBudget({ deadlineMs: 100 })
    const error = await rpc.call(getBalance(RICH, 'latest'), { suspect, budget }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason: 'out of time' })
    expect(rpc.stats().failures).toBe(0)
  })

  test('end when no caller waits any more', async () => {
    const rpc = create({ urls: [first.url], limits: { ...anyHead, callTimeoutMs: 20_000 } })
    await rpc.probe()
    first.inject(onBalance('no answer ever'))
    const controller = new AbortController()
    const answer = rpc.call(getBalance(RICH, 'latest'), {
      suspect,
      budget: rpc.createBudget({ signal: controller.signal }),
    })
    setTimeout(() => controller.abort(), 50)
    await expect(answer).rejects.toMatchObject({ name: 'RpcBudgetError', reason: 'cancelled' })
  })
})

describe('secrets', () => {
  const SECRETS = ['s3cr3t-user', 'p4ssw0rd-long', 'abcdef0123456789', 'token-in-query']

  test('of a URL reach the node, and neither log nor error', async () => {
    let asked = ''
    let authorization: string | undefined
    const server = await listen(undefined, (path, header) => {
      asked = path
      authorization = header
      return [400, { error: { code: -32000, message: `bad key ${path} for ${SECRETS.join(' ')}` } }]
    })
    const url = new URL(`${server.url}/v3/abcdef0123456789?apikey=token-in-query`)
    url.username = SECRETS[0] ?? ''
    url.password = SECRETS[1] ?? ''
    const rpc = create({ urls: [url.href] })
    const error = await rpc.call(getChainId(), { suspect }).catch((thrown: unknown) => thrown)
    expect(asked).toBe('/v3/abcdef0123456789?apikey=token-in-query')
    expect(authorization).toBe(`Basic ${Buffer.from('s3cr3t-user:p4ssw0rd-long').toString('base64')}`)
    const everything = `${logged.join()} ${JSON.stringify(error, errorFields)} ${JSON.stringify(rpc.stats())}`
    expect(logged.length).toBeGreaterThan(0)
    for (const secret of SECRETS) expect(everything).not.toContain(secret)
    await server.close()
  })

  test('of a host name that does not resolve stay out of the log', async () => {
    const rpc = create({ urls: ['http://secret-tenant-name.nodes.invalid/'] })
    await rpc.call(getChainId(), { suspect }).catch(() => {})
    expect(logged.join()).not.toContain('secret-tenant-name')
  })

  test('a URL that is none is refused without being repeated', () => {
    for (const url of ['ftp://user:hunter22@host/', 'file:///etc/passwd', 'hunter22', '']) {
      expect(() => create({ urls: [url] })).toThrow(RpcUrlError)
      expect(() => create({ urls: [url] })).not.toThrow(/hunter22/)
    }
  })
})

type Handler = (path: string, authorization: string | undefined) => [status: number, body: unknown]

async function listen(onConnection?: (socket: unknown) => void, handler: Handler = () => [200, {}]) {
  const server: Server = createServer((request, reply) => {
    request.resume()
    const [status, body] = handler(request.url ?? '', request.headers.authorization)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  if (onConnection) server.on('connection', onConnection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
