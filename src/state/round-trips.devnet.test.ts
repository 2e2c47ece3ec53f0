import { expect, test } from 'vitest'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { account, clock, seeds, setUpNodeStage, slot, world } from '../../test/state/node-stage.js'
import { ethereum } from '../chains/ethereum.js'
import { toPaddedHex } from '../hex.js'
import { openState } from './rpc-state-source.js'
import { createStateMemory } from './state-memory.js'

const stage = setUpNodeStage()

test('block and seeds come in one', async () => {
  const count = await stage.roundTrips(async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds } })
    expect(state.account(world.holder)?.balance).toBe(world.holderBalance)
    expect(state.storage(world.contract, 1n << 255n)).toBe(2n)
    expect(state.budget.httpRequests).toBe(1)
  })
  expect(count).toBe(1)
  expect(stage.proxy.seen.calls.map(({ method }) => method)).toEqual([
    'eth_getBlockByNumber',
    'eth_chainId',
    'eth_getTransactionCount',
    'eth_getTransactionCount',
    'eth_call',
    'eth_call',
  ])
})

test('nothing is asked for twice in it', async () => {
  await stage.roundTrips(() =>
    openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds: [...seeds, ...seeds] } }),
  )
  expect(stage.proxy.seen.calls.filter(({ method }) => method === 'eth_getTransactionCount')).toHaveLength(2)
  const calldata = stage.proxy.seen.calls.flatMap(({ method, params: [call] }) => (method === 'eth_call' ? [call] : []))
  const words = calldata.map((call) => ((call as { data: string }).data.length - 2) / 64)
  // Two accounts; then address, length and three slots.
  expect(words).toEqual([2, 5])
})

test('all misses of a round come in one, and so do loads of the same moment', async () => {
  const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
  const count = await stage.roundTrips(() =>
    Promise.all([state.load(seeds), state.load([slot(world.contract, 99n)]), state.load([account(world.unused)])]),
  )
  expect(count).toBe(1)
  expect(state.account(world.unused)?.balance).toBe(0n)
})

test('what is known costs none', async () => {
  const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds } })
  expect(await stage.roundTrips(() => state.load(seeds))).toBe(0)
})

test('the same block again costs none', async () => {
  const memory = createStateMemory({ clock })
  await stage.node.call('evm_mine')
  await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan: { key: 'job', seeds } })
  const count = await stage.roundTrips(async () => {
    const state = await openState({
      suspect: 'chain',
      rpc: stage.rpc,
      chain: ethereum,
      memory,
      plan: { key: 'job', seeds },
    })
    expect(state.storage(world.contract, 0n)).toBe(1n)
    expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
  })
  expect(count).toBe(0)
})

test('a known job at a new block costs one, misses of the last run included, and no code is sent', async () => {
  const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
  const first = await openState({
    suspect: 'chain',
    rpc: stage.rpc,
    chain: ethereum,
    memory,
    plan: { key: 'job', seeds },
  })
  await first.load([slot(world.contract, 77n), account(world.unused)])
  first.noteUse?.(seeds)
  await stage.node.call('evm_mine')
  const count = await stage.roundTrips(async () => {
    const state = await openState({
      suspect: 'chain',
      rpc: stage.rpc,
      chain: ethereum,
      memory,
      plan: { key: 'job', seeds: [] },
    })
    expect(state.block.number).toBe(first.block.number + 1n)
    expect(state.storage(world.contract, 77n)).toBe(0n)
    expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
  })
  expect(count).toBe(1)
  // The contract cannot use its nonce, so only those of the accounts without code are asked for.
  expect(stage.proxy.seen.calls.filter(({ method }) => method === 'eth_getTransactionCount')).toHaveLength(2)
})

test('what was read ahead and not used is not read again', async () => {
  const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
  const open = () =>
    openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan: { key: 'job', seeds } })
  const first = await open()
  first.noteUse?.([slot(world.contract, 5n)])
  await stage.node.call('evm_mine')
  await stage.roundTrips(async () => {
    const state = await open()
    expect(state.storage(world.contract, 5n)).toBe(world.storage.get(5n))
    expect(state.storage(world.contract, 0n)).toBeUndefined()
    expect(state.account(world.holder)).toBeUndefined()
  })
})

test('a new job is not sent the code of contracts that other jobs have met', async () => {
  const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
  await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan: { key: 'one', seeds } })
  await stage.roundTrips(async () => {
    const state = await openState({
      suspect: 'chain',
      rpc: stage.rpc,
      chain: ethereum,
      memory,
      plan: { key: 'other', seeds },
    })
    expect(state.code(state.account(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
  })
  const calldata = stage.proxy.seen.calls.flatMap(({ method, params: [call] }) => (method === 'eth_call' ? [call] : []))
  // The first bit of the word would ask for the code.
  expect((calldata[0] as { data: string }).data.slice(0, 66)).toBe(toPaddedHex(BigInt(world.contract), 32))
})

test('a head that is not shared is read anew', async () => {
  const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
  await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory })
  expect(await stage.roundTrips(() => openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory }))).toBe(1)
})

test('a node without overrides takes two: the block, then everything of it', async () => {
  stage.proxy.inject(...limitedNode('overrides'))
  expect(
    await stage.roundTrips(() =>
      openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds } }),
    ),
  ).toBe(2)
})
