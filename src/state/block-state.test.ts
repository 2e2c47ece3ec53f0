import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { type BlockState, createBlockState, createLogReader, type StateLog, sizeOfLog } from './block-state.js'
import { createSnapshot, setStorage } from './known-state.js'
import type { StateSnapshot } from './state-source.js'

const TOKEN: Address = toPaddedHex(0xc0den, 20)
const HASH: Hex = toPaddedHex(1n, 32)

function slots(...entries: [slot: bigint, value: bigint][]): StateSnapshot {
  const values = createSnapshot()
  for (const [slot, value] of entries) setStorage(values, TOKEN, slot, value)
  return values
}

function account(nonce: bigint, codeBytes = 0): StateSnapshot {
  const values = createSnapshot()
  values.accounts.set(TOKEN, { balance: 2n ** 200n, nonce, codeHash: HASH })
  if (codeBytes > 0) values.code.set(HASH, new Uint8Array(codeBytes).fill(7))
  return values
}

/** As it arrives in another thread, where it does not grow any more. */
const posted = (state: BlockState): StateLog => structuredClone(state.log())

test('a reader knows what was added, and then what was added since', () => {
  const state = createBlockState()
  const reader = createLogReader()
  state.add(account(3n, 24_576))
  state.add(slots([1n, 2n ** 255n]))
  reader.readOn(posted(state))
  expect(reader.values).toEqual(state.values)
  state.add(slots([2n, 5n]))
  const before = posted(state)
  state.add(slots([3n, 6n]))
  reader.readOn(posted(state))
  expect(reader.values).toEqual(state.values)
  // A run that was posted earlier may begin later.
  reader.readOn(before)
  expect(reader.values).toEqual(state.values)
})

test('of two answers to one question the first stays', () => {
  const state = createBlockState()
  state.add(slots([1n, 5n]))
  state.add(slots([1n, 6n], [2n, 7n]))
  expect([...(state.values.storage.get(TOKEN) ?? [])]).toEqual([
    [1n, 5n],
    [2n, 7n],
  ])
  const reader = createLogReader()
  reader.readOn(posted(state))
  expect(reader.values).toEqual(state.values)
})

test('an account whose code is not known yet is known with its code', () => {
  const state = createBlockState()
  state.add(account(1n))
  state.add(account(1n, 10))
  expect(state.values.code.get(HASH)).toHaveLength(10)
})

test('what is known already takes no room', () => {
  const state = createBlockState()
  state.add(account(1n, 100))
  state.add(slots([1n, 1n]))
  const bytes = sizeOfLog(state.log())
  state.add(account(1n, 100))
  state.add(slots([1n, 1n]))
  expect(sizeOfLog(state.log())).toBe(bytes)
})

test('readers that read on at any time know the same in the end', () => {
  const addition = fc.record({
    entries: fc.array(fc.tuple(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))),
    codeBytes: fc.integer({ min: 0, max: 60_000 }),
    isRead: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(addition, { maxLength: 30 }), (additions) => {
      const state = createBlockState()
      const reader = createLogReader()
      for (const { entries, codeBytes, isRead } of additions) {
        state.add(slots(...entries))
        const code = createSnapshot()
        code.code.set(toPaddedHex(BigInt(codeBytes), 32), new Uint8Array(codeBytes).fill(codeBytes % 251))
        state.add(code)
        if (isRead) reader.readOn(posted(state))
      }
      reader.readOn(posted(state))
      expect(reader.values).toEqual(state.values)
    }),
    { numRuns: 50 },
  )
})
