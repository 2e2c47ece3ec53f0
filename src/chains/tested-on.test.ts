import { expect, test } from 'vitest'
import type { Chain } from './chain.js'
import { chains, findChain } from './index.js'
import { testedOn } from './tested-on.js'

const of = (chainId: number, name: string) => testedOn(findChain(chainId) as Chain, name)

test.each([
  [1, 'Uniswap V2'],
  [1, 'Uniswap V3'],
  [42161, 'SushiSwap V3'],
  [10, 'Velodrome V2'],
  [56, 'Wrapped native coin'],
])('chain %i: calls to %s were tried on real code', (chainId, name) => {
  expect(of(chainId, name)).toBe('real code')
})

test.each([
  [1, 'Uniswap V4'],
  [1, 'SushiSwap V2'],
  [56, 'PancakeSwap V2'],
  [56, 'PancakeSwap V3'],
  [8453, 'Aerodrome'],
  [8453, 'Aerodrome Slipstream'],
  [8453, 'BaseSwap'],
  [42161, 'Camelot V2'],
  [42161, 'Camelot V3'],
])('chain %i: calls to %s were tried on a stand-in alone', (chainId, name) => {
  expect(of(chainId, name)).toBe('stand-in')
})

test('an exchange whose pools are made of other code is a stand-in, whatever it calls itself', () => {
  const [uniswap] = chains[0]?.v2 ?? []
  const v2 = [{ ...(uniswap ?? expect.unreachable()), initCodeHash: `0x${'ab'.repeat(32)}` as const }]
  expect(testedOn({ ...(chains[0] as Chain), v2 }, 'Uniswap V2')).toBe('stand-in')
})
