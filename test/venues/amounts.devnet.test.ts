import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { positionManagerOf } from '../../src/devnet/place-exchanges.js'
import type { Address } from '../../src/hex.js'
import { listOnV2, listOnV3, listOnV4 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { someOf } from '../some-of.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const TOKENS = parseEther('200000')
const COINS = parseEther('40')
const EXCHANGES = ['Uniswap V2', 'Uniswap V3', 'Uniswap V4'] as const
type Exchange = (typeof EXCHANGES)[number]
const CONTRACTS = [
  ...['Clean', 'SmallTax', 'LargeSales', 'LostDust', 'SmallPurchases', 'SmallPurse'],
  ...['SmallPurchasesStuck', 'NoPurchases'],
]
/** One a day: what is asked of each is the same. */
const exchanges = someOf(EXCHANGES, EXCHANGES.length)

/** Base units of a token so dear that a usual purchase brings one of them. */
const DEAR = 800n

let checks: ChecksOnDevnet
const tokens = new Map<string, Address>()

beforeAll(async () => {
  checks = await startChecksOnDevnet()
  const stage = await createStage(checks.devnet)
  tokens.set('Uniswap V2 dear', await listDear(stage))
  for (const exchange of exchanges)
    for (const name of CONTRACTS.filter((each) => !isUntradable(exchange, each)))
      tokens.set(`${exchange} ${name}`, await list(stage, exchange, name))
})
afterAll(() => checks?.stop())

async function listDear(stage: Stage): Promise<Address> {
  const [v2] = stage.chain.v2
  if (!v2) throw new Error('this chain has no V2')
  const token = await stage.deploy('Clean')
  await listOnV2(v2)(stage, { token, quote: stage.chain.wrappedNative, tokenAmount: DEAR, quoteAmount: COINS })
  return token
}

/**
 * From V3 on, pools insist on getting what they were promised: nothing that is taxed can be sold
 * there.
 */
const isUntradable = (exchange: Exchange, name: string) => exchange !== 'Uniswap V2' && name === 'SmallTax'

async function list(stage: Stage, exchange: Exchange, name: string): Promise<Address> {
  const [[v2], [v3], [v4]] = [stage.chain.v2, stage.chain.v3, stage.chain.v4]
  if (!v2 || !v3 || !v4) throw new Error('this chain lacks exchanges')
  const open = {
    'Uniswap V2': listOnV2(v2),
    'Uniswap V3': listOnV3(v3, positionManagerOf(v3)),
    'Uniswap V4': listOnV4(v4, v4.positionManager),
  }[exchange]
  const token = await stage.deploy(name)
  await open(stage, { token, quote: stage.chain.wrappedNative, tokenAmount: TOKENS, quoteAmount: COINS })
  return token
}

async function judge(exchange: Exchange, name: string, amount?: bigint) {
  const address = tokens.get(`${exchange} ${name}`) ?? '0x'
  const wishes = amount === undefined ? {} : { amount }
  const honeypot = await checks.honeypot(address, wishes)
  expect(honeypot.venue).toBe(exchange)
  const { trade } = await checks.simulation(address, wishes)
  if ('failed' in trade) throw new Error(trade.errorReason)
  return { honeypot, trade }
}

const HARMLESS = {
  honeypot: { isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined, findings: [] },
  trade: { success: true, isHoneypot: false, inconclusive: undefined },
}
/** Told, and no harm to a seller of all that was bought. */
const HARMLESS_BUT_SMALL = {
  ...HARMLESS,
  honeypot: { ...HARMLESS.honeypot, riskScore: 5, findings: [{ id: 'small-sell' }] },
}
const TRAP = { honeypot: { isHoneypot: true }, trade: { isHoneypot: true } }
const LEAST = /the least that it can be judged with is about (\d+) wei$/
const leastIn = (words: string | undefined) => BigInt(LEAST.exec(words ?? '')?.[1] ?? 0)

describe.each(exchanges)('a purchase on %s for next to nothing', (exchange) => {
  const names = ['Clean', 'SmallTax'].filter((name) => !isUntradable(exchange, name))
  test.each(names)('says nothing about the token, but which amount would: %s', async (name) => {
    const { honeypot, trade } = await judge(exchange, name, 1n)
    expect(honeypot).toMatchObject({ isHoneypot: false, isTimeHoneypot: false, riskScore: 0 })
    expect(trade).toMatchObject({ success: false, isHoneypot: false, inconclusive: 'the amount is too small' })
    const least = leastIn(honeypot.inconclusive)
    expect(least).toBeGreaterThan(1n)
    expect(least).toBeLessThan(10n ** 6n)
    expect(trade.errorReason).toBe(honeypot.inconclusive)

    const enough = await judge(exchange, name, least)
    expect(enough).toMatchObject(HARMLESS)
    expect(Math.round(Number(enough.honeypot.sellTaxBps) / 100)).toBe(name === 'Clean' ? 0 : 5)
  })

  test('still shows that the token refuses small sales', async () => {
    expect(await judge(exchange, 'LargeSales', 100n)).toMatchObject(TRAP)
    expect(await judge(exchange, 'LargeSales')).toMatchObject(HARMLESS_BUT_SMALL)
  })

  test('still shows that the token swallows small sales, where the pool would have paid for them', async () => {
    expect(await judge(exchange, 'LostDust', 1_000n)).toMatchObject(TRAP)
    expect(await judge(exchange, 'LostDust')).toMatchObject(HARMLESS_BUT_SMALL)
  })
})

describe.each(exchanges)('a purchase on %s of more than the token lets one have', (exchange) => {
  // A hundred tokens at five thousand for a coin; the pool's fee comes on top, or stands in the
  // way.
  const most = 0.02
  const near = (wei: bigint | undefined) => Number(wei) / 1e18 / most

  test.each([
    ['SmallPurchases', undefined],
    ['SmallPurchases', parseEther('5')],
    ['SmallPurse', undefined],
  ] as const)('is made smaller, and the limit is told: %s, %s', async (name, amount) => {
    const { honeypot, trade } = await judge(exchange, name, amount)
    expect(honeypot).toMatchObject({ ...HARMLESS.honeypot, riskScore: 0 })
    expect(trade).toMatchObject(HARMLESS.trade)
    expect(near(honeypot.maxBuy)).toBeGreaterThan(0.98)
    expect(near(honeypot.maxBuy)).toBeLessThan(1.02)
  })

  test('is made smaller, and the trap behind the limit is found', async () => {
    expect(await judge(exchange, 'SmallPurchasesStuck')).toMatchObject(TRAP)
  })

  test('is a purchase that cannot be made, where no smaller one can', async () => {
    const { honeypot, trade } = await judge(exchange, 'NoPurchases')
    expect(honeypot).toMatchObject({ isHoneypot: false, riskScore: 0, maxBuy: undefined })
    expect(honeypot.inconclusive).toContain('The token cannot be bought now')
    expect(trade).toMatchObject({ success: false, isHoneypot: false })
  })
})

test('a token of which a usual purchase brings a single unit is no trap', async () => {
  expect(await judge('Uniswap V2', 'dear')).toMatchObject({
    ...{ honeypot: { isHoneypot: false, isTimeHoneypot: false, findings: [] }, trade: { isHoneypot: false } },
  })
})

describe('what else is looked at', () => {
  let around: ChecksOnDevnet
  beforeAll(async () => {
    around = await startChecksOnDevnet(1, true)
    tokens.set('around', await list(await createStage(around.devnet), 'Uniswap V2', 'SmallPurchases'))
  })
  afterAll(() => around?.stop())

  test('goes by what can be bought at once', async () => {
    const { sweep, holderAnalysis } = await around.honeypot(tokens.get('around') ?? '0x')
    expect(sweep).toBeDefined()
    for (const unfinished of [sweep?.unfinished, holderAnalysis?.unfinished])
      expect(unfinished ?? '').not.toContain('cannot be bought')
  })
})
