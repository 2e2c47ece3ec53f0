import { expect, test } from 'vitest'
import { viewOf } from './account.js'
import { packed } from './instruction.js'
import { laterSlotHashes } from './slot-hashes.js'

const entry = (slot: bigint, fill: number) => packed([64, slot], new Uint8Array(32).fill(fill))
const DATA = packed([64, 2], entry(1_000n, 1), entry(999n, 2), new Uint8Array(40))

test('slots move on, and no hash is one that was seen before', () => {
  const later = laterSlotHashes(DATA, 216_000n)
  const view = viewOf(later)
  expect([view.getBigUint64(0, true), view.getBigUint64(8, true), view.getBigUint64(48, true)]).toEqual([
    2n,
    217_000n,
    216_999n,
  ])
  expect(later.length).toBe(DATA.length)
  expect(later.subarray(16, 48)).not.toEqual(DATA.subarray(16, 48))
  expect(later.subarray(16, 48)).not.toEqual(later.subarray(56, 88))
  expect(laterSlotHashes(DATA, 216_000n)).toEqual(later)
})

test('now they are as the cluster has them', () => {
  expect(laterSlotHashes(DATA, 0n)).toBe(DATA)
})

test.each([
  ['nothing', new Uint8Array()],
  ['a count of more than there is', packed([64, 2n ** 63n], entry(1n, 1))],
])('%s is taken as it is', (_, data) => {
  expect(laterSlotHashes(data, 5n).length).toBe(data.length)
})
