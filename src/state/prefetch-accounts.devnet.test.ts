import { describe, expect, test } from 'vitest'
import { account, setUpNodeStage, slot, world } from '../../test/state/node-stage.js'
import { ethereum } from '../chains/ethereum.js'
import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex } from '../hex.js'
import type { AccountPrefetch } from './prefetch-accounts.js'
import { openState } from './rpc-state-source.js'
import { type StateMiss, UNKNOWN_NONCE } from './state-reader.js'

const stage = setUpNodeStage()

const TOKEN: Address = '0x000000000000000000000000000000000001ed9e'
/** Wallets, with coins and never used; neither looks like a number. */
const WALLET: Address = '0xa11ce00000000000000000000000000000000001'
const UNUSED: Address = '0xdeadbeef00000000000000000000000000000002'
const HELPER: Address = '0xc0de000000000000000000000000000000000003'
/** It creates contracts, so that its nonce matters. */
const FACTORY: Address = '0xfac7000000000000000000000000000000000004'
const COINS = 7n * 10n ** 18n

/** Any rule will do where no entry is looked at. */
const entrySlot = (mapping: bigint, holder: Address) => (mapping << 200n) + BigInt(holder)
const none: AccountPrefetch = { contract: TOKEN, slots: [], holders: [], mappings: [], entrySlot }

const push20 = (address: Address) => `73${address.slice(2)}`
const push32 = (address: Address) => `7f${'00'.repeat(12)}${address.slice(2)}`

async function place({ code = '00', words = {} }: { code?: string; words?: Record<number, bigint> }) {
  const { node } = stage
  await node.call('anvil_setBalance', WALLET, `0x${COINS.toString(16)}`)
  await node.call('anvil_setNonce', WALLET, '0x5')
  await node.call('anvil_setCode', HELPER, '0x5f545f5260205ff3')
  await node.call('anvil_setCode', FACTORY, '0x5f5f5ff0')
  await node.call('anvil_setCode', TOKEN, `0x${code}`)
  for (let key = 0; key < 4; key += 1) {
    await node.call('anvil_setStorageAt', TOKEN, toPaddedHex(BigInt(key), 32), toPaddedHex(words[key] ?? 0n, 32))
  }
  await node.call('evm_mine')
}

/** The state with what the guess brought, in one request. */
async function openWith(prefetch: AccountPrefetch, seeds: readonly StateMiss[] = []) {
  await stage.rpc.probe()
  stage.proxy.reset()
  const plan = { key: 'job', seeds, prefetch }
  const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan })
  expect(stage.proxy.seen.http).toBe(1)
  return state
}

