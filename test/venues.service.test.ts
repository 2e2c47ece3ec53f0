import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { positionManagerOf } from '../src/devnet/place-exchanges.js'
import { approve, buy, sell, type TradeContext } from '../src/dex/legs.js'
import { findMarkets, venuesOf } from '../src/dex/venues.js'
import type { Address } from '../src/hex.js'
import type { HoneypotReportBody } from '../src/reports/honeypot/schema.js'
import type { SimulationReport } from '../src/reports/simulation/schema.js'
import { createSeededRandom } from '../src/simulation/random.js'
import type { Fork } from '../src/simulation/scenario.js'
import { createTrader } from '../src/simulation/trader.js'
import {
  type ListPool,
  listOnAlgebra,
  listOnCamelotV2,
  listOnSolidly,
  listOnV2,
  listOnV3,
  listOnV4,
} from './dex/list-pool.js'
import { createStage, type Stage, startStage } from './dex/venue-stage.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'
import { someOf } from './some-of.js'

const SIMULATE = '/api/simulate/execute-simulation'
const HONEYPOT = '/api/honeypot/honeypot-checks'
const NATIVE = parseEther('40')
const TOKENS = parseEther('200000')

const some = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the chain has none')
  return value
}

const EXCHANGES = [
  { chainId: 1, exchange: 'Uniswap V4' },
  { chainId: 8453, exchange: 'Aerodrome' },
  { chainId: 10, exchange: 'Velodrome V2' },
  { chainId: 42161, exchange: 'Camelot V2' },
  { chainId: 42161, exchange: 'Camelot V3' },
]

describe.each(someOf(EXCHANGES, 6))('the service on chain $chainId', ({ chainId, exchange }) => {
  let service: ServiceOnDevnet
  let stage: Stage
  let list: ListPool
  let againstCoin: Address
  let againstDollar: Address

  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId, examples: [] })
    stage = await createStage(service.devnet)
    list = listerOf(stage, exchange)
    const dollar = some(stage.chain.watchedTokens.find(({ address }) => address !== stage.chain.wrappedNative))
    const unit = 10n ** BigInt(dollar.decimals)
    const quote = stage.chain.wrappedNative
    againstCoin = await stage.deploy('Clean')
    againstDollar = await stage.deploy('Clean')
    await list(stage, { token: againstCoin, quote, tokenAmount: TOKENS, quoteAmount: NATIVE })
    await list(stage, { token: dollar.address, quote, tokenAmount: 900_000n * unit, quoteAmount: parseEther('300') })
    const pool = { quote: dollar.address, quoteAmount: 120_000n * unit }
    await list(stage, { token: againstDollar, tokenAmount: TOKENS, ...pool })
  })
  afterAll(() => service?.stop())

  test(`judges a token that trades on ${exchange} against native coin`, () => expectHarmless(againstCoin))
  test(`judges a token that trades on ${exchange} against a dollar alone`, () => expectHarmless(againstDollar))

  async function expectHarmless(token: Address) {
    const { checks } = await service.post<SimulationReport>(SIMULATE, token)
    expect(checks.simulateResult).toMatchObject({
      success: true,
      errorReason: '',
      isHoneypot: false,
      estimatedTax: '0',
    })
    const { honeypotResponse } = await service.post<HoneypotReportBody>(HONEYPOT, token)
    expect(honeypotResponse).toMatchObject({ buyTax: 0, sellTax: 0, isTimeHoneypot: false })
  }
})

function listerOf({ chain }: Stage, exchange: string): ListPool {
  if (exchange === 'Uniswap V4') return listOnV4(some(chain.v4[0]), some(chain.v4[0]).positionManager)
  const solidly = chain.solidly.find(({ name }) => name === exchange)
  if (solidly) return listOnSolidly(solidly)
  if (exchange === 'Camelot V2') return listOnCamelotV2(some(chain.v2.find(({ name }) => name === exchange)))
  return listOnAlgebra(some(chain.algebra[0]))
}

describe('a token that can be sold on one exchange and not on another', () => {
  let stage: Stage
  let token: Address
  beforeAll(async () => {
    stage = await startStage(1)
    const [v2, v3] = [some(stage.chain.v2[0]), some(stage.chain.v3[0])]
    token = await stage.deploy('SellBlocked', [v2.router])
    const pool = { token, quote: stage.chain.wrappedNative, tokenAmount: TOKENS }
    await listOnV2(v2)(stage, { ...pool, quoteAmount: NATIVE })
    await listOnV3(v3, positionManagerOf(v3))(stage, { ...pool, quoteAmount: NATIVE / 4n })
  })
  afterAll(() => stage?.stop())

  const tryAll = (fork: Fork) =>
    findMarkets(fork, venuesOf(fork.chain), token).map((market, i) => {
      const here = fork.evm.snapshot()
      const trader = createTrader(fork, createSeededRandom(`0x0${i}`), 'trader', NATIVE)
      const context: TradeContext = { fork, market, trader }
      const bought = buy(context, NATIVE / 1_000n)
      approve(context, bought.tokenDelta)
      const sold = sell(context, bought.tokenDelta)
      fork.evm.restore(here)
      return { venue: market.venue.name, bought: bought.success, sold: sold.success, sellTaxBps: sold.taxBps }
    })

  test('is found on both, the deeper one first, and each can be played', async () => {
    const { output } = await stage.play(tryAll)
    expect(output).toEqual([
      { venue: 'Uniswap V2', bought: true, sold: false, sellTaxBps: 10_000 },
      { venue: 'Uniswap V3', bought: true, sold: true, sellTaxBps: 0 },
    ])
  })
})
