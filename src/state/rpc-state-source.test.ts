import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, type FaultProxy, type ProxyAnswer, startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { ethereum } from '../chains/ethereum.js'
import { createSystemClock } from '../clock.js'
import { type Anvil, startAnvil } from '../devnet/anvil.js'
import { createDevnetNode, type DevnetNode } from '../devnet/node.js'
import { type Address, EMPTY_CODE_HASH, hexToBytes, toPaddedHex, toQuantity } from '../hex.js'
import { createRpcClient, type RpcClient } from '../rpc/client.js'
import { compileScript } from './call-script.js'
import { openState, type ReadAhead, type RpcStateSource } from './rpc-state-source.js'
import { createStateMemory } from './state-memory.js'
import type { StateMiss } from './state-reader.js'
import { stateSourceConformance } from './state-source.conformance.js'
import { StateFloodError, StateUnavailableError } from './state-source.js'

const clock = createSystemClock()
const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }

const world = {
  contract: '0x00000000000000000000000000000000000c0de0',
  code: hexToBytes('0x5f545f5260205ff3'),
  storage: new Map([
    [0n, 1n],
    [5n, (1n << 256n) - 1n],
    [1n << 255n, 2n],
  ]),
  holder: '0x00000000000000000000000000000000000a11ce',
  holderBalance: 5n * 10n ** 18n,
  holderNonce: 3n,
  nobody: '0x00000000000000000000000000000000deadbeef',
} as const

let anvil: Anvil
let node: DevnetNode
let proxy: FaultProxy
let rpc: RpcClient

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  node = createDevnetNode(anvil.url)
  proxy = await startFaultProxy(anvil.url)
  await node.call('anvil_setCode', world.contract, '0x5f545f5260205ff3')
  for (const [slot, value] of world.storage) {
    await node.call('anvil_setStorageAt', world.contract, toPaddedHex(slot, 32), toPaddedHex(value, 32))
  }
  await node.call('anvil_setBalance', world.holder, toQuantity(world.holderBalance))
  await node.call('anvil_setNonce', world.holder, toQuantity(world.holderNonce))
  await node.call('evm_mine')
})

afterAll(async () => {
  await rpc.close()
  await proxy.close()
  await anvil.stop()
})

beforeEach(async () => {
  proxy.inject()
  proxy.reset()
  await rpc?.close()
  rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
})

const styles = {
  'every ability': [],
  'no eth_getStorageValues': limitedNode('eth_getStorageValues'),
  'no debug methods': limitedNode('debug_traceCall'),
  'no overrides': limitedNode('overrides'),
  'overrides accepted and ignored': limitedNode('ignored overrides', 'eth_getStorageValues'),
  'no overrides, no eth_getStorageValues': limitedNode('overrides', 'eth_getStorageValues'),
  'no blocks by hash': limitedNode('block hash'),
  'nothing but single reads by number': limitedNode('batch', 'block hash', 'overrides', 'eth_getStorageValues'),
  'batches of 5': limitedNode('batch of 5'),
}

for (const [name, faults] of Object.entries(styles)) {
  stateSourceConformance(`rpc, ${name}`, async () => {
    proxy.inject(...faults)
    return { state: await openState({ rpc, chain: ethereum }), world }
  })
}

const account = (address: Address): StateMiss => ({ kind: 'account', address })
const slot = (address: Address, key: bigint): StateMiss => ({ kind: 'storage', address, slot: key })
const seeds = [
  account(world.contract),
  account(world.holder),
  ...[...world.storage.keys()].map((key) => slot(world.contract, key)),
]

