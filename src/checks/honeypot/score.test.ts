import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BuyFacts, HoneypotFacts, SellFacts, WindowFacts } from './honeypot-facts.js'
import { judgeHoneypot } from './score.js'
import { WINDOWS } from './windows.js'

const bought = (taxBps = 0): BuyFacts => ({ success: true, taxBps, errorReason: '' })
const sold = (taxBps = 0): SellFacts => ({
  success: true,
  taxBps,
  errorReason: '',
  largestSellableBps: 10_000,
  restIsStuck: false,
  worksDirectly: false,
  ranDry: false,
  waitedSeconds: 0,
})
const blocked = (largestSellableBps = 0): SellFacts => ({
  success: false,
  taxBps: 10_000,
  errorReason: 'reverted in the token: no',
  largestSellableBps,
  restIsStuck: largestSellableBps === 0,
  worksDirectly: false,
  ranDry: false,
  waitedSeconds: 0,
})

type Window = Omit<WindowFacts, 'label'>
const calm: Window = { bought: bought(), soldFresh: sold(), soldHeld: sold() }

function facts(first: Partial<Window>, day: Partial<Window> = {}, week: Partial<Window> = {}): HoneypotFacts {
  const windows = [first, day, week].map((each, i) => ({ label: WINDOWS[i]?.label ?? 'Immediate', ...calm, ...each }))
  return {
    kind: 'token',
    market: {
      venue: 'Uniswap V2',
      pool: '0x0000000000000000000000000000000000000001',
      id: undefined,
      quoteReserve: 1n,
    },
    isStranded: false,
    unknownVenues: [],
    missingVenues: [],
    isOtherPool: false,
    leastAmount: undefined,
    spent: 10n ** 17n,
    provided: undefined,
    windows,
    probes: [],
    conditions: undefined,
    dependencies: undefined,
    naive: undefined,
    divergence: undefined,
    namedAccounts: [],
    poolAllowance: undefined,
    instants: [],
    causes: [],
    markets: undefined,
    otherMarkets: [],
    unfinished: undefined,
    transferTaxBps: 0,
    transferErrorReason: '',
    maxBuy: undefined,
    sizes: [],
    maxSell: undefined,
  }
}

