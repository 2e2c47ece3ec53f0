import { describe, expect, test } from 'vitest'
import { type Address, EMPTY_CODE_HASH, type Hex, WORD_MASK } from '../hex.js'
import { keccak256 } from '../keccak.js'
import type { StateMiss } from './state-reader.js'
import type { StateSource } from './state-source.js'

/** The world that an implementation under test must be opened on. */
export interface ConformanceWorld {
  contract: Address
  code: Uint8Array
  /** Slots of `contract`, none zero. */
  storage: ReadonlyMap<bigint, bigint>
  /** An account without code. */
  holder: Address
  holderBalance: bigint
  holderNonce: bigint
  /** An address that nothing ever happened at. */
  unused: Address
}

/** What every {@link StateSource} promises. */
export function stateSourceConformance(
  name: string,
  open: () => Promise<{ state: StateSource; world: ConformanceWorld }>,
): void {
  describe(`${name}: state source`, () => {
    test('knows nothing before it is loaded', async () => {
      const { state, world } = await open()
      expect(state.account(world.contract)).toBeUndefined()
      expect(state.storage(world.contract, 0n)).toBeUndefined()
      expect(state.code(keccak256(world.code))).toBeUndefined()
    })

    test('knows an account with its code after one load', async () => {
      const { state, world } = await open()
      await state.load([account(world.contract)])
      const known = state.account(world.contract)
      expect(known?.codeHash).toBe(keccak256(world.code))
      expect(state.code(known?.codeHash as Hex)).toEqual(world.code)
    })

    test('reads balance and nonce', async () => {
      const { state, world } = await open()
      await state.load([account(world.holder)])
      expect(state.account(world.holder)).toEqual({
        balance: world.holderBalance,
        nonce: world.holderNonce,
        codeHash: EMPTY_CODE_HASH,
      })
      expect(state.code(EMPTY_CODE_HASH)).toEqual(new Uint8Array(0))
    })

    test('an account that does not exist is empty', async () => {
      const { state, world } = await open()
      await state.load([account(world.unused)])
      expect(state.account(world.unused)).toEqual({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
    })

    test('reads slots, the large keys too, and unwritten ones as zero', async () => {
      const { state, world } = await open()
      const unwritten = WORD_MASK
      await state.load([...world.storage.keys(), unwritten].map((key) => slot(world.contract, key)))
      for (const [key, value] of world.storage) expect(state.storage(world.contract, key)).toBe(value)
      expect(state.storage(world.contract, unwritten)).toBe(0n)
    })

    test('slots of an account without code are zero', async () => {
      const { state, world } = await open()
      await state.load([
        slot(world.holder, 0n),
        slot(world.unused, 7n),
        slot('0x0000000000000000000000000000000000000001', 1n),
      ])
      expect(state.storage(world.holder, 0n)).toBe(0n)
      expect(state.storage(world.unused, 7n)).toBe(0n)
      expect(state.storage('0x0000000000000000000000000000000000000001', 1n)).toBe(0n)
    })

    test('answers the same question twice, and an empty list of questions', async () => {
      const { state, world } = await open()
      await state.load([])
      await state.load([account(world.contract), account(world.contract)])
      await state.load([account(world.contract)])
      expect(state.account(world.contract)?.codeHash).toBe(keccak256(world.code))
    })

    test('the snapshot holds what is known', async () => {
      const { state, world } = await open()
      const [[key, value] = [0n, 0n]] = world.storage
      await state.load([account(world.contract), slot(world.contract, key)])
      const { accounts, code, storage } = structuredClone(state.snapshot())
      expect(code.get(accounts.get(world.contract)?.codeHash ?? '0x')).toEqual(world.code)
      expect(storage.get(world.contract)?.get(key)).toBe(value)
    })
  })
}

const account = (address: Address): StateMiss => ({ kind: 'account', address })
const slot = (address: Address, key: bigint): StateMiss => ({ kind: 'storage', address, slot: key })
