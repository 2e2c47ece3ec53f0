import fc from 'fast-check'
import { toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Honeypot, NO_REPORTS, type Simulate } from '../../portal/src/api/reports.js'
import { cutOff, follow, NOTHING_YET, parseEvent } from '../../portal/src/api/stream.js'
import { formatCoins, formatCount, formatDuration, shorten, toWords } from '../../portal/src/format.js'
import { writeSnippet } from '../../portal/src/parts/write-snippet.js'
import { FUNCTIONS, nameCall } from '../../portal/src/report/call-names.js'
import { followMoney } from '../../portal/src/report/money.js'
import { unbrokenRuns, whyNotTraded } from '../../portal/src/report/traded-windows.js'
import { unknownFields } from '../../portal/src/report/unknown-fields.js'
import { createTestApp, HONEYPOT, request, SIMULATE } from '../http/test-app.js'

test('each selector is that of its signature', () => {
  for (const [selector, signature] of Object.entries(FUNCTIONS)) expect(toFunctionSelector(signature)).toBe(selector)
})

test.each([
  ['0x', 'receive()'],
  ['0xa9059cbb0000', 'transfer()'],
  ['0xA9059CBB', 'transfer()'],
  ['0xdeadbeef00', '0xdeadbeef'],
])('the call %s is named %s', (input, name) => {
  expect(nameCall(input)).toBe(name)
})

describe('formats', () => {
  test.each([
    [0n, '0'],
    [10n ** 18n, '1'],
    [89_630_000_000_669_319n, '0.08963'],
    [1n, '0.000000000000000001'],
    [-(3n * 10n ** 17n), '−0.3'],
    [12_345n * 10n ** 18n, '12\u2009345'],
    [1_234_567_000_000_000_000n, '1.234'],
  ])('%d wei', (wei, text) => {
    expect(formatCoins(wei)).toBe(text)
  })

  test('others', () => {
    expect(formatCount(1_234_567)).toBe('1\u2009234\u2009567')
    expect(formatDuration(7_200)).toBe('2 hours')
    expect(formatDuration(1)).toBe('1 second')
    expect(shorten('0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D')).toBe('0x7a25…488D')
    expect(toWords('isMintable')).toBe('Is mintable')
  })
})

describe('where the money went', () => {
  const trade = (overrides: Partial<Simulate>): Simulate => {
    const payment = { type: 'CALL', from: '0x', to: '0x', value: '0xde0b6b3a7640000', gas: '0x', gasUsed: '0x' }
    return {
      success: true,
      isHoneypot: false,
      ethDelta: '-200000000000000000',
      buyTax: '5',
      sellTax: '8',
      venue: { name: 'Uniswap V2', pool: '0x' },
      simulation: { calls: [{ ...payment, input: '0x', output: '0x' }], logs: [] },
      ...overrides,
    } as unknown as Simulate
  }

  test('shares add up to what was spent', () => {
    const flow = followMoney(trade({}))
    expect(flow).toMatchObject({ spent: 10n ** 18n, returned: 8n * 10n ** 17n })
    expect(flow?.shares.map(({ kind, share }) => [kind, Number(share.toFixed(3))])).toEqual([
      ['returned', 0.8],
      ['buy-tax', 0.05],
      ['sell-tax', 0.076],
      ['market', 0.074],
    ])
  })

  test('a refused sell leaves nothing to share', () => {
    const flow = followMoney(trade({ isHoneypot: true, ethDelta: '-1000000000000000000' }))
    expect(flow?.shares).toEqual([{ kind: 'stuck', share: 1 }])
  })

  test('nothing is said where nothing was bought', () => {
    expect(followMoney(trade({ venue: null }))).toBeUndefined()
    expect(followMoney(trade({ simulation: { calls: [], logs: [], isTruncated: false } }))).toBeUndefined()
  })

  test('whatever the figures, shares are shares', () => {
    const percent = fc.integer({ min: 0, max: 100 }).map(String)
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), percent, percent, (delta, buyTax, sellTax) => {
        const shares = followMoney(trade({ ethDelta: String(delta), buyTax, sellTax }))?.shares ?? []
        expect(shares.every(({ share }) => share >= 0 && share <= 1)).toBe(true)
        expect(Math.abs(shares.reduce((sum, { share }) => sum + share, 0) - 1)).toBeLessThan(0.003)
      }),
    )
  })
})