/** HTTP requests that `work` causes, the probe of a new node aside. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  await rpc.probe()
  proxy.seen.http = 0
  proxy.seen.calls = []
  await work()
  return proxy.seen.http
}

describe('round trips', () => {
  test('block and seeds come in one', async () => {
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, plan: { key: 'job', seeds } })
      expect(state.account(world.holder)?.balance).toBe(world.holderBalance)
      expect(state.storage(world.contract, 1n << 255n)).toBe(2n)
      expect(state.budget.httpRequests).toBe(1)
    })
    expect(count).toBe(1)
    expect(proxy.seen.calls.map(({ method }) => method)).toEqual([
      'eth_getBlockByNumber',
      'eth_chainId',
      'eth_getTransactionCount',
      'eth_getTransactionCount',
      'eth_call',
      'eth_call',
    ])
  })

  test('nothing is asked for twice in it', async () => {
    await roundTrips(() => openState({ rpc, chain: ethereum, plan: { key: 'job', seeds: [...seeds, ...seeds] } }))
    expect(proxy.seen.calls.filter(({ method }) => method === 'eth_getTransactionCount')).toHaveLength(2)
    const calldata = proxy.seen.calls.flatMap(({ method, params: [call] }) => (method === 'eth_call' ? [call] : []))
    const words = calldata.map((call) => ((call as { data: string }).data.length - 2) / 64)
    // Two accounts; then address, length and three slots.
    expect(words).toEqual([2, 5])
  })

  test('all misses of a round come in one, and so do loads of the same moment', async () => {
    const state = await openState({ rpc, chain: ethereum })
    const count = await roundTrips(() =>
      Promise.all([state.load(seeds), state.load([slot(world.contract, 99n)]), state.load([account(world.nobody)])]),
    )
    expect(count).toBe(1)
    expect(state.account(world.nobody)?.balance).toBe(0n)
  })

  test('what is known costs none', async () => {
    const state = await openState({ rpc, chain: ethereum, plan: { key: 'job', seeds } })
    expect(await roundTrips(() => state.load(seeds))).toBe(0)
  })

  test('the same block again costs none', async () => {
    const memory = createStateMemory({ clock })
    await node.call('evm_mine')
    await openState({ rpc, chain: ethereum, memory, plan: { key: 'job', seeds } })
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, memory, plan: { key: 'job', seeds } })
      expect(state.storage(world.contract, 0n)).toBe(1n)
      expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
    })
    expect(count).toBe(0)
  })

  test('a known job at a new block costs one, misses of the last run included, and no code is sent', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    const first = await openState({ rpc, chain: ethereum, memory, plan: { key: 'job', seeds } })
    await first.load([slot(world.contract, 77n), account(world.nobody)])
    await node.call('evm_mine')
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, memory, plan: { key: 'job', seeds: [] } })
      expect(state.block.number).toBe(first.block.number + 1n)
      expect(state.storage(world.contract, 77n)).toBe(0n)
      expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
    })
    expect(count).toBe(1)
    // The contract cannot use its nonce, so only those of the accounts without code are asked for.
    expect(proxy.seen.calls.filter(({ method }) => method === 'eth_getTransactionCount')).toHaveLength(2)
  })

  test('a new job is not sent the code of contracts that other jobs have met', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    await openState({ rpc, chain: ethereum, memory, plan: { key: 'one', seeds } })
    await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, memory, plan: { key: 'other', seeds } })
      expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
    })
    const calldata = proxy.seen.calls.flatMap(({ method, params: [call] }) => (method === 'eth_call' ? [call] : []))
    // The first bit of the word would ask for the code.
    expect((calldata[0] as { data: string }).data.slice(0, 66)).toBe(toPaddedHex(BigInt(world.contract), 32))
  })

  test('a head that nobody shares is read anew', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    await openState({ rpc, chain: ethereum, memory })
    expect(await roundTrips(() => openState({ rpc, chain: ethereum, memory }))).toBe(1)
  })

  test('a node without overrides takes two: the block, then everything of it', async () => {
    proxy.inject(...limitedNode('overrides'))
    expect(await roundTrips(() => openState({ rpc, chain: ethereum, plan: { key: 'job', seeds } }))).toBe(2)
  })
})

describe('traces', () => {
  /** Answers the slot that calldata names. */
  const table = '0x00000000000000000000000000000000000c0de4'
  /** Answers the slot that the time of the block names. */
  const clockwork = '0x00000000000000000000000000000000000c0de5'
  const trader = '0x00000000000000000000000000000000000b0b00'
  const later = 2_000_000_000n

  beforeAll(async () => {
    await node.call('anvil_setCode', table, '0x5f35545f5260205ff3')
    await node.call('anvil_setCode', clockwork, '0x42545f5260205ff3')
    await node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(99n, 32))
    await node.call('anvil_setStorageAt', table, toPaddedHex(99n, 32), toPaddedHex(3n, 32))
    await node.call('anvil_setStorageAt', clockwork, toPaddedHex(later, 32), toPaddedHex(5n, 32))
    await node.call('evm_mine')
  })

  const calls = [
    { to: table, data: toPaddedHex(7n, 32) },
    { to: table, data: toPaddedHex(0n, 32), fill: [{ at: 0, fromCall: 0 }] },
    { to: world.nobody, data: '0x', value: 1n },
    { to: clockwork, data: '0x' },
  ] as const
  const plan: ReadAhead = {
    key: 'traced',
    seeds: [account(table), account(trader)],
    traces: [
      { from: trader, balance: 10n, calls },
      { from: trader, balance: 10n, calls, time: later },
    ],
  }

  async function expectEverything(state: RpcStateSource) {
    expect(state.storage(table, 7n)).toBe(99n)
    expect(state.storage(table, 99n)).toBe(3n)
    expect(state.storage(clockwork, later)).toBe(5n)
    expect(state.storage(clockwork, state.block.timestamp)).toBe(0n)
    expect(state.account(world.nobody)?.balance).toBe(0n)
    expect(state.account(trader)).toEqual({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
  }

  test('a new job is read in one round trip, later windows included', async () => {
    const count = await roundTrips(async () => {
      await expectEverything(await openState({ rpc, chain: ethereum, memory: createStateMemory({ clock }), plan }))
    })
    expect(count).toBe(1)
  })

  test('also when the head is shared with another job', async () => {
    const memory = createStateMemory({ clock })
    await node.call('evm_mine')
    await openState({ rpc, chain: ethereum, memory })
    const count = await roundTrips(async () => {
      await expectEverything(await openState({ rpc, chain: ethereum, memory, plan }))
    })
    expect(count).toBe(1)
  })

  test('what traces would tell is guessed only where nothing is traced, in as many round trips as without', async () => {
    const guessed = { ...plan, guesses: [slot(table, 77n)] }
    const asksForGuess = () => JSON.stringify(proxy.seen.calls).includes(toPaddedHex(77n, 32).slice(2))
    expect(await roundTrips(() => openState({ rpc, chain: ethereum, plan: guessed }))).toBe(1)
    expect(asksForGuess()).toBe(false)

    proxy.inject(...limitedNode('debug_traceCall'))
    const plain = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
    await plain.probe()
    const open = async () => {
      expect((await openState({ rpc: plain, chain: ethereum, plan: guessed })).storage(table, 77n)).toBe(0n)
    }
    expect(await roundTrips(open)).toBe(1)
    expect(asksForGuess()).toBe(true)
    await plain.close()
  })

  test('a trace that fails is made up for by the guesses', async () => {
    proxy.inject(...limitedNode('debug_traceCall'))
    const state = await openState({ rpc, chain: ethereum, plan: { ...plan, guesses: [slot(table, 77n)] } })
    expect(state.storage(table, 77n)).toBe(0n)
  })

  test('a trader who is paid does not start trading again', async () => {
    /** Sends what it is called with back to the caller. */
    const payer = '0x00000000000000000000000000000000000c0de6'
    await node.call('anvil_setCode', payer, '0x5f5f5f5f34335af100')
    await node.call('evm_mine')
    const params = { from: trader, balance: 10n, calls: [{ to: payer, data: '0x', value: 1n }] } as const
    const { code } = compileScript(params)
    const trace = await node.call<{ calls: { to: string; calls?: unknown[] }[] }>(
      'debug_traceCall',
      { from: trader, to: trader },
      'latest',
      { tracer: 'callTracer', stateOverrides: { [trader]: { code, balance: '0xa' } } },
    )
    const [, paid] = trace.calls
    expect(paid).toMatchObject({ to: payer, calls: [{ to: trader }] })
    expect(JSON.stringify(paid).match(/"to":/g)).toHaveLength(2)
  })

  test('what a trace found is remembered', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    await openState({ rpc, chain: ethereum, memory, plan })
    proxy.inject(...limitedNode('debug_traceCall'))
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, memory, plan })
      expect(state.storage(table, 99n)).toBe(3n)
      expect(state.storage(clockwork, later)).toBe(5n)
    })
    expect(count).toBe(1)
  })

  test('a trace of another block is a hint only', async () => {
    const head = await node.call<string>('eth_blockNumber')
    await node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(98n, 32))
    await node.call('evm_mine')
    proxy.inject({
      name: 'traces on an older block',
      method: 'debug_traceCall',
      call: (call) => ({ ...call, params: [call.params[0], head, call.params[2]] }),
    })
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, plan })
      expect(state.storage(table, 7n)).toBe(98n)
    })
    expect(count).toBe(2)
    await node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(99n, 32))
    await node.call('evm_mine')
  })

  test.each([
    ['takes too long', (honest: ProxyAnswer) => sleep(600).then(() => honest)],
    ['is too long', (honest: ProxyAnswer) => ({ ...honest, result: 'x'.repeat(100_000) })],
  ])('a trace that %s is done without, and not held against the node', async (_, answer) => {
    const bounds = { ...limits, callTimeoutMs: 300, maxAnswerBytes: 50_000 }
    const impatient = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits: bounds })
    await impatient.probe()
    proxy.inject({ name: 'slow or long', method: 'debug_traceCall', answer })
    for (let i = 0; i < 6; i += 1) {
      const state = await openState({ rpc: impatient, chain: ethereum, plan })
      expect(state.account(table)?.balance).toBe(0n)
    }
    expect(impatient.stats().endpoints[0]?.isUsable).toBe(true)
    await impatient.close()
  })

  test('a trace that contradicts the other reads is not believed', async () => {
    proxy.inject({
      name: 'traces lie',
      method: 'debug_traceCall',
      answer: (honest) => JSON.parse(JSON.stringify(honest).replaceAll('5f35545f5260205ff3', '5f35545f5260205ff4')),
    })
    const state = await openState({ rpc, chain: ethereum, plan })
    expect(state.code(state.account(table)?.codeHash ?? '0x')).toEqual(hexToBytes('0x5f35545f5260205ff3'))
  })
})

