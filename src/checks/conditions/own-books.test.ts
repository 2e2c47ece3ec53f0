import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import type { TradeContext } from '../../dex/legs.js'
import { createEvm } from '../../evm/create-evm.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { createTestState, TEST_BLOCK } from '../../evm/testing.js'
import type { Address, Hex } from '../../hex.js'
import { booksOf } from './own-books.js'

const TOKEN: Address = '0x0000000000000000000000000000000000070ce4'
const POOL: Address = '0xb0b0000000000000000000000000000000000001'
const TRADER: Address = '0xa11ce00000000000000000000000000000000002'
const ROUTER: Address = '0xc0de000000000000000000000000000000000003'
/** Reads slot 1, which no account is told from, then answers with what stands at the account. */
const READS_ALONG: Hex = '0x600154506004355460005260206000f3'
/** Answers with a seventh of that. */
const SHARES: Hex = '0x600435546007900460005260206000f3'
const COUNT = 1n

function books({ code = READS_ALONG, held, count = 0n }: { code?: Hex; held: bigint; count?: bigint }) {
  const storage = { [BigInt(POOL).toString()]: held, [BigInt(TRADER).toString()]: 70n, [COUNT.toString()]: count }
  const evm = createEvm({
    state: createTestState({ [TOKEN]: { code, storage } }),
    block: TEST_BLOCK,
    hardfork: 'osaka',
  })
  const context = {
    fork: { evm, chain: ethereum },
    trader: { address: TRADER },
    market: {
      pool: { address: POOL, token: TOKEN, quote: ROUTER },
      venue: { router: ROUTER, sell: () => ({ to: ROUTER }) },
    },
  } as unknown as TradeContext
  return booksOf(context)
}

const word = (slot: bigint, key?: Address): Slot => ({
  kind: 'slot',
  address: TOKEN,
  slot,
  value: 0n,
  entry: key && { key: BigInt(key), place: 5n },
})

describe('the balance of the pool', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 40n })

  test('is no book of the token, of whatever amount and wherever it stands', () => {
    fc.assert(
      fc.property(amount, (held) => {
        expect(books({ held }).isOwn(word(BigInt(POOL)))).toBe(false)
      }),
    )
  })

  test('is that also where its word counts shares', () => {
    for (const held of [7n << 40n, 7n ** 30n])
      expect(books({ code: SHARES, held }).isOwn(word(BigInt(POOL)))).toBe(false)
  })

  test('leaves a word that is read along, though it is of its value, to the token', () => {
    fc.assert(
      fc.property(amount, (held) => {
        expect(books({ held, count: held }).isOwn(word(COUNT))).toBe(true)
        expect(books({ held, count: 1n << 60n }).isOwn(word(COUNT))).toBe(true)
      }),
    )
  })
})

test('what is noted under a key of the exchange or the seller is not the own, and no balance', () => {
  const { isOwn, isOpen } = books({ held: 1_000n })
  for (const key of [POOL, TRADER, ROUTER]) {
    expect([isOwn(word(99n, key)), isOpen(word(99n, key))]).toEqual([false, true])
  }
  expect([isOwn(word(99n)), isOpen(word(99n))]).toEqual([true, true])
  expect(isOpen(word(BigInt(POOL), POOL))).toBe(false)
})
