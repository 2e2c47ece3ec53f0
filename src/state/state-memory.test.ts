import { expect, test } from 'vitest'
import { arbitrum } from '../chains/arbitrum.js'
import { ethereum } from '../chains/ethereum.js'
import { createManualClock } from '../clock.js'
import { toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { createSnapshot, setStorage } from './known-state.js'
import { createStateMemory, type SharedHead } from './state-memory.js'

function headAt(seconds: number): SharedHead {
  return {
    block: { timestamp: BigInt(seconds), hash: toPaddedHex(BigInt(seconds), 32) } as SharedHead['block'],
    endpoint: 0,
  }
}

test('a head is shared until the next one is due, and no longer', () => {
  const clock = createManualClock()
  const memory = createStateMemory({ clock })
  memory.shareHead(ethereum, headAt(clock.now() / 1_000 - 4))
  clock.advance(7_999)
  expect(memory.head(ethereum)).toBeDefined()
  clock.advance(1)
  expect(memory.head(ethereum)).toBeUndefined()
})

test('a head whose successor is overdue is not shared, nor one from a clock that runs ahead for longer than a block', () => {
  const clock = createManualClock()
  const memory = createStateMemory({ clock })
  memory.shareHead(ethereum, headAt(clock.now() / 1_000 - 60))
  expect(memory.head(ethereum)).toBeUndefined()
  memory.shareHead(arbitrum, headAt(clock.now() / 1_000 + 50))
  clock.advance(250)
  expect(memory.head(arbitrum)).toBeUndefined()
})

test('the wall clock cannot prolong it', () => {
  const clock = createManualClock()
  const memory = createStateMemory({ clock })
  memory.shareHead(ethereum, headAt(clock.now() / 1_000))
  clock.step(-3_600_000)
  clock.advance(12_000)
  expect(memory.head(ethereum)).toBeUndefined()
})

test('two thousand tokens leave every cache inside its bounds', () => {
  const clock = createManualClock()
  const bounds = { maxBlockBytes: 1_000_000, maxCodeBytes: 2_000_000, maxReadSetBytes: 300_000 }
  const memory = createStateMemory({ clock, ...bounds })
  for (let token = 1; token <= 2_000; token += 1) {
    const address = toPaddedHex(BigInt(token), 20)
    const code = new Uint8Array(8_000).fill(token % 256, 0, 4_000)
    code.set(Buffer.from(String(token)))
    const state = createSnapshot()
    state.code.set(keccak256(code), code)
    state.accounts.set(address, { balance: 0n, nonce: 1n, codeHash: keccak256(code) })
    for (let slot = 0n; slot < 26n; slot += 1n) setStorage(state, address, slot, slot)
    memory.keep(1, toPaddedHex(BigInt(token >> 3), 32), state)
    memory.learn(
      1,
      `trade:${address}`,
      [
        { kind: 'account', address },
        { kind: 'storage', address, slot: 1n },
      ],
      state,
    )
    const { blockBytes, codeBytes, readSetBytes } = memory.stats()
    expect(blockBytes).toBeLessThanOrEqual(bounds.maxBlockBytes)
    expect(codeBytes).toBeLessThanOrEqual(bounds.maxCodeBytes)
    expect(readSetBytes).toBeLessThanOrEqual(bounds.maxReadSetBytes)
  }
  expect(memory.blockState(toPaddedHex(250n, 32)).values.accounts.size).toBe(1)
  expect(memory.blockState(toPaddedHex(1n, 32)).values.accounts.size).toBe(0)
})

test('what several tokens of a block have in common counts once', () => {
  const memory = createStateMemory({ clock: createManualClock() })
  const [router, hash] = [toPaddedHex(7n, 20), toPaddedHex(1n, 32)]
  const code = new Uint8Array(5_000).fill(1)
  const state = createSnapshot()
  state.code.set(keccak256(code), code)
  state.accounts.set(router, { balance: 0n, nonce: 1n, codeHash: keccak256(code) })
  setStorage(state, router, 1n, 1n)
  state.blockHashes.set(1n, hash)
  const bytesAfter = () => {
    memory.keep(1, hash, state)
    return memory.stats().blockBytes
  }
  const first = bytesAfter()
  expect(first).toBeGreaterThan(code.length)
  expect(bytesAfter()).toBe(first)
  setStorage(state, router, 2n, 1n)
  const more = bytesAfter()
  expect(more).toBeGreaterThan(first)
  expect(more - first).toBeLessThan(code.length)
  expect(bytesAfter()).toBe(more)
})

test('a code that several states hold is one, in memory that threads share', () => {
  const memory = createStateMemory({ clock: createManualClock() })
  const code = new Uint8Array(100).fill(7)
  const codeHash = keccak256(code)
  const kept = [1n, 2n].map((block) => {
    const state = createSnapshot()
    state.code.set(codeHash, Uint8Array.from(code))
    memory.keep(1, toPaddedHex(block, 32), state)
    return state.code.get(codeHash)
  })
  expect(kept[0]).toEqual(code)
  expect(kept[1]).toBe(kept[0])
  expect(memory.code(codeHash)).toBe(kept[0])
  expect(kept[0]?.buffer).toBeInstanceOf(SharedArrayBuffer)
})