describe('judgeHoneypot', () => {
  test.each<[string, HoneypotFacts, object]>([
    [
      'no tax at any time is no risk',
      facts({}),
      { riskScore: 0, isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined },
    ],
    [
      'usual taxes are a low risk',
      facts({ bought: bought(500), soldFresh: sold(800) }),
      { riskScore: 16, buyTaxBps: 500, sellTaxBps: 800 },
    ],
    ['a sell tax of half is a honeypot', facts({ soldFresh: sold(5_000) }), { riskScore: 91, isHoneypot: true }],
    ['a quarter is not', facts({ soldFresh: sold(2_500) }), { riskScore: 50, isHoneypot: false }],
    [
      'a blocked sell is a honeypot',
      facts({ soldFresh: blocked() }),
      { riskScore: 100, sellTaxBps: 10_000, isHoneypot: true, isTimeHoneypot: false },
    ],
    [
      'a sell that works by tenths is a limit',
      facts({ soldFresh: blocked(1_000) }),
      { riskScore: 60, isHoneypot: false },
    ],
    [
      'a buy that delivers nothing is a honeypot',
      facts({ soldFresh: undefined }),
      { riskScore: 100, isHoneypot: true },
    ],
    [
      'a tax that comes later is a time honeypot, and now is still now',
      facts({}, {}, { soldFresh: sold(9_000) }),
      { riskScore: 98, isHoneypot: false, isTimeHoneypot: true },
    ],
    ['a holder who is locked in counts', facts({}, { soldHeld: blocked() }), { isTimeHoneypot: true }],
    [
      'what is hostile from the start is no time honeypot',
      facts({ soldFresh: blocked() }, { soldFresh: blocked() }),
      { isTimeHoneypot: false },
    ],
    [
      'a launch tax that falls is no time honeypot',
      facts({ soldFresh: sold(3_000) }, { soldFresh: sold(500), soldHeld: sold(500) }),
      { isTimeHoneypot: false, isHoneypot: false },
    ],
    [
      'what cannot be bought now adds no risk, and is said',
      facts({
        bought: { success: false, taxBps: 10_000, errorReason: 'reverted in the token: not open' },
        soldFresh: undefined,
      }),
      {
        riskScore: 0,
        isHoneypot: false,
        inconclusive: 'The token cannot be bought now: reverted in the token: not open',
      },
    ],
    [
      'no pool is no honeypot',
      { ...facts({}), market: undefined, windows: [] },
      {
        riskScore: 0,
        isHoneypot: false,
        inconclusive: 'No liquidity: no pool of this token against the native coin was found',
      },
    ],
  ])('%s', (_, input, expected) => {
    expect(judgeHoneypot(input)).toMatchObject(expected)
  })

  test.each([
    ['gift', 60, false],
    ['crowd', 95, true],
    ['second-sell', 91, true],
    ['large-holding', 95, true],
    ['no-tip', 95, true],
    ['plentiful-gas', 95, true],
    ['high-gas-price', 15, false],
  ] as const)('a sell that fails only in the circumstances of "%s" scores %i', (name, riskScore, isHoneypot) => {
    const verdict = judgeHoneypot({ ...facts({}), probes: [{ name, sold: blocked() }] })
    expect(verdict).toMatchObject({ riskScore, isHoneypot, findings: [{ id: name }] })
    expect(judgeHoneypot({ ...facts({}), probes: [{ name, sold: sold(100) }] })).toMatchObject({
      riskScore: 0,
      findings: [],
    })
  })

  // What is refused takes nothing; what is taken is lost.
  test.each([
    ['other-route', 90, 15, false],
    ['delegated-account', 95, 60, true],
    ['contract-wallet', 90, 60, false],
    ['hidden-command', 85, 85, false],
  ] as const)('"%s" scores %i where money is taken and %i where it is refused', (name, taken, refused, isHoneypot) => {
    const judge = (sell: SellFacts) => judgeHoneypot({ ...facts({}), probes: [{ name, sold: sell }] })
    expect(judge(sold(9_800))).toMatchObject({ riskScore: taken, isHoneypot, findings: [{ id: name }] })
    expect(judge(blocked())).toMatchObject({ riskScore: refused, isHoneypot: false, findings: [{ id: name }] })
    expect(judge(sold(200))).toMatchObject({ riskScore: 0, findings: [] })
  })

  test('a part that can be sold once, after which the rest stays, is a trap', () => {
    const stuck = { ...blocked(1_000), restIsStuck: true }
    expect(judgeHoneypot(facts({ soldFresh: stuck }))).toMatchObject({ riskScore: 100, isHoneypot: true })
  })

  test('a router that is refused is grave, and no honeypot while another works', () => {
    const refused = { ...blocked(), worksDirectly: true }
    expect(judgeHoneypot(facts({ soldFresh: refused }))).toMatchObject({
      riskScore: 90,
      isHoneypot: false,
      findings: [{ id: 'router-blocked' }],
    })
  })

  test.each<[string, SellFacts, SellFacts, number, string[]]>([
    ['works only where nothing is real', blocked(), sold(), 100, ['simulation-aware']],
    ['costs more in the real world', sold(4_000), sold(), 95, ['simulation-aware']],
    ['fails only where nothing is real', sold(), blocked(), 15, ['simulation-aware']],
    ['is the same in both', sold(300), sold(200), 6, []],
  ])('a sell that %s', (_, real, naive, riskScore, ids) => {
    const verdict = judgeHoneypot({ ...facts({ soldFresh: real }), naive })
    expect(verdict.riskScore).toBe(riskScore)
    expect(verdict.findings.map(({ id }) => id)).toEqual(ids)
  })

  test.each([
    [10_000, 90],
    [1_000, 90],
    [999, 40],
  ])('who may take %i basis points of the pool makes a risk of %i, and no honeypot', (shareBps, riskScore) => {
    const poolAllowance = { spender: '0x00000000000000000000000000000000000000aa', amount: 1n, shareBps } as const
    const verdict = judgeHoneypot({ ...facts({}), poolAllowance })
    expect(verdict).toMatchObject({ riskScore, isHoneypot: false, findings: [{ id: 'pool-allowance' }] })
  })

  test('a pool that was made for the trade is told, and no risk by itself', () => {
    const provided = {
      provider: '0x00000000000000000000000000000000000000aa',
      tokenAmount: 5n,
      nativeAmount: 7n,
    } as const
    const verdict = judgeHoneypot({ ...facts({}), provided })
    expect(verdict).toMatchObject({ riskScore: 0, isHoneypot: false, findings: [{ id: 'simulated-liquidity' }] })
  })

  test('a pool that is none of the token is no accusation, and harm in the one that was judged stays', () => {
    const elsewhere = judgeHoneypot({ ...facts({}), isOtherPool: true })
    expect(elsewhere).toMatchObject({ riskScore: 0, isHoneypot: false, doubt: 'other-pool' })
  })

  test('a place that is not known is named, and nothing follows from it', () => {
    const address = '0x00000000000000000000000000000000000000cc'
    const unknownVenues = [{ address, kind: 'curve', factory: undefined }] as const
    const verdict = judgeHoneypot({ ...facts({}), windows: [], market: undefined, unknownVenues })
    expect(verdict).toMatchObject({ riskScore: 0, isHoneypot: false, isTimeHoneypot: false })
    expect(verdict.inconclusive).toContain(`it seems to trade at ${address} (a contract that quotes a price)`)
  })

  test('a pool on an exchange without code, or an amount that is too small, is no accusation, and it is said which', () => {
    const address = '0x00000000000000000000000000000000000000cc'
    const missingVenues = [{ venue: 'Uniswap V2', address, hasPool: true }] as const
    const nowhere = judgeHoneypot({ ...facts({}), windows: [], market: undefined, missingVenues })
    expect(nowhere).toMatchObject({ riskScore: 0, isHoneypot: false })
    expect(nowhere.inconclusive).toMatch(/^Cannot be judged here: .* Uniswap V2, .*cc$/)
    const tooLittle = judgeHoneypot({ ...facts({}), windows: [], leastAmount: 12_345n })
    expect(tooLittle).toMatchObject({ riskScore: 0, isHoneypot: false })
    expect(tooLittle.inconclusive).toMatch(/cannot be judged with this amount.* about 12345 wei$/)
  })

  test('a token that tells worlds apart is said to do so where, and by what', () => {
    const divergence = {
      address: '0x00000000000000000000000000000000000000dd',
      selector: '0xa9059cbb',
      pc: 99,
      slot: undefined,
      value: undefined,
      mapping: undefined,
      reason: 'the miner of the block (1) is set',
    } as const
    const { findings } = judgeHoneypot({ ...facts({ soldFresh: blocked() }), naive: sold(), divergence })
    expect(findings).toMatchObject([{ id: 'simulation-aware', cause: divergence }])
    expect(findings[0]?.detail).toContain('at pc 99 of 0x00000000000000000000000000000000000000dd')
  })

  const instant = (window: Partial<Window>) => ({ ...calm, ...window, timestamp: 1_800_000_000n, number: undefined })

  test('the next moment at which trading is another thing is reported, and a trap there is one in time', () => {
    const input = { ...facts({}), instants: [instant({}), instant({ soldHeld: sold(9_500) })] }
    expect(judgeHoneypot(input)).toMatchObject({
      riskScore: 99,
      isHoneypot: false,
      isTimeHoneypot: true,
      nextChange: { timestamp: 1_800_000_000n, sellTaxBps: 9_500, isHostile: true },
    })
  })

  test.each<[string, Partial<Parameters<typeof judgeHoneypot>[0]>, number, object]>([
    ['a window', facts({}, {}, { soldHeld: sold(4_500) }), 83, { label: '7 Days', sellTaxBps: 4_500 }],
    ['a moment that the code names', { instants: [instant({ soldFresh: sold(2_500) })] }, 50, { sellTaxBps: 2_500 }],
    ['the worse of two', facts({}, { soldHeld: sold(3_000) }, { soldHeld: sold(1_000) }), 58, { label: '24 Hours' }],
  ])('a tax of %s to come counts like one of today, and is no trap', (_, changes, riskScore, later) => {
    expect(judgeHoneypot({ ...facts({}), ...changes })).toMatchObject({ riskScore, later, isTimeHoneypot: false })
  })

  test('a tax that ends is a change and no trap', () => {
    const input = {
      ...facts({ soldFresh: sold(2_000) }),
      instants: [instant({ soldFresh: sold(200), soldHeld: sold(200) })],
    }
    const verdict = judgeHoneypot(input)
    expect(verdict).toMatchObject({ riskScore: 40, isTimeHoneypot: false, nextChange: { sellTaxBps: 200 } })
    expect(verdict.later).toBeUndefined()
  })

  test.each<[string, SellFacts, SellFacts | undefined, string[]]>([
    ['blocked here and sold elsewhere', blocked(), sold(), ['sells-elsewhere']],
    ['sold here and blocked elsewhere', sold(), blocked(), ['blocked-elsewhere']],
    ['taxed away elsewhere', sold(), sold(8_000), ['blocked-elsewhere']],
    ['the same everywhere', sold(), sold(300), []],
    ['not to be bought elsewhere', sold(), undefined, []],
  ])('a token that is %s is said to be so, and judged by its deepest pool', (_, here, there, ids) => {
    const other = { venue: 'SushiSwap', pool: '0x01', bought: bought(), sold: there } as const
    const verdict = judgeHoneypot({ ...facts({ soldFresh: here }), otherMarkets: [other] })
    expect(verdict.findings.map(({ id }) => id)).toEqual(ids)
    expect(verdict.isHoneypot).toBe(!here.success)
  })

  test('a short cooldown is said and forgiven', () => {
    const verdict = judgeHoneypot(facts({ soldFresh: { ...sold(), waitedSeconds: 48 } }))
    expect(verdict).toMatchObject({
      riskScore: 5,
      isHoneypot: false,
      findings: [{ id: 'cooldown', detail: 'Sells work from 48 seconds after the purchase' }],
    })
  })

  test.each(['soldFresh', 'soldHeld'] as const)(
    'a tax of %s that could not be measured is not known to be low',
    (leg) => {
      const verdict = judgeHoneypot(facts({}, {}, { [leg]: { ...sold(), taxBps: undefined } }))
      expect(verdict.isHoneypot).toBe(false)
      expect(verdict.inconclusive).toBe('The tax could not be measured (7 Days): the pool kept no account of the trade')
    },
  )

  test.each<[string, HoneypotFacts, number]>([
    ['calm', facts({}), 0],
    ['taxed', facts({ soldFresh: sold(2_500) }), 50],
    ['a trap', facts({ soldFresh: blocked() }), 100],
  ])(
    'a trade that a bound of ours ended is no less than what was traded, and unfinished: %s',
    (_, input, riskScore) => {
      const verdict = judgeHoneypot({ ...input, windows: input.windows.slice(0, 2), unfinished: '7 Days' })
      expect(verdict).toMatchObject({ riskScore, doubt: 'unfinished', unfinished: '7 Days' })
      expect(verdict.inconclusive).toMatch(/^Our analysis met its own limit, and the window "7 Days"/)
    },
  )

  test('the worse of holding and coming late is the window', () => {
    const { windows } = judgeHoneypot(facts({}, { soldFresh: sold(300), soldHeld: sold(700) }))
    expect(windows[1]).toMatchObject({ label: '24 Hours', sellTaxBps: 700 })
  })

  test('more tax never scores less', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000), (a, b) => {
        const score = (tax: number) => judgeHoneypot(facts({ soldFresh: sold(tax) })).riskScore
        expect(score(Math.min(a, b))).toBeLessThanOrEqual(score(Math.max(a, b)))
      }),
    )
  })
})
