import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOnSolidly, STABLE } from '../../test/dex/list-pool.js'
import { type Stage, startStage } from '../../test/dex/venue-stage.js'
import type { Address } from '../hex.js'
import { createSeededRandom } from '../simulation/random.js'
import { createTrader } from '../simulation/trader.js'
import { approve, buy, sell } from './legs.js'
import { createSolidly } from './solidly.js'
import { findMarkets } from './venues.js'

const SPENT = parseEther('0.1')

let stage: Stage
let token: Address
const aerodrome = () => {
  const [deployment] = stage.chain.solidly
  if (!deployment) throw new Error('no exchange in the manner of Solidly')
  return deployment
}

beforeAll(async () => {
  stage = await startStage(8453)
  const [dollar] = stage.chain.watchedTokens
  if (!dollar) throw new Error('no dollar')
  token = await stage.deploy('Clean')
  const hub = { token: dollar.address, quote: stage.chain.wrappedNative }
  await listOnSolidly(aerodrome())(stage, { ...hub, tokenAmount: 900_000_000_000n, quoteAmount: parseEther('300') })
  const pool = { token, quote: dollar.address, tokenAmount: parseEther('100000'), quoteAmount: 100_000_000_000n }
  await listOnSolidly(aerodrome(), STABLE)(stage, pool)
})
afterAll(() => stage?.stop())

test('a token on the stable curve is traded there, by way of the volatile pool of its dollar', async () => {
  const { output } = await stage.play((fork) => {
    const [market] = findMarkets(fork, [createSolidly(stage.chain, aerodrome())], token)
    if (!market) return
    const context = { fork, market, trader: createTrader(fork, createSeededRandom('0x07'), 'trader', SPENT) }
    const bought = buy(context, SPENT)
    approve(context, bought.tokenDelta)
    return { tiers: [market.pool.tier, market.via?.tier], bought, sold: sell(context, bought.tokenDelta) }
  })
  expect(output).toMatchObject({
    tiers: [1, 0],
    bought: { success: true, taxBps: 0 },
    sold: { success: true, taxBps: 0 },
  })
  // A tenth of a coin at 3,000 dollars, less fees and impact, at par.
  expect(Number(output?.bought.tokenDelta) / 1e18).toBeGreaterThan(295)
  expect(Number(output?.bought.tokenDelta) / 1e18).toBeLessThan(300)
})
