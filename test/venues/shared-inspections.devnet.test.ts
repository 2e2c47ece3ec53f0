import { parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { Address } from '../../src/hex.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

/** Wei, of one order: from a power of four to the next. */
const [LITTLE, MORE] = [parseEther('0.00016'), parseEther('0.00025')]
const FAR_MORE = parseEther('0.1')
/** Of the invented people, who are others in each process. */
const traderSeed = `0x${'7c'.repeat(32)}` as const

let checks: ChecksOnDevnet
let played: string[] = []
/** Mined for each test, so that nothing is known of it. */
let blockNumber = 0n
const tokens: Record<'SmallTax' | 'LargeSales' | 'RisingTax', Address> = {
  ...{ SmallTax: '0x', LargeSales: '0x' },
  RisingTax: '0x',
}

beforeAll(async () => {
  checks = await startChecksOnDevnet(1, true, ({ scenario }) => played.push(scenario))
  const stage = await createStage(checks.devnet)
  const [v2] = stage.chain.v2
  if (!v2) throw new Error('this chain has no V2')
  for (const name of ['SmallTax', 'LargeSales', 'RisingTax'] as const) {
    tokens[name] = await stage.deploy(name, name === 'RisingTax' ? [v2.router] : [])
    const [tokenAmount, quoteAmount] = [parseEther('200000'), parseEther('40')]
    await listOnV2(v2)(stage, { token: tokens[name], quote: stage.chain.wrappedNative, tokenAmount, quoteAmount })
  }
})
afterAll(() => checks?.stop())
beforeEach(async () => {
  await mine()
  played = []
})

async function mine() {
  await checks.devnet.node.call('evm_mine')
  blockNumber = BigInt(await checks.devnet.node.call<string>('eth_blockNumber'))
}

const ask = (name: keyof typeof tokens, amount?: bigint) =>
  checks.honeypot(tokens[name], { traderSeed, blockNumber, ...(amount && { amount }) })
const count = (scenario: string) => played.filter((each) => each === scenario).length

test('amounts of one order are traded each, and inspected once for a block', async () => {
  const [first, second] = [await ask('SmallTax', LITTLE), await ask('SmallTax', MORE)]
  expect([count('sweepPowers'), count('judgeCode'), count('timeTravel'), count('tradeAsked')]).toEqual([1, 1, 1, 2])
  expect(second.windows.map(({ sellTaxBps }) => sellTaxBps)).toEqual([500, 500, 500])
  expect(second).toEqual(first)
})

test.each([
  ['another order of the amount', async () => ask('SmallTax', FAR_MORE)],
  ['the amount that suits the pool', async () => ask('SmallTax')],
  [
    'another pool',
    async () => checks.honeypot(tokens.SmallTax, { traderSeed, blockNumber, amount: MORE, pair: tokens.LargeSales }),
  ],
  ['other invented people', async () => checks.honeypot(tokens.SmallTax, { blockNumber, amount: MORE })],
  [
    'another block',
    async () => {
      await mine()
      return ask('SmallTax', MORE)
    },
  ],
])('is inspected anew: %s', async (_, askOther) => {
  await ask('SmallTax', MORE)
  const before = count('timeTravel')
  await askOther().catch(() => {})
  expect(count('timeTravel')).toBeGreaterThan(before)
  await ask('SmallTax', MORE)
  expect(count('sweepPowers')).toBeLessThanOrEqual(2)
})

test('asked by several at the same time, it is inspected once', async () => {
  const reports = await Promise.all([ask('SmallTax'), ask('SmallTax'), ask('SmallTax')])
  expect([count('sweepPowers'), count('timeTravel')]).toEqual([1, 1])
  expect(new Set(reports.map(({ riskScore }) => riskScore)).size).toBe(1)
})

test('what is known of other amounts changes nothing', async () => {
  for (const amount of [MORE, FAR_MORE]) await ask('SmallTax', amount)
  const known = await ask('SmallTax', LITTLE)
  const afresh = await checks.honeypotAfresh(tokens.SmallTax, { traderSeed, blockNumber, amount: LITTLE })
  // What worked on a code before is tried first, which saves calls.
  const withoutEffort = ({ sweep, ...rest }: HoneypotReport) => ({ ...rest, sweep: { ...sweep, effort: undefined } })
  expect(withoutEffort(afresh)).toEqual(withoutEffort(known))
})

test('a limit between two amounts of one order is that of the smaller alone', async () => {
  const [small, large] = [await ask('LargeSales', LITTLE), await ask('LargeSales', MORE)]
  expect(small).toMatchObject({ causes: [{ window: 'Immediate' }, {}, {}] })
  expect(small.windows.map(({ isHostile }) => isHostile)).toEqual([true, true, true])
  expect(large).toMatchObject({ causes: [] })
  expect(large.windows.map(({ sells }) => sells)).toEqual(['whole', 'whole', 'whole'])
  expect(large.conditions?.others.length).toBeGreaterThan(0)
})

test.each(['SmallTax', 'LargeSales'] as const)(
  'two checks of one amount share a run, which shows each what it sees alone: %s',
  async (name) => {
    const wishes = { traderSeed, blockNumber, amount: LITTLE }
    const [{ trade }, { windows, causes }] = await Promise.all([
      checks.simulation(tokens[name], wishes),
      checks.honeypot(tokens[name], wishes),
    ])
    expect([count('tradeAsked'), count('roundTrip')]).toEqual([1, 0])
    const alone = { ...wishes, only: true }
    const single = await checks.simulation(tokens[name], alone)
    expect({ ...single.trade, simulatedAt: 0 }).toEqual({ ...trade, simulatedAt: 0 })
    expect(await checks.honeypot(tokens[name], alone)).toMatchObject({ windows, causes })
    expect(count('tradeAsked')).toBe(1)
  },
)

test('an amount of a token that reads the clock is traded in every window', async () => {
  const taxesOf = ({ windows }: HoneypotReport) => windows.map(({ sellTaxBps }) => sellTaxBps)
  const [first, second] = [await ask('RisingTax', LITTLE), await ask('RisingTax', MORE)]
  expect(new Set(taxesOf(first)).size).toBeGreaterThan(1)
  expect(taxesOf(second)).toEqual(taxesOf(first))
  expect(taxesOf(await ask('RisingTax', FAR_MORE))).toEqual(taxesOf(first))
})