describe('what the node says is checked', () => {
  test('code that changed since is fetched again', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    const address = '0x00000000000000000000000000000000000c0de1'
    await node.call('anvil_setCode', address, '0x6001')
    await node.call('evm_mine')
    const plan = { key: 'upgraded', seeds: [account(address)] }
    await openState({ rpc, chain: ethereum, memory, plan })
    await node.call('anvil_setCode', address, '0x6002')
    await node.call('evm_mine')
    const state = await openState({ rpc, chain: ethereum, memory, plan })
    expect(state.code(state.account(address)?.codeHash ?? '0x')).toEqual(hexToBytes('0x6002'))
  })

  test.each(['baseFeePerGas', 'timestamp', 'mixHash'])('a header whose %s was changed is refused', async (field) => {
    await rpc.probe()
    proxy.inject({
      name: 'changed header',
      method: 'eth_getBlockByNumber',
      answer: (honest) => {
        const block = honest.result as Record<string, string>
        return {
          ...honest,
          result: { ...block, [field]: block[field]?.replace(/.$/, (digit) => (digit === '1' ? '2' : '1')) },
        }
      },
    })
    await expect(openState({ rpc, chain: ethereum })).rejects.toThrow(StateUnavailableError)
  })

  test('a head that moved between the items of a batch is noticed, and everything read again by hash', async () => {
    await rpc.probe()
    const head = (await node.call<{ number: `0x${string}` }>('eth_getBlockByNumber', 'latest', false)).number
    const previous = toQuantity(BigInt(head) - 1n)
    proxy.inject({
      name: 'an older header',
      method: 'eth_getBlockByNumber',
      call: (call) => ({ ...call, params: [previous, false] }),
    })
    const count = await roundTrips(async () => {
      const state = await openState({ rpc, chain: ethereum, plan: { key: 'job', seeds } })
      expect(toQuantity(state.block.number)).toBe(previous)
    })
    expect(count).toBe(2)
  })

  test('a contract that runs in spite of its override is read slot by slot', async () => {
    const stubborn = '0x00000000000000000000000000000000000c0de2'
    await node.call('anvil_setCode', stubborn, '0x60aa5f5260405ff3')
    await node.call('anvil_setStorageAt', stubborn, toPaddedHex(3n, 32), toPaddedHex(33n, 32))
    await node.call('evm_mine')
    const strip: Fault = {
      name: 'one override is ignored',
      method: 'eth_call',
      call: (call) => {
        const [tx, block, overrides] = call.params as [unknown, unknown, Record<string, unknown> | undefined]
        const { [stubborn]: _, ...rest } = overrides ?? {}
        return { ...call, params: overrides ? [tx, block, rest] : [tx, block] }
      },
    }
    proxy.inject(strip, ...limitedNode('eth_getStorageValues'))
    const state = await openState({ rpc, chain: ethereum })
    await state.load([slot(stubborn, 3n), slot(world.contract, 0n)])
    expect(state.storage(stubborn, 3n)).toBe(33n)
    expect(state.storage(world.contract, 0n)).toBe(1n)
  })

  test('a block can be replayed by its number', async () => {
    const changing = '0x00000000000000000000000000000000000c0de3'
    await node.call('anvil_setStorageAt', changing, toPaddedHex(0n, 32), toPaddedHex(1n, 32))
    await node.call('evm_mine')
    const then = await openState({ rpc, chain: ethereum })
    // anvil writes into the state of the block before, until that one has a successor.
    await node.call('evm_mine')
    await node.call('anvil_setStorageAt', changing, toPaddedHex(0n, 32), toPaddedHex(2n, 32))
    await node.call('evm_mine')
    const plan = { key: 'replay', seeds: [slot(changing, 0n)] }
    const replayed = await openState({ rpc, chain: ethereum, blockNumber: then.block.number, plan })
    expect(replayed.block).toEqual(then.block)
    expect(replayed.storage(changing, 0n)).toBe(1n)
    await then.load(plan.seeds)
    expect(then.storage(changing, 0n)).toBe(1n)
    await expect(openState({ rpc, chain: ethereum, blockNumber: 10_000_000n })).rejects.toThrow(StateUnavailableError)
  })

  test.each([
    ['by hash', []],
    ['by number', limitedNode('block hash')],
    ['by number, one by one', limitedNode('block hash', 'overrides', 'eth_getStorageValues')],
  ] as const)('a block that was replaced is gone, and its reader is told so (%s)', async (_, faults) => {
    proxy.inject(...faults)
    const snapshot = await node.call('evm_snapshot')
    await node.call('evm_mine')
    const state = await openState({ rpc, chain: ethereum })
    await node.call('evm_revert', snapshot)
    await node.call('evm_increaseTime', 1_000)
    await node.call('evm_mine')
    const error = await state.load(seeds).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StateUnavailableError)
    expect(error).toMatchObject({ isBlockGone: true })
  })

  test('block hashes are those that BLOCKHASH answers', async () => {
    const state = await openState({ rpc, chain: ethereum })
    const number = state.block.number - 3n
    const { hash } = await node.call<{ hash: string }>('eth_getBlockByNumber', toQuantity(number), false)
    await state.load([{ kind: 'blockHash', number }])
    expect(state.blockHash(number)).toBe(hash)
    expect(state.blockHash(state.block.number)).toBe(state.block.hash)
    expect(state.blockHash(state.block.number - 1n)).toBe(state.block.parentHash)
  })

  test('more than any trade needs is refused', async () => {
    const state = await openState({ rpc, chain: ethereum })
    const flood = Array.from({ length: 5_000 }, (_, i) => slot(world.contract, BigInt(i)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
  })

  test('a flood of accounts is refused in whole, and other parts of the analysis go on', async () => {
    const state = await openState({ rpc, chain: ethereum })
    const flood = Array.from({ length: 1_000 }, (_, i) => account(toPaddedHex(BigInt(i + 70_000), 20)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
    await state.load([account(world.holder)])
    expect(state.account(world.holder)?.balance).toBe(world.holderBalance)
  })

  test('single reads that run out of calls by sheer number are a flood, not a failure of the node', async () => {
    proxy.inject(...limitedNode('overrides', 'eth_getStorageValues'))
    const state = await openState({ rpc, chain: ethereum })
    const flood = Array.from({ length: 3_000 }, (_, i) => slot(world.contract, BigInt(i)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
  })

  test('many accounts are read in parts', async () => {
    const state = await openState({ rpc, chain: ethereum })
    const many = Array.from({ length: 200 }, (_, i) => account(toPaddedHex(BigInt(i + 70_000), 20)))
    expect(await roundTrips(() => state.load([...many, slot(world.contract, 0n)]))).toBe(4)
    expect(many.every((miss) => state.account(miss.kind === 'account' ? miss.address : '0x')?.balance === 0n)).toBe(
      true,
    )
  })

  test('thousands of slots come in one request', async () => {
    proxy.inject(...limitedNode('eth_getStorageValues'))
    const state = await openState({ rpc, chain: ethereum })
    const many = Array.from({ length: 4_000 }, (_, i) => slot(world.contract, BigInt(i)))
    expect(await roundTrips(() => state.load(many))).toBe(1)
    expect(state.storage(world.contract, 5n)).toBe((1n << 256n) - 1n)
    expect(state.storage(world.contract, 3_999n)).toBe(0n)
  })
})
