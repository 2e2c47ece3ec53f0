import fc from 'fast-check'
import { concatHex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { chains } from '../chains/index.js'
import type { Log } from '../evm/inspector.js'
import { type Address, bytesToHex, type Hex } from '../hex.js'
import { createUniswapV2 } from './uniswap-v2.js'
import { createUniswapV3 } from './uniswap-v3.js'
import type { Pool } from './venue.js'
import { venuesOf } from './venues.js'

const [uniswapV2] = ethereum.v2.map((deployment) => createUniswapV2(ethereum, deployment))
const [uniswapV3] = ethereum.v3.map((deployment) => createUniswapV3(ethereum, deployment))

const ADDRESS: Address = '0x00000000000000000000000000000000000b0071'
const LOW: Address = '0x0000000000000000000000000000000000000001'
const HIGH: Address = '0xffffffffffffffffffffffffffffffffffffffff'
const poolOf = (token: Address, quote: Address): Pool => ({
  ...{ venue: 'any', address: ADDRESS, token, quote, quoteReserve: 1n, tokenReserve: 1n },
})
const V2_TOPIC = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'
const V3_TOPIC = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
/** What the other venues listen to. */
const TOPICS: Hex[] = [
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83',
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
]
const words = (...values: bigint[]): Hex =>
  concatHex(values.map((value) => numberToHex(value, { size: 32, signed: value < 0n })))
const swap = (topic: Hex, data: Hex, address = ADDRESS): Log => ({ address, topics: [topic], data })

describe('a swap on a V2 pool', () => {
  test('is read by which token comes first, and by its direction', () => {
    const log = swap(V2_TOPIC, words(0n, 7n, 11n, 0n))
    expect(uniswapV2?.readSwap(poolOf(LOW, HIGH), 'buy', [log])).toEqual({ amountIn: 7n, amountOut: 11n })
    expect(uniswapV2?.readSwap(poolOf(HIGH, LOW), 'sell', [log])).toEqual({ amountIn: 7n, amountOut: 11n })
    expect(uniswapV2?.readSwap(poolOf(LOW, HIGH), 'sell', [log])).toBeUndefined()
    expect(uniswapV2?.readSwap(poolOf(HIGH, LOW), 'buy', [log])).toBeUndefined()
  })

  test('is the last of its direction: swap-backs come before the trade', () => {
    const logs = [swap(V2_TOPIC, words(1n, 0n, 0n, 2n)), swap(V2_TOPIC, words(3n, 0n, 0n, 4n))]
    expect(uniswapV2?.readSwap(poolOf(LOW, HIGH), 'sell', logs)).toEqual({ amountIn: 3n, amountOut: 4n })
  })

  test('does not count when another contract logs it', () => {
    expect(uniswapV2?.readSwap(poolOf(LOW, HIGH), 'sell', [swap(V2_TOPIC, words(1n, 0n, 0n, 2n), LOW)])).toBeUndefined()
  })
})

describe('a swap on a V3 pool', () => {
  test('counts what comes in as positive and what goes out as negative', () => {
    const log = swap(V3_TOPIC, words(-11n, 7n, 1n, 1n, 0n))
    expect(uniswapV3?.readSwap(poolOf(LOW, HIGH), 'buy', [log])).toEqual({ amountIn: 7n, amountOut: 11n })
    expect(uniswapV3?.readSwap(poolOf(HIGH, LOW), 'sell', [log])).toEqual({ amountIn: 7n, amountOut: 11n })
    expect(uniswapV3?.readSwap(poolOf(LOW, HIGH), 'sell', [log])).toBeUndefined()
  })
})

describe.each(
  chains.flatMap((chain) => venuesOf(chain).map((venue) => ({ venue, chain: chain.slug, name: venue.name }))),
)('$name on $chain', ({ venue }) => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map(bytesToHex)
  const topic = fc.oneof(
    fc.constantFrom<Hex>(V2_TOPIC, V3_TOPIC, ...TOPICS),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytesToHex),
  )
  const log: fc.Arbitrary<Log> = fc.record({
    address: fc.constantFrom(ADDRESS, LOW),
    topics: fc.array(topic, { maxLength: 4 }),
    data: bytes,
  })

  test('no log upsets the reading, and what is read is more than nothing', () => {
    fc.assert(
      fc.property(
        fc.array(log, { maxLength: 5 }),
        fc.boolean(),
        fc.constantFrom('buy', 'sell'),
        (logs, isFirst, direction) => {
          const pool = isFirst ? poolOf(LOW, HIGH) : poolOf(HIGH, LOW)
          const read = venue.readSwap(pool, direction, logs)
          if (!read) return
          expect(read.amountIn).toBeGreaterThanOrEqual(0n)
          expect(read.amountOut).toBeGreaterThanOrEqual(0n)
        },
      ),
    )
  })
})
