import { describe, expect, test } from 'vitest'
import type { Fault } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { account, clock, seeds, setUpNodeStage, slot, world } from '../../test/state/node-stage.js'
import { ethereum } from '../chains/ethereum.js'
import { type Address, EMPTY_CODE_HASH, hexToBytes, toPaddedHex, toQuantity } from '../hex.js'
import { openState } from './rpc-state-source.js'
import { createStateMemory } from './state-memory.js'
import { stateSourceConformance } from './state-source.conformance.js'
import { BlockNotFoundError, StateFloodError, StateUnavailableError } from './state-source.js'

const stage = setUpNodeStage()

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
    stage.proxy.inject(...faults)
    return { state: await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum }), world }
  })
}

describe('what the node says is checked', () => {
  test('code that changed since is fetched again', async () => {
    const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
    const address = '0x00000000000000000000000000000000000c0de1'
    await stage.node.call('anvil_setCode', address, '0x6001')
    await stage.node.call('evm_mine')
    const plan = { key: 'upgraded', seeds: [account(address)] }
    await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan })
    await stage.node.call('anvil_setCode', address, '0x6002')
    await stage.node.call('evm_mine')
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, memory, plan })
    expect(state.code(state.account(address)?.codeHash ?? '0x')).toEqual(hexToBytes('0x6002'))
  })

  test.each(['baseFeePerGas', 'timestamp', 'mixHash'])('a header whose %s was changed is refused', async (field) => {
    await stage.rpc.probe()
    stage.proxy.inject({
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
    await expect(openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })).rejects.toThrow(
      StateUnavailableError,
    )
  })

  test('a head that moved between the items of a batch is noticed, and everything read again by hash', async () => {
    await stage.rpc.probe()
    const head = (await stage.node.call<{ number: `0x${string}` }>('eth_getBlockByNumber', 'latest', false)).number
    const previous = toQuantity(BigInt(head) - 1n)
    stage.proxy.inject({
      name: 'an older header',
      method: 'eth_getBlockByNumber',
      call: (call) => ({ ...call, params: [previous, false] }),
    })
    const count = await stage.roundTrips(async () => {
      const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds } })
      expect(toQuantity(state.block.number)).toBe(previous)
    })
    expect(count).toBe(2)
  })

  test('a contract that runs in spite of its override is read slot by slot', async () => {
    const stubborn = '0x00000000000000000000000000000000000c0de2'
    await stage.node.call('anvil_setCode', stubborn, '0x60aa5f5260405ff3')
    await stage.node.call('anvil_setStorageAt', stubborn, toPaddedHex(3n, 32), toPaddedHex(33n, 32))
    await stage.node.call('evm_mine')
    const strip: Fault = {
      name: 'one override is ignored',
      method: 'eth_call',
      call: (call) => {
        const [tx, block, overrides] = call.params as [unknown, unknown, Record<string, unknown> | undefined]
        const { [stubborn]: _, ...rest } = overrides ?? {}
        return { ...call, params: overrides ? [tx, block, rest] : [tx, block] }
      },
    }
    stage.proxy.inject(strip, ...limitedNode('eth_getStorageValues'))
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    await state.load([slot(stubborn, 3n), slot(world.contract, 0n)])
    expect(state.storage(stubborn, 3n)).toBe(33n)
    expect(state.storage(world.contract, 0n)).toBe(1n)
  })

  test('programs stand at another address each time, so that no code can ask for what stands there', async () => {
    const places = () =>
      stage.proxy.seen.calls.flatMap(({ method, params: [call] }) =>
        method === 'eth_call' ? (call as { to: Address }).to : [],
      )
    await stage.rpc.probe()
    stage.proxy.reset()
    const first = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan: { key: 'job', seeds } })
    await first.load([account(world.unused)])
    const seen = places()
    expect(seen.length).toBeGreaterThan(2)
    expect(new Set(seen).size).toBe(seen.length)
    // Who asks for one of them by name is told what is there.
    await first.load(seen.map(account))
    for (const place of seen) expect(first.account(place)?.codeHash).toBe(EMPTY_CODE_HASH)
  })

  test('a block can be replayed by its number', async () => {
    const changing = '0x00000000000000000000000000000000000c0de3'
    await stage.node.call('anvil_setStorageAt', changing, toPaddedHex(0n, 32), toPaddedHex(1n, 32))
    await stage.node.call('evm_mine')
    const then = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    // anvil writes into the state of the block before, until that one has a successor.
    await stage.node.call('evm_mine')
    await stage.node.call('anvil_setStorageAt', changing, toPaddedHex(0n, 32), toPaddedHex(2n, 32))
    await stage.node.call('evm_mine')
    const plan = { key: 'replay', seeds: [slot(changing, 0n)] }
    const replayed = await openState({
      suspect: 'chain',
      rpc: stage.rpc,
      chain: ethereum,
      blockNumber: then.block.number,
      plan,
    })
    expect(replayed.block).toEqual(then.block)
    expect(replayed.storage(changing, 0n)).toBe(1n)
    await then.load(plan.seeds)
    expect(then.storage(changing, 0n)).toBe(1n)
  })

  test.each(Object.entries(styles))(
    'a height above the head is not there, and no failure of the node: %s',
    async (_, faults) => {
      stage.proxy.inject(...faults)
      const plan = { key: 'above', seeds }
      for (let i = 0; i < 6; i += 1) {
        await expect(
          openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, blockNumber: 10_000_000n, plan }),
        ).rejects.toThrow(BlockNotFoundError)
      }
      expect(
        (await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan })).block.number,
      ).toBeGreaterThan(0n)
    },
  )

  test('a node that does not answer says nothing about a height', async () => {
    stage.proxy.inject({
      name: 'broken',
      answer: (honest) => ({ ...honest, result: undefined, error: { code: -32603, message: 'internal' } }),
    })
    const asked = openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, blockNumber: 1n })
    await expect(asked).rejects.toThrow(StateUnavailableError)
    await expect(asked).rejects.not.toThrow(BlockNotFoundError)
  })

  test.each([
    ['by hash', []],
    ['by number', limitedNode('block hash')],
    ['by number, one by one', limitedNode('block hash', 'overrides', 'eth_getStorageValues')],
  ] as const)('a block that was replaced is gone, and its reader is told so (%s)', async (_, faults) => {
    stage.proxy.inject(...faults)
    const snapshot = await stage.node.call('evm_snapshot')
    await stage.node.call('evm_mine')
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    await stage.node.call('evm_revert', snapshot)
    await stage.node.call('evm_increaseTime', 1_000)
    await stage.node.call('evm_mine')
    const error = await state.load(seeds).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StateUnavailableError)
    expect(error).toMatchObject({ isBlockGone: true })
  })

  test('block hashes are those that BLOCKHASH answers', async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const number = state.block.number - 3n
    const { hash } = await stage.node.call<{ hash: string }>('eth_getBlockByNumber', toQuantity(number), false)
    await state.load([{ kind: 'blockHash', number }])
    expect(state.blockHash(number)).toBe(hash)
    expect(state.blockHash(state.block.number)).toBe(state.block.hash)
    expect(state.blockHash(state.block.number - 1n)).toBe(state.block.parentHash)
  })

  test('more than any trade needs is refused', async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const flood = Array.from({ length: 5_000 }, (_, i) => slot(world.contract, BigInt(i)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
  })

  test('a flood of accounts is refused in whole, and other parts of the analysis go on', async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const flood = Array.from({ length: 1_000 }, (_, i) => account(toPaddedHex(BigInt(i + 70_000), 20)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
    await state.load([account(world.holder)])
    expect(state.account(world.holder)?.balance).toBe(world.holderBalance)
  })

  test('single reads that run out of calls by sheer number are a flood, not a failure of the node', async () => {
    stage.proxy.inject(...limitedNode('overrides', 'eth_getStorageValues'))
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const flood = Array.from({ length: 3_000 }, (_, i) => slot(world.contract, BigInt(i)))
    await expect(state.load(flood)).rejects.toThrow(StateFloodError)
  })

  test('many accounts are read in parts', async () => {
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const many = Array.from({ length: 200 }, (_, i) => account(toPaddedHex(BigInt(i + 70_000), 20)))
    expect(await stage.roundTrips(() => state.load([...many, slot(world.contract, 0n)]))).toBe(4)
    expect(many.every((miss) => state.account(miss.kind === 'account' ? miss.address : '0x')?.balance === 0n)).toBe(
      true,
    )
  })

  test('thousands of slots come in one request', async () => {
    stage.proxy.inject(...limitedNode('eth_getStorageValues'))
    const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum })
    const many = Array.from({ length: 4_000 }, (_, i) => slot(world.contract, BigInt(i)))
    expect(await stage.roundTrips(() => state.load(many))).toBe(1)
    expect(state.storage(world.contract, 5n)).toBe((1n << 256n) - 1n)
    expect(state.storage(world.contract, 3_999n)).toBe(0n)
  })
})