describe('taxes as a line', () => {
  const window = (sellTax: number, errorReason = '') =>
    ({ label: 'Immediate', buyTax: 0, sellTax, riskScore: 0, errorReason }) as never
  const runs = (...windows: never[]) => unbrokenRuns(windows, ({ sellTax }) => sellTax)

  test('a sale that fails is no tax: it cuts the line', () => {
    expect(runs(window(2), window(100, 'TRANSFER_FAILED'), window(5))).toEqual([
      [{ place: 0, tax: 2 }],
      [{ place: 2, tax: 5 }],
    ])
    expect(runs(window(100, 'a'), window(100, 'b'))).toEqual([])
  })

  test('all that is kept by a sale that goes through is a tax', () => {
    expect(runs(window(2), window(100))).toEqual([
      [
        { place: 0, tax: 2 },
        { place: 1, tax: 100 },
      ],
    ])
  })
})

describe('the state of an analysis', () => {
  const failure = { name: 'honeypot', errorReason: 'Honeypot check failed', code: 'honeypot_failed' }

  test('follows the events', () => {
    let state = follow(NOTHING_YET, { name: 'progress', data: { step: 'block', success: true } })
    expect(state.progress).toEqual({ block: 'done' })
    state = follow(state, { name: 'failure', data: failure })
    state = follow(state, { name: 'report', data: { name: 'newer', report: { a: 1 } } })
    state = follow(state, { name: 'end', data: {} })
    expect(state).toMatchObject({
      isOver: true,
      progress: { block: 'done', honeypot: 'failed' },
      reports: { others: { newer: { a: 1 } }, failures: { honeypot: { code: 'honeypot_failed' } } },
    })
  })

  test('names what is missing when the connection ends early', () => {
    expect(Object.keys(cutOff(NOTHING_YET).reports.failures)).toEqual(['simulation', 'honeypot', 'phishing'])
  })

  test('no text of a stream throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, data) => {
        const event = parseEvent(`event: ${name}\ndata: ${data}`)
        if (event) follow(NOTHING_YET, event)
      }),
    )
  })
})

test('fields that the page does not know are shown, and none that it knows', async () => {
  const { post } = await createTestApp()
  const simulation = (await post(request(), { url: SIMULATE })).json()
  const honeypot = (await post(request(), { url: HONEYPOT })).json()
  Object.assign(honeypot.honeypotResponse, { brandNew: [{ power: 'x' }], number: 7, nothing: null })
  const found = unknownFields({ ...NO_REPORTS, simulation, honeypot })
  expect(found.find(({ title }) => title === 'Brand new')?.value).toEqual([{ power: 'x' }])
  expect(found.find(({ title }) => title === 'Also measured')?.value).toMatchObject({ number: 7 })
  const titles = found.map(({ title }) => title)
  for (const known of ['Checks', 'Block', 'Simulation', 'Risk flags', 'Nothing']) expect(titles).not.toContain(known)
})

test('of what is no token it is said once that nothing was traded, and of a token never so', () => {
  const none = { powersTried: null, holderAnalysis: null, liquidity: null, inconclusive: 'It is no token' }
  const failed = { buyTax: 0, sellTax: 0, errorReason: 'It is no token', riskScore: 0 }
  const trade = (more: object = {}) => ({ ...none, timeTravelResults: [failed], ...more }) as unknown as Honeypot
  const token = { name: 'N', symbol: 'N', decimals: 18, totalSupply: null, marks: [], imitates: null }
  expect(whyNotTraded(trade(), null)).toBe('It is no token')
  expect(whyNotTraded(trade(), token)).toBeUndefined()
  // A token without a name that was traded, though not all of it could be seen.
  expect(whyNotTraded(trade({ timeTravelResults: [{ ...failed, errorReason: '' }] }), null)).toBeUndefined()
  expect(whyNotTraded(trade({ liquidity: {} }), null)).toBeUndefined()
})

test.each(['curl', 'TypeScript', 'Python'] as const)(
  'the example in %s names the key, the route and both fields',
  (name) => {
    const text = writeSnippet(name, { apiKey: 'assay_secret', origin: 'https://assay.example' })
    for (const part of ['assay_secret', `https://assay.example${SIMULATE}`, 'targetContractAddress', 'chainId']) {
      expect(text).toContain(part)
    }
  },
)
