import { encodeFunctionData, parseAbi, parseEther, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_UNISWAP_V3 } from '../../src/chains/exchanges.js'
import { approve, sell } from '../../src/dex/legs.js'
import { callData } from '../../src/dex/read-contract.js'
import { findMarkets, venuesOf } from '../../src/dex/venues.js'
import type { Address, Hex } from '../../src/hex.js'
import { sendAs } from '../../src/simulation/fork-verbs.js'
import { createSeededRandom } from '../../src/simulation/random.js'
import { createTrader } from '../../src/simulation/trader.js'
import { type ListPool, listOnSolidly, listOnV2, listOnV3, STABLE } from '../dex/list-pool.js'
import { createStage, type Stage, startStage } from '../dex/venue-stage.js'
import { someOf } from '../some-of.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const tokenAbi = parseAbi(['function setPool(address)'])
/** Ten times as many tokens as coins, or one for one on the curve for things of equal worth. */
const TOKENS = parseEther('4000')
const COINS = parseEther('400')

interface Market {
  chainId: number
  list(stage: Stage): ListPool
  /** Where the pool of a token is. */
  find(stage: Stage, token: Address): { to: Address; data: Hex }
  tokenAmount: bigint
  /** Percent that the holder loses at least: the curve for things of equal worth gives way less. */
  least: number
}

const ask = (signature: string, ...args: (Address | bigint)[]) => callData(toFunctionSelector(signature), args)
const first = <T>([deployment]: readonly T[]): T => deployment ?? expect.unreachable()

const onSolidly = (curve: bigint, tokenAmount: bigint, least: number): Market => ({
  ...{ chainId: 8453, tokenAmount, least },
  list: ({ chain }) => listOnSolidly(first(chain.solidly), curve),
  find: ({ chain }, token) => ({
    to: first(chain.solidly).factory,
    data: ask('getPool(address,address,bool)', token, chain.wrappedNative, curve),
  }),
})

const MARKETS: Readonly<Record<string, Market>> = {
  'Uniswap V2': {
    ...{ chainId: 1, tokenAmount: TOKENS, least: 85 },
    list: ({ chain }) => listOnV2(first(chain.v2)),
    find: ({ chain }, token) => ({
      to: first(chain.v2).factory,
      data: ask('getPair(address,address)', token, chain.wrappedNative),
    }),
  },
  'Uniswap V3': {
    ...{ chainId: 1, tokenAmount: TOKENS, least: 85 },
    list: ({ chain }) => listOnV3(first(chain.v3), FIRST_UNISWAP_V3.positionManager),
    find: ({ chain }, token) => ({
      to: first(chain.v3).factory,
      data: ask('getPool(address,address,uint24)', token, chain.wrappedNative, 3_000n),
    }),
  },
  'Aerodrome, volatile': onSolidly(0n, TOKENS, 85),
  'Aerodrome, stable': onSolidly(STABLE, COINS, 65),
}

/** Where each fixture spoils the price, and whether its twin leaves a little of it. */
const CASES: readonly (readonly [market: string, name: string])[] = [
  ['Uniswap V2', 'SpoiltBySale'],
  ['Uniswap V2', 'SpoiltByPurchase'],
  ['Uniswap V2', 'SpoiltByApproval'],
  ['Uniswap V3', 'SoldAheadByApproval'],
  ['Aerodrome, volatile', 'SpoiltBySale'],
  ['Aerodrome, volatile', 'SpoiltByApproval'],
  ['Aerodrome, stable', 'SpoiltBySale'],
  ['Aerodrome, stable', 'SpoiltByApproval'],
]

/** One case of each chain in so many. */
const SHARE = 16

describe.each([1, 8453])('a price that is spoilt on the way to a sale, on chain %i', (chainId) => {
  const cases = someOf(
    CASES.filter(([market]) => MARKETS[market]?.chainId === chainId),
    SHARE,
  )
  const tokens = new Map<string, Address>()
  let checks: ChecksOnDevnet

  beforeAll(async () => {
    checks = await startChecksOnDevnet(chainId)
    const stage = await createStage(checks.devnet)
    for (const [market, name] of cases)
      for (const each of [name, `${name}Twin`]) tokens.set(`${market} ${each}`, await listToken(stage, market, each))
  }, 300_000)
  afterAll(() => checks?.stop())

  test.each(cases)('%s: %s is a tax', async (market, name) => {
    const report = await checks.honeypot(tokens.get(`${market} ${name}`) ?? expect.unreachable())
    expect(report).toMatchObject({ isHoneypot: true, buyTaxBps: 0, inconclusive: undefined })
    expect(report.sellTaxBps).toBeGreaterThan((MARKETS[market]?.least ?? 100) * 100)
    const { trade } = await checks.simulation(tokens.get(`${market} ${name}`) ?? expect.unreachable())
    expect(trade).toMatchObject({ isHoneypot: true })
  })

  test.each(cases)('%s: of %s’s twin nothing is said', async (market, name) => {
    const report = await checks.honeypot(tokens.get(`${market} ${name}Twin`) ?? expect.unreachable())
    expect(report).toMatchObject({ isHoneypot: false, isTimeHoneypot: false, sellTaxBps: 0 })
    expect(report.findings).toEqual([])
  })
})

describe('a sale that comes to thinner liquidity', () => {
  let stage: Stage
  let token: Address
  beforeAll(async () => {
    stage = await startStage(1)
    token = await stage.deploy('Clean')
    const listing = { token, quote: stage.chain.wrappedNative, tokenAmount: COINS, quoteAmount: COINS }
    const [v3, positions] = [first(stage.chain.v3), FIRST_UNISWAP_V3.positionManager]
    await listOnV3(v3, positions)(stage, { ...listing, tokenAmount: THIN, quoteAmount: THIN })
    await listOnV3(v3, positions, A_PERCENT)(stage, listing)
  })
  afterAll(() => stage?.stop())

  test.each([
    ['no tax is made of what the pool then asks', MUCH],
    ['before that, nothing is missing', LITTLE],
  ])('%s', async (_, amount) => {
    const { output } = await stage.play((fork) => {
      const [market] = findMarkets(fork, venuesOf(stage.chain), token)
      if (market === undefined) return undefined
      const trader = createTrader(fork, createSeededRandom(`0x${'7e'.repeat(32)}`), 'trader', COINS)
      const data = ask('transfer(address,uint256)', trader.address, amount)
      sendAs(fork, { from: stage.issuer, to: token, data, gasLimit: 200_000n })
      const context = { fork, market, trader }
      approve(context, amount)
      return sell(context, amount)
    })
    expect(output).toMatchObject({ success: true, taxBps: 0 })
    // It pays out about what the thick part has.
    expect((output?.nativeDelta ?? 0n) < (amount * 99n) / 100n).toBe(amount === MUCH)
  })
})

const MUCH = parseEther('1000')
const LITTLE = parseEther('10')
/** Ticks to either side of one for one that all but a little of the liquidity covers. */
const A_PERCENT = 60
const THIN = parseEther('2')

async function listToken(stage: Stage, name: string, fixture: string): Promise<Address> {
  const { list, find, tokenAmount } = MARKETS[name] ?? expect.unreachable()
  const token = await stage.deploy(fixture)
  await list(stage)(stage, { token, quote: stage.chain.wrappedNative, tokenAmount, quoteAmount: COINS })
  const answer = await stage.devnet.node.call<Hex>('eth_call', find(stage, token), 'latest')
  const pool: Address = `0x${answer.slice(26)}`
  await stage.send({ to: token, data: encodeFunctionData({ abi: tokenAbi, functionName: 'setPool', args: [pool] }) })
  return token
}