describe('words that name accounts', () => {
  const slots = [0n, 1n, 2n, 3n]

  test('bring these accounts with their code, and nothing for numbers', async () => {
    // Behind an address there is room for a flag.
    const words = { 0: (1n << 160n) | BigInt(WALLET), 1: BigInt(HELPER), 2: 10n ** 27n, 3: BigInt(UNUSED) }
    await place({ words })
    const state = await openWith({ ...none, slots })
    for (const key of slots) expect(state.storage(TOKEN, key)).toBe(words[Number(key) as keyof typeof words])
    expect(state.account(WALLET)).toEqual({ balance: COINS, nonce: UNKNOWN_NONCE, codeHash: EMPTY_CODE_HASH })
    expect(state.account(UNUSED)).toEqual({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
    const helper = state.account(HELPER)
    expect(state.code(helper?.codeHash ?? '0x')).toEqual(world.code)
    expect(helper?.nonce).toBe(1n)
    expect([...state.snapshot().accounts.keys()].toSorted()).toEqual([WALLET, HELPER, UNUSED].toSorted())
  })

  test('leave the nonce to be asked for where code can use it', async () => {
    await place({ words: { 0: BigInt(FACTORY), 1: BigInt(WALLET) } })
    const state = await openWith({ ...none, slots })
    expect(state.account(FACTORY)?.nonce).toBe(UNKNOWN_NONCE)
    await state.load([account(WALLET)])
    expect(state.account(WALLET)?.nonce).toBe(5n)
    // Code that asks for one after the other is not to spend a request on each.
    expect(state.account(FACTORY)?.nonce).toBe(0n)
    expect(stage.proxy.seen.http).toBe(2)
  })

  test('do not take the place of accounts that are read for themselves', async () => {
    await place({ words: { 0: BigInt(WALLET) } })
    const state = await openWith({ ...none, slots }, [account(WALLET)])
    expect(state.account(WALLET)?.nonce).toBe(5n)
  })
})

describe('entries in mappings', () => {
  /** `mapping(address => uint256)` at slot 9. */
  const hashed = async (mapping: bigint, holder: Address) =>
    BigInt(
      await stage.node.call<Hex>('web3_sha3', `${toPaddedHex(BigInt(holder), 32)}${toPaddedHex(mapping, 32).slice(2)}`),
    )

  test('are read of holders that have code, of the zero address, and of accounts that are named', async () => {
    await place({ words: { 0: BigInt(WALLET) } })
    const keys = new Map<string, bigint>()
    for (const mapping of [0n, 9n]) {
      for (const holder of [WALLET, HELPER, world.holder, ZERO] as const) {
        const key = await hashed(mapping, holder)
        keys.set(`${mapping}${holder}`, key)
        await stage.node.call('anvil_setStorageAt', TOKEN, toPaddedHex(key, 32), toPaddedHex(mapping + 1n, 32))
      }
    }
    await stage.node.call('evm_mine')
    const keyOf = (mapping: bigint, holder: Address) => keys.get(`${mapping}${holder}`) ?? 0n
    const state = await openWith({
      ...none,
      slots: [0n],
      holders: [HELPER, world.holder, ZERO],
      mappings: [0n, 9n],
      entrySlot: keyOf,
    })
    const entryOf = (mapping: bigint, holder: Address) => state.storage(TOKEN, keyOf(mapping, holder))
    for (const holder of [WALLET, HELPER, ZERO] as const)
      expect([entryOf(0n, holder), entryOf(9n, holder)]).toEqual([1n, 10n])
    // Nothing is deployed there.
    expect(entryOf(0n, world.holder)).toBeUndefined()
    // Holders are asked for as accounts where they are needed as such.
    expect(state.account(HELPER)).toBeUndefined()
  })
})

const ZERO: Address = '0x0000000000000000000000000000000000000000'

describe('code that names accounts', () => {
  test('brings those of PUSH20 and PUSH32, once each, and no other bytes', async () => {
    const mask = push20(`0x${'ff'.repeat(20)}`)
    const selector = `7f${'a1'.repeat(32)}`
    // The bytes of a constant are no instructions.
    const hidden = `7e${push20(FACTORY)}${'00'.repeat(10)}`
    const code = [push20(WALLET), push32(HELPER), push32(WALLET), mask, selector, hidden, `73${'ab'.repeat(3)}`].join(
      '',
    )
    await place({ code })
    const state = await openWith(none)
    const found = [...state.snapshot().accounts.keys()]
    // What is cut off at the end goes on with zeros, as it would when it runs.
    expect(found).toEqual([WALLET, HELPER, `0x${'ab'.repeat(3)}${'00'.repeat(17)}`])
    expect(state.account(WALLET)).toMatchObject({ balance: COINS, nonce: UNKNOWN_NONCE })
    expect(state.code(state.account(HELPER)?.codeHash ?? '0x')).toEqual(world.code)
  })

  test('leaves out what is known already', async () => {
    await place({ code: [push20(WALLET), push20(HELPER)].join('') })
    const state = await openWith({ ...none, holders: [HELPER] })
    expect([...state.snapshot().accounts.keys()]).toEqual([WALLET])
  })

  test('has no more than 24 of them read, however many it names and however long it is', async () => {
    const many = Array.from({ length: 2_600 }, (_, i): Address => toPaddedHex((1n << 150n) + BigInt(i), 20))
    await place({ code: many.map(push20).join('') })
    const state = await openWith(none)
    expect([...state.snapshot().accounts.keys()]).toEqual(many.slice(0, 24))
  })
})

test('a guess that a node refuses takes nothing from the rest', async () => {
  await place({ words: { 0: BigInt(WALLET) } })
  await stage.rpc.probe()
  const isOfToken = (params: unknown[]) => JSON.stringify(params).includes(TOKEN.slice(2))
  stage.proxy.inject({
    name: 'refuses calls about the token',
    method: 'eth_call',
    answer: (honest, { params }) =>
      isOfToken(params) ? { id: honest.id, jsonrpc: '2.0', error: { code: -32000, message: 'out of gas' } } : honest,
  })
  stage.proxy.reset()
  const plan = {
    key: 'job',
    seeds: [account(world.holder), slot(world.contract, 0n)],
    prefetch: { ...none, slots: [0n] },
  }
  const state = await openState({ suspect: 'chain', rpc: stage.rpc, chain: ethereum, plan })
  expect(state.account(world.holder)?.balance).toBe(world.holderBalance)
  expect(state.storage(world.contract, 0n)).toBe(1n)
  expect(state.storage(TOKEN, 0n)).toBeUndefined()
  expect(stage.proxy.seen.http).toBe(1)
})
