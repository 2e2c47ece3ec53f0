import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, test } from 'vitest'
import { hasRedis, REDIS, REDIS_PORT } from '../../test/redis.js'
import { startSilentProxy } from '../../test/silent-proxy.js'
import { ethereum } from '../chains/ethereum.js'
import { createManualClock, createSystemClock } from '../clock.js'
import { hexToBytes } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { factStoreConformance } from './fact-store.conformance.js'
import type { FactStore } from './fact-store.js'
import { createSnapshot, setStorage } from './known-state.js'
import { createRedisFactStore } from './redis-fact-store.js'
import { createStateMemory } from './state-memory.js'

const admin = new Redis(REDIS, { lazyConnect: true, retryStrategy: () => null })
admin.on('error', () => {})
const isRedisThere = await hasRedis()

describe.skipIf(!isRedisThere)('Redis (skipped where none listens on port 6379)', () => {
  const root = `assay-test:${randomUUID()}`
  const open: { close(): Promise<void> }[] = []
  const create = async (prefix = `${root}:${randomUUID()}:`, url = REDIS) => {
    const store = createRedisFactStore({ url, clock: createSystemClock(), prefix })
    open.push(store)
    // Before the connection stands, everything is answered with nothing.
    await expect.poll(() => isConnected(store)).toBe(true)
    return store
  }
  const isConnected = async (store: FactStore) => {
    await store.set('connected', Buffer.from('1'))
    return (await store.get(['connected']))[0] !== undefined
  }

  afterAll(async () => {
    const keys = await admin.keys(`${root}:*`)
    if (keys.length > 0) await admin.del(...keys)
    await Promise.all(open.map((store) => store.close()))
    admin.disconnect()
  })

  factStoreConformance('redis', () => create())

  test('what it stores goes away by itself', async () => {
    const prefix = `${root}:${randomUUID()}:`
    const store = await create(prefix)
    await store.set('a', Buffer.from('1'))
    expect(await admin.ttl(`${prefix}a`)).toBeGreaterThan(3_600)
  })

  test('what one process learned, another one knows', async () => {
    const prefix = `${root}:${randomUUID()}:`
    const [token, code] = ['0x00000000000000000000000000000000000c0de0', hexToBytes('0x6001')] as const
    const state = createSnapshot()
    state.code.set(keccak256(code), code)
    state.accounts.set(token, { balance: 1n, nonce: 1n, codeHash: keccak256(code) })
    setStorage(state, token, 7n, 9n)
    const first = createStateMemory({ clock: createManualClock(), fleet: await create(prefix) })
    first.keep(1, '0x01', state)
    first.learn(
      ethereum.id,
      'job',
      [
        { kind: 'account', address: token },
        { kind: 'storage', address: token, slot: 7n },
      ],
      state,
    )
    await expect.poll(() => admin.keys(`${prefix}*`)).toHaveLength(3)

    const second = createStateMemory({ clock: createManualClock(), fleet: await create(prefix) })
    // A store that is late on a busy machine is gone without, until the next time.
    await expect.poll(() => second.recall(ethereum.id, 'job')).toBeDefined()
    const readSet = await second.recall(ethereum.id, 'job')
    expect(readSet?.slots.get(token)).toEqual(new Set([7n]))
    expect(readSet?.accounts.get(token)).toEqual({ codeHash: keccak256(code), nonce: 1n })
    expect(second.code(keccak256(code))).toEqual(code)
  })

  test('41: a connection that falls silent is left for a new one', async () => {
    const proxy = await startSilentProxy(REDIS_PORT)
    const store = await create(undefined, `redis://127.0.0.1:${proxy.port}`)
    proxy.fallSilent()
    expect(await isConnected(store)).toBe(false)
    await expect.poll(() => isConnected(store), { timeout: 15_000 }).toBe(true)
    await store.close()
    await proxy.close()
  })

  test('code that does not have its hash is not believed, nor a read set of another make', async () => {
    const prefix = `${root}:${randomUUID()}:`
    const store = await create(prefix)
    await store.set(`code:${keccak256(Uint8Array.of(1))}`, Uint8Array.of(2))
    await store.set(
      'reads:1:1:job',
      Buffer.from(`{"accounts":[["0x${'11'.repeat(20)}","${keccak256(Uint8Array.of(1))}"]],"slots":[]}`),
    )
    await store.set('reads:1:1:other', Buffer.from('{"accounts":{}}'))
    const memory = createStateMemory({ clock: createManualClock(), fleet: store })
    await expect.poll(() => memory.recall(1, 'job')).toBeDefined()
    expect(memory.code(keccak256(Uint8Array.of(1)))).toBeUndefined()
    expect(await memory.recall(1, 'other')).toBeUndefined()
  })
})

test('a Redis that is not there answers nothing, and is reported once', async () => {
  let outages = 0
  const onOutage = () => {
    outages += 1
  }
  const store = createRedisFactStore({ url: 'redis://127.0.0.1:1', clock: createSystemClock(), onOutage })
  await expect.poll(() => outages).toBe(1)
  for (let i = 0; i < 50; i += 1) expect(await store.get(['a', 'b'])).toEqual([undefined, undefined])
  await store.set('a', Buffer.from('1'))
  expect(outages).toBe(1)
  await store.close()
})

test('a Redis that falls silent costs its time limit a few times, and then nothing', async () => {
  let asked = 0
  // Answers the greeting of the client, and nothing after it.
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (/info/i.test(String(data))) socket.write('$22\r\n# Server\r\nloading:0\r\n\r\n')
      else if (/client|hello/i.test(String(data))) socket.write('+OK\r\n'.repeat(String(data).split('*').length - 1))
      else asked += 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  let outages = 0
  const onOutage = () => {
    outages += 1
  }
  const store = createRedisFactStore({ url: `redis://127.0.0.1:${port}`, clock: createSystemClock(), onOutage })
  await expect.poll(() => store.get(['a']).then(() => outages), { timeout: 5_000 }).toBe(1)
  for (let i = 0; i < 200; i += 1) expect(await store.get(['a'])).toEqual([undefined])
  // It is tried now and then, whether it is back.
  expect(asked).toBeLessThan(20)
  await store.close()
  server.close()
})
