import { expect, test } from 'vitest'
import type { StorageChange } from '../../evm/inspectors/storage-access.js'
import type { Address } from '../../hex.js'
import { marksBuyers } from './look-later.js'

const TOKEN: Address = '0x00000000000000000000000000000000000000aa'
const POOL: Address = '0x00000000000000000000000000000000000000bb'
const BOUGHT = 1_000n

const isMarked = (address: Address, ...changes: StorageChange[]) =>
  marksBuyers(
    { exchange: new Set([POOL]) },
    { writes: new Map([[address, new Map(changes.map((each, i) => [BigInt(i), each]))]]) },
    BOUGHT,
  )

test('a record that a purchase leaves of its buyer is a mark', () => {
  expect(isMarked(TOKEN, { before: 0n, after: BOUGHT }, { before: 0n, after: 1_700_000_000n })).toBe(true)
})

test.each([
  ['what was bought', TOKEN, { before: 0n, after: BOUGHT }],
  ['what others have', TOKEN, { before: 5_000n, after: 4_000n }],
  ['what the exchange keeps', POOL, { before: 0n, after: 7n }],
])('%s is none', (_, address, change) => {
  expect(isMarked(address, change)).toBe(false)
})
