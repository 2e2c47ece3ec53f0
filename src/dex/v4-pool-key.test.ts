import fc from 'fast-check'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { type Address, type Hex, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { readInitialize, V4_INITIALIZE_TOPIC, type V4PoolKey, v4PoolId } from './v4-pool-key.js'

const address = fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map((value): Address => toPaddedHex(value, 20) as Address)
const key: fc.Arbitrary<V4PoolKey> = fc.record({
  currency0: address,
  currency1: address,
  fee: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
  tickSpacing: fc.integer({ min: 1, max: 32_767 }),
  hooks: address,
})

const dataOf = ({ fee, tickSpacing, hooks }: V4PoolKey): Hex =>
  encodeAbiParameters(parseAbiParameters('uint24, int24, address, uint160, int24'), [fee, tickSpacing, hooks, 1n, -1])
const logOf = (each: V4PoolKey) => ({
  topics: [
    V4_INITIALIZE_TOPIC,
    v4PoolId(each),
    ...[each.currency0, each.currency1].map((currency) => toPaddedHex(BigInt(currency), 32)),
  ],
  data: dataOf(each),
})

test('a log tells the key that it was made of', () => {
  fc.assert(
    fc.property(key, (each) => {
      expect(readInitialize(logOf(each))).toEqual(each)
    }),
  )
})

test('a log whose id is not that of its key tells nothing', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      fc.pre(v4PoolId(one) !== v4PoolId(other))
      const [topic = '0x', , ...currencies] = logOf(one).topics
      expect(readInitialize({ topics: [topic, v4PoolId(other), ...currencies], data: dataOf(one) })).toBeUndefined()
    }),
  )
})

test('whatever a log holds, reading it does not fail', () => {
  const hex = fc.uint8Array({ maxLength: 200 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
  fc.assert(
    fc.property(fc.array(hex, { maxLength: 5 }), hex, (topics, data) => {
      expect(
        readInitialize({ topics: [V4_INITIALIZE_TOPIC, ...topics.filter((topic) => topic.length > 2)], data }),
      ).toBeUndefined()
    }),
  )
})

test('the id is the hash of the five words of the key', () => {
  const native = { currency0: ZERO_ADDRESS, currency1: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' } as const
  // The pool of ETH and USDC at 0.05 %, as PositionManager and explorers name it.
  expect(v4PoolId({ ...native, fee: 500, tickSpacing: 10, hooks: ZERO_ADDRESS })).toBe(
    '0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27',
  )
})
