import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { positionManagerOf } from '../../src/devnet/place-exchanges.js'
import type { Address } from '../../src/hex.js'
import { listOnV2, listOnV3, listOnV4 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const TOKENS = parseEther('200000')

let checks: ChecksOnDevnet
let stage: Stage
let everywhere: Address
let plain: Address
let limited: Address
let unlisted: Address
/** All before the first check: the head that one has read serves the others. */
beforeAll(async () => {
  checks = await startChecksOnDevnet()
  stage = await createStage(checks.devnet)
  const { v3, v4 } = exchanges()
  everywhere = await stage.deploy('Clean')
  await list(everywhere, '40')
  await list(everywhere, '10', listOnV3(v3, positionManagerOf(v3)))
  await list(everywhere, '20', listOnV4(v4, v4.positionManager))
  plain = await stage.deploy('Clean')
  await list(plain, '40')
  limited = await stage.deploy('SmallSales')
  await list(limited, '40')
  unlisted = await stage.deploy('Clean')
})
afterAll(() => checks?.stop())

async function list(token: Address, coins: string, open = listOnV2(exchanges().v2)) {
  const quote = stage.chain.wrappedNative
  await open(stage, { token, quote, tokenAmount: TOKENS, quoteAmount: parseEther(coins) })
}

function exchanges() {
  const [[v2], [v3], [v4]] = [stage.chain.v2, stage.chain.v3, stage.chain.v4]
  if (!v2 || !v3 || !v4) throw new Error('this chain lacks exchanges')
  return { v2, v3, v4 }
}

test('every pool is told with what stands in it, the deepest first, as it was before any trade', async () => {
  const { markets } = await checks.honeypot(everywhere)
  expect(markets?.pools.map(({ venue }) => venue)).toEqual(['Uniswap V2', 'Uniswap V4', 'Uniswap V3'])
  expect(markets?.pools.map(({ isJudged }) => isJudged)).toEqual([true, false, false])
  expect(markets?.pools[0]).toMatchObject({ quoteReserve: parseEther('40'), tokenReserve: TOKENS })
  expect(markets?.pools[1]?.id).toMatch(/^0x[0-9a-f]{64}$/)
  expect(markets?.depth).toBe(markets?.pools.reduce((sum, { depth }) => sum + depth, 0n))
  const prices = markets?.pools.map(({ depth, tokenReserve }) => Number((depth * 1_000_000n) / tokenReserve))
  expect(prices?.map((price) => Math.round(price / 10))).toEqual([20, 10, 5])

  const { markets: other } = await checks.honeypot(everywhere, { pair: markets?.pools[2]?.address ?? '0x' })
  expect(other?.pools.map(({ isJudged }) => isJudged)).toEqual([false, false, true])
})

test('a named pool that is none of the token hides nothing: the deepest is judged, and it is said', async () => {
  const report = await checks.honeypot(everywhere, { pair: '0x00000000000000000000000000000000000000aa' })
  expect(report.markets?.pools.map(({ isJudged }) => isJudged)).toEqual([true, false, false])
  expect(report.doubt).toBe('other-pool')
  expect(report.windows).toHaveLength(3)
})

test('a pool that we made on our copy is no market of the token', async () => {
  const { simulatedLiquidity, markets } = await checks.honeypot(unlisted, { simulateLiquidity: true })
  expect(simulatedLiquidity).toBeDefined()
  expect(markets).toBeUndefined()
})

test('what little and much of a holding sells for is measured, and refusals by size show', async () => {
  const { sizes } = await checks.honeypot(plain)
  expect(sizes).toHaveLength(5)
  expect(sizes.every(({ success, taxBps }) => success && taxBps === 0)).toBe(true)
  expect(sizes.map(({ poolShareBps }) => Math.round(poolShareBps / 10))).toEqual([1, 5, 18, 45, 90])
  const rates = sizes.map(({ amount, received }) => Number(received) / Number(amount))
  // The more is sold at once, the worse the price.
  expect(rates).toEqual(rates.toSorted((a, b) => b - a))

  const { sizes: ofLimited } = await checks.honeypot(limited)
  expect(ofLimited.map(({ success }) => success)).toEqual([true, true, false, false, false])
  expect(ofLimited.slice(2).every(({ received }) => received === 0n)).toBe(true)
})
