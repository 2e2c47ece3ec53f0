import { keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { arbitrum } from '../chains/arbitrum.js'
import { base } from '../chains/base.js'
import type { Chain } from '../chains/chain.js'
import type { Address, Hex } from '../hex.js'
import type { LogEntry } from '../rpc/log-entry.js'
import { createPoolLogs, newTokensOf } from './pool-creations.js'
import { v4PoolId } from './v4-pool-key.js'

const TOKEN: Address = '0x00000000000000000000000000000000000700aa'
const POOL: Address = '0x00000000000000000000000000000000000900bb'
const word = (value: string | bigint): string => BigInt(value).toString(16).padStart(64, '0')
const topic = (value: string | bigint): Hex => `0x${word(value)}`

const logOf = (address: Address, event: string, topics: readonly (string | bigint)[], data: (string | bigint)[]) =>
  ({
    address,
    topics: [keccak256(toHex(event)), ...topics.map(topic)],
    data: `0x${data.map(word).join('')}`,
  }) as unknown as LogEntry

const key = {
  currency0: '0x0000000000000000000000000000000000000000',
  currency1: TOKEN,
  fee: 3_000,
  tickSpacing: 60,
} as const
const id = v4PoolId({ ...key, hooks: POOL })
const of = (chain: Chain) => ({ quote: chain.wrappedNative, pools: createPoolLogs(chain) })

describe.each([
  ['v2', base, base.v2[0]?.factory, 'PairCreated(address,address,address,uint256)', [], [POOL, 7n]],
  ['v3', base, base.v3[0]?.factory, 'PoolCreated(address,address,uint24,int24,address)', [3_000n], [60n, POOL]],
  ['solidly', base, base.solidly[0]?.factory, 'PoolCreated(address,address,bool,address,uint256)', [1n], [POOL, 7n]],
  ['slipstream', base, base.slipstream[0]?.factory, 'PoolCreated(address,address,int24,address)', [200n], [POOL]],
  ['algebra', arbitrum, arbitrum.algebra[0]?.factory, 'Pool(address,address,address)', [], [POOL]],
] as const)('a pool of the family %s', (family, chain, factory, event, more, data) => {
  const { pools, quote } = of(chain)
  const log = logOf(factory as Address, event, [TOKEN, quote, ...more], [...data])

  test('is read from what its factory tells', () => {
    const creation = pools.creation(log)
    expect(creation).toEqual({ exchange: chain[family][0]?.name, pool: POOL, currencies: [TOKEN, quote] })
    expect(creation && newTokensOf(chain, creation)).toEqual([{ token: TOKEN, quote }])
    expect(pools.filter([]).address).toContain(factory)
    expect(pools.filter([]).topics[0]).toContain(log.topics[0])
  })

  test('is none by the word of another contract, or where the pool is missing', () => {
    expect(pools.creation({ ...log, address: POOL })).toBeUndefined()
    expect(pools.creation({ ...log, data: '0x' })).toBeUndefined()
  })
})

describe('a pool of Uniswap V4', () => {
  const { pools } = of(base)
  const manager = base.v4[0]?.poolManager as Address
  const event = 'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)'
  const log = logOf(manager, event, [id, key.currency0, TOKEN], [3_000n, 60n, POOL, 1n, 0n])

  test('is read with its id, hooks and all', () => {
    expect(pools.creation(log)).toEqual({ exchange: 'Uniswap V4', pool: id, currencies: [key.currency0, TOKEN] })
    expect(pools.creation({ ...log, address: POOL })).toBeUndefined()
  })

  test('tells its liquidity by that id', () => {
    const modified = logOf(manager, 'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)', [id, POOL], [])
    expect(pools.supplied(modified)).toBe(id)
    expect(pools.supplied({ ...modified, address: POOL })).toBeUndefined()
    expect(pools.filter([id]).topics[0]).toContain(modified.topics[0])
    expect(pools.filter([]).topics[0]).not.toContain(modified.topics[0])
  })
})

test('what all pools are traded for is no news, and two unknown tokens are two', () => {
  const [dollar] = base.watchedTokens
  const pool = { exchange: 'x', pool: POOL }
  expect(newTokensOf(base, { ...pool, currencies: [base.wrappedNative, dollar?.address ?? TOKEN] })).toEqual([])
  expect(newTokensOf(base, { ...pool, currencies: [TOKEN, POOL] })).toHaveLength(2)
})
