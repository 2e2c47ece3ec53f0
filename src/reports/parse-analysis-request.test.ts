import { expect, test } from 'vitest'
import { ApiError } from '../api-error.js'
import { parseAnalysisRequest } from './parse-analysis-request.js'

const TOKEN = '0x514910771af9ca656af840dff83e8264ecf986ca'
const ID = `0x${'aB'.repeat(32)}`
const parse = (more: object) =>
  parseAnalysisRequest({ targetContractAddress: TOKEN, chainId: 1, ...more }, { compat: false })

test('a pool is named by its address, or by the id that it has on Uniswap V4', () => {
  expect(parse({ pair: TOKEN })).toMatchObject({ pair: TOKEN })
  expect(parse({ pair: ID })).toMatchObject({ poolId: ID.toLowerCase() })
  expect('pair' in parse({ pair: ID })).toBe(false)
})

test.each([`${ID}0`, ID.slice(0, -1), ID.slice(2), 7])('no pool goes by %j', (pair) => {
  expect(() => parse({ pair })).toThrow(ApiError)
})

test('liquidity is made where the request wants it, and nowhere else', () => {
  expect(parse({ simulateLiquidity: true })).toMatchObject({ simulateLiquidity: true })
  for (const no of [undefined, null, false]) expect('simulateLiquidity' in parse({ simulateLiquidity: no })).toBe(false)
})

test.each(['true', 1, {}])('simulateLiquidity is true or false, and not %j', (simulateLiquidity) => {
  expect(() => parse({ simulateLiquidity })).toThrow('Invalid simulateLiquidity')
})
