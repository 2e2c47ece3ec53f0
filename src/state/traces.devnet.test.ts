import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { ProxyAnswer } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { account, clock, limits, setUpNodeStage, slot, world } from '../../test/state/node-stage.js'
import { ethereum } from '../chains/ethereum.js'
import { EMPTY_CODE_HASH, hexToBytes, toPaddedHex } from '../hex.js'
import { createRpcClient } from '../rpc/rpc-client.js'
import { compileScript } from './call-script.js'
import { openState, type ReadAhead, type RpcStateSource } from './rpc-state-source.js'
import { createStateMemory } from './state-memory.js'

const stage = setUpNodeStage()

/** Answers the slot that calldata names. */
const table = '0x00000000000000000000000000000000000c0de4'
/** Answers the slot that the time of the block names. */
const clockwork = '0x00000000000000000000000000000000000c0de5'
const trader = '0x00000000000000000000000000000000000b0b00'
const later = 2_000_000_000n

beforeAll(async () => {
  await stage.node.call('anvil_setCode', table, '0x5f35545f5260205ff3')
  await stage.node.call('anvil_setCode', clockwork, '0x42545f5260205ff3')
  await stage.node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(99n, 32))
  await stage.node.call('anvil_setStorageAt', table, toPaddedHex(99n, 32), toPaddedHex(3n, 32))
  await stage.node.call('anvil_setStorageAt', clockwork, toPaddedHex(later, 32), toPaddedHex(5n, 32))
  await stage.node.call('evm_mine')
})

const calls = [
  { to: table, data: toPaddedHex(7n, 32) },
  { to: table, data: toPaddedHex(0n, 32), fill: [{ at: 0, fromCall: 0 }] },
  { to: world.unused, data: '0x', value: 1n },
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
  expect(state.account(world.unused)?.balance).toBe(0n)
  expect(state.account(trader)).toEqual({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
}

test('a new job is read in one round trip, later windows included', async () => {
  const count = await stage.roundTrips(async () => {
    await expectEverything(
      await openState({
        suspect: 'chain',
        rpc: stage.rpc,
        chain: ethereum,
        memory: createStateMemory({ clock }),
        plan,
      }),
    )
  })
  expect(count).toBe(1)
})

test('also when the head is shared with another job', async () => {
  const memory = createStateMemory({ clock })
  await stage.node.call('evm_mine')
  await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory })
  const count = await stage.roundTrips(async () => {
    await expectEverything(await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan }))
  })
  expect(count).toBe(1)
})

test('what traces would tell is guessed only where nothing is traced, in as many round trips as without', async () => {
  const guessed = { ...plan, guesses: [slot(table, 77n)] }
  const asksForGuess = () => JSON.stringify(stage.proxy.seen.calls).includes(toPaddedHex(77n, 32).slice(2))
  expect(
    await stage.roundTrips(() => openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: guessed })),
  ).toBe(1)
  expect(asksForGuess()).toBe(false)

  stage.proxy.inject(...limitedNode('debug_traceCall'))
  const plain = createRpcClient({ urls: [stage.proxy.url], chainId: 1, clock, limits })
  await plain.probe()
  const open = async () => {
    expect(
      (await openState({ suspect: 'chain', rpc: plain, chain: ethereum, plan: guessed })).storage(table, 77n),
    ).toBe(0n)
  }
  expect(await stage.roundTrips(open)).toBe(1)
  expect(asksForGuess()).toBe(true)
  await plain.close()
})

test('a trace that fails is made up for by the guesses', async () => {
  stage.proxy.inject(...limitedNode('debug_traceCall'))
  const state = await openState({
    suspect: 'chain',
    rpc: stage.rpc,
    chain: ethereum,
    plan: { ...plan, guesses: [slot(table, 77n)] },
  })
  expect(state.storage(table, 77n)).toBe(0n)
})

test('a trader who is paid does not start trading again', async () => {
  /** Sends what it is called with back to the caller. */
  const payer = '0x00000000000000000000000000000000000c0de6'
  await stage.node.call('anvil_setCode', payer, '0x5f5f5f5f34335af100')
  await stage.node.call('evm_mine')
  const params = { from: trader, balance: 10n, calls: [{ to: payer, data: '0x', value: 1n }] } as const
  const { code } = compileScript(params)
  const trace = await stage.node.call<{ calls: { to: string; calls?: unknown[] }[] }>(
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
  await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan })
  stage.proxy.inject(...limitedNode('debug_traceCall'))
  const count = await stage.roundTrips(async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan })
    expect(state.storage(table, 99n)).toBe(3n)
    expect(state.storage(clockwork, later)).toBe(5n)
  })
  expect(count).toBe(1)
})

test('a trace of another block is a hint only', async () => {
  const head = await stage.node.call<string>('eth_blockNumber')
  await stage.node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(98n, 32))
  await stage.node.call('evm_mine')
  stage.proxy.inject({
    name: 'traces on an older block',
    method: 'debug_traceCall',
    call: (call) => ({ ...call, params: [call.params[0], head, call.params[2]] }),
  })
  const count = await stage.roundTrips(async () => {
    const state = await openState({ suspect: table, rpc: stage.rpc, chain: ethereum, plan })
    expect(state.storage(table, 7n)).toBe(98n)
  })
  expect(count).toBe(2)
  await stage.node.call('anvil_setStorageAt', table, toPaddedHex(7n, 32), toPaddedHex(99n, 32))
  await stage.node.call('evm_mine')
})

test.each([
  ['takes too long', (honest: ProxyAnswer) => sleep(600).then(() => honest)],
  ['is too long', (honest: ProxyAnswer) => ({ ...honest, result: 'x'.repeat(100_000) })],
])('a trace that %s is done without, and not held against the node', async (_, answer) => {
  const bounds = { ...limits, callTimeoutMs: 300, maxAnswerBytes: 50_000 }
  const impatient = createRpcClient({ urls: [stage.proxy.url], chainId: 1, clock, limits: bounds })
  await impatient.probe()
  stage.proxy.inject({ name: 'slow or long', method: 'debug_traceCall', answer })
  for (let i = 0; i < 6; i += 1) {
    const state = await openState({ suspect: table, rpc: impatient, chain: ethereum, plan })
    expect(state.account(table)?.balance).toBe(0n)
  }
  expect(impatient.stats().endpoints[0]?.isUsable).toBe(true)
  await impatient.close()
})

test('a trace that contradicts the other reads is not believed', async () => {
  stage.proxy.inject({
    name: 'traces lie',
    method: 'debug_traceCall',
    answer: (honest) => JSON.parse(JSON.stringify(honest).replaceAll('5f35545f5260205ff3', '5f35545f5260205ff4')),
  })
  const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan })
  expect(state.code(state.account(table)?.codeHash ?? '0x')).toEqual(hexToBytes('0x5f35545f5260205ff3'))
})
