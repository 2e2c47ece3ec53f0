import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { Address } from '../../src/hex.js'
import { judgeTarget } from '../../src/reports/judge-target.js'
import { UNFINISHED_SCORE } from '../../src/reports/verdict.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const HOUR = 3_600
const DAY = 24 * HOUR
/** Gas: three transfers of it are more than an analysis may spend. */
const HEAVY = 7_600_000n
/** More than an ordinary transfer costs, and nothing to an analysis. */
const BEARABLE = 60_000n

/** `[seconds until transfers get expensive, gas, tax from twelve hours on]` */
const TOKENS = {
  bearable: [5 * DAY, BEARABLE, 2],
  'heavy after a month': [30 * DAY, HEAVY, 2],
  'heavy after days': [5 * DAY, HEAVY, 2],
  'heavy after hours': [12 * HOUR, HEAVY, 2],
  'taxed, then heavy': [5 * DAY, HEAVY, 60],
  'taxed, then bearable': [5 * DAY, BEARABLE, 60],
  'heavy at once': [0, HEAVY, 2],
} as const

let checks: ChecksOnDevnet
const addresses = new Map<string, Address>()

beforeAll(async () => {
  checks = await startChecksOnDevnet()
  const stage = await createStage(checks.devnet)
  const [v2] = stage.chain.v2
  if (!v2) throw new Error('this chain has no V2')
  for (const [name, args] of Object.entries(TOKENS)) {
    const token = await stage.deploy('GrowingBill', args)
    const [tokenAmount, quoteAmount] = [parseEther('200000'), parseEther('40')]
    await listOnV2(v2)(stage, { token, quote: stage.chain.wrappedNative, tokenAmount, quoteAmount })
    addresses.set(name, token)
  }
})
afterAll(() => checks?.stop())

async function judge(name: keyof typeof TOKENS) {
  const address = addresses.get(name) ?? '0x'
  const honeypot = await checks.honeypot(address)
  const { level, score, inconclusive } = judgeTarget({ chain: checks.devnet.chain, address }, { honeypot })
  return { honeypot, verdict: { level, score, inconclusive } }
}

const windowsOf = ({ windows, inconclusive }: HoneypotReport) =>
  windows.map(({ label, sellTaxBps, errorReason }) => {
    const isUntraded = inconclusive !== undefined && errorReason === inconclusive
    return `${label}: ${isUntraded ? 'not traded' : `${sellTaxBps / 100} %`}`
  })

const TRADED = ['Immediate: 2 %', '24 Hours: 2 %', '7 Days: 2 %']
const OURS = 'Our analysis met its own limit'

describe('a token whose transfers get expensive', () => {
  test('is judged like any other where all windows were traded', async () => {
    const { honeypot, verdict } = await judge('bearable')
    expect(windowsOf(honeypot)).toEqual(TRADED)
    expect(honeypot).toMatchObject({ isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined })
    expect(verdict).toEqual({ level: 'Safe', score: 0, inconclusive: undefined })
  })

  test('keeps its windows when only the other ways to sell could not all be tried', async () => {
    const { honeypot, verdict } = await judge('heavy after a month')
    expect(windowsOf(honeypot)).toEqual(TRADED)
    expect(honeypot).toMatchObject({ doubt: 'unfinished', unfinished: 'circumstances', isTimeHoneypot: false })
    expect(honeypot.inconclusive).toContain(`${OURS}, and not every other way`)
    expect(verdict).toMatchObject({ level: 'Medium Risk', score: UNFINISHED_SCORE })
  })

  test.each([
    ['heavy after days', '7 Days', 2],
    ['heavy after hours', '24 Hours', 1],
  ] as const)('%s: the windows before %s stay', async (name, unfinished, whole) => {
    const { honeypot, verdict } = await judge(name)
    expect(windowsOf(honeypot).slice(0, whole)).toEqual(TRADED.slice(0, whole))
    expect(honeypot).toMatchObject({ doubt: 'unfinished', unfinished, isHoneypot: false, isTimeHoneypot: false })
    expect(honeypot.inconclusive).toContain(`${OURS}, and the window "${unfinished}" is not whole`)
    expect(honeypot.transferTaxBps).toBe(200)
    expect(verdict).toMatchObject({ level: 'Medium Risk', score: UNFINISHED_SCORE })
    expect(verdict.inconclusive).toContain(`${unfinished.toLowerCase()} from now, because we met a limit of our own`)
  })

  test('is not let off what an earlier window proved', async () => {
    const whole = await judge('taxed, then bearable')
    expect(whole.honeypot).toMatchObject({ isTimeHoneypot: true, inconclusive: undefined })
    const { honeypot, verdict } = await judge('taxed, then heavy')
    expect(honeypot).toMatchObject({ isTimeHoneypot: true, unfinished: '7 Days' })
    expect(windowsOf(honeypot).slice(0, 2)).toEqual(['Immediate: 2 %', '24 Hours: 60 %'])
    expect(verdict).toMatchObject({ level: 'Critical Risk', score: whole.verdict.score })
    expect(verdict.inconclusive).toBeDefined()
  })

  test('before anything was traded leaves nothing to keep', async () => {
    const { honeypot, verdict } = await judge('heavy at once')
    expect(honeypot).toMatchObject({ doubt: 'resisted', unfinished: undefined, isHoneypot: false })
    expect(verdict.level).toBe('Medium Risk')
  })
})
