import { describe, expect, test } from 'vitest'
import type { Honeypot, Reports, Simulate } from '../../portal/src/api/reports.js'
import { NO_REPORTS } from '../../portal/src/api/reports.js'
import { judge } from '../../portal/src/report/verdict.js'
import { createTestApp, HONEYPOT, PHISHING, request, SIMULATE } from '../http/test-app.js'

/** Answers of the real application, made harmless: a round trip without tax, code without findings, three quiet windows. */
async function harmlessReports(): Promise<Reports> {
  const { post } = await createTestApp()
  const [simulation, honeypot, phishing] = await Promise.all(
    [SIMULATE, HONEYPOT, PHISHING].map(async (url) => (await post(request(), { url })).json()),
  )
  const { checks } = simulation
  Object.assign(checks.simulateResult, { buyTax: '0', sellTax: '0', estimatedTax: '0' })
  Object.assign(checks.byteCodeResult, { trustStatus: 'Safe', humanWarning: 'Nothing.', riskFlags: [] })
  const { honeypotResponse } = honeypot
  const quiet = { buyTax: 0, sellTax: 0, riskScore: 0, errorReason: '' }
  Object.assign(honeypotResponse, {
    ...{ ...quiet, isTimeHoneypot: false, findings: [], causes: [], trustStatus: 'Safe', inconclusive: null },
    timeTravelResults: honeypotResponse.timeTravelResults.map((window: object) => ({ ...window, ...quiet })),
  })
  Object.assign(phishing, { verdict: 'SAFE', inconclusive: false })
  return { ...NO_REPORTS, simulation, honeypot, phishing }
}

interface Change {
  simulate?: Partial<Simulate>
  code?: object
  honeypot?: object
  windows?: [object, object, object]
  phishing?: object
  reports?: Partial<Reports>
}

async function judgeWith({ simulate, code, honeypot, windows, phishing, reports: other }: Change) {
  const reports = await harmlessReports()
  Object.assign(reports.simulation?.checks.simulateResult ?? {}, simulate)
  Object.assign(reports.simulation?.checks.byteCodeResult ?? {}, code)
  const trade: Honeypot | undefined = reports.honeypot?.honeypotResponse
  Object.assign(trade ?? {}, honeypot)
  trade?.timeTravelResults.forEach((window, i) => {
    Object.assign(window, windows?.[i])
  })
  Object.assign(reports.phishing ?? {}, phishing)
  return judge({ ...reports, ...other })
}

test('a token that can be bought, held and sold has passed', async () => {
  const { level, headline, reason } = await judgeWith({})
  expect([level, headline]).toEqual(['clear', 'It can be bought, held and sold.'])
  expect(reason).toBe(
    'A fresh account bought and sold it on Uniswap V2 without any tax, now, in 24 hours and in 7 days, and nothing harmful was found in its code.',
  )
})

test.each<[string, Change, string]>([
  ['a sell that fails in the simulation', { simulate: { isHoneypot: true } }, 'trap'],
  ['a sell that fails in the honeypot check', { honeypot: { isHoneypot: true } }, 'trap'],
  ['a window that turns hostile', { honeypot: { isTimeHoneypot: true } }, 'trap'],
  ['a drain of what victims approved', { phishing: { verdict: 'CRITICAL', checks: [] } }, 'trap'],
  ['a high risk of phishing', { phishing: { verdict: 'HIGH_RISK', checks: [] } }, 'danger'],
  ['critical code', { code: { trustStatus: 'Critical Risk' } }, 'danger'],
  ['high risk in code', { code: { trustStatus: 'High Risk' } }, 'danger'],
  ['powers that were tried out', { honeypot: { trustStatus: 'High Risk', humanWarning: 'x' } }, 'danger'],
  ['half of a trade as tax', { honeypot: { sellTax: 50 } }, 'danger'],
  ['a tax that only the simulation met', { simulate: { buyTax: '60' } }, 'danger'],
  ['a tenth as tax', { honeypot: { buyTax: 10 } }, 'caution'],
  ['a medium risk', { code: { trustStatus: 'Medium Risk' } }, 'caution'],
  ['a score that asks for care', { honeypot: { riskScore: 40 } }, 'caution'],
  ['just less than that', { honeypot: { riskScore: 39.9, sellTax: 9.9 } }, 'clear'],
  ['low risk', { code: { trustStatus: 'Low Risk' } }, 'clear'],
  ['no contract', { code: { isContract: false } }, 'unknown'],
  ['a simulation that proves nothing', { simulate: { inconclusive: 'no pool' } }, 'unknown'],
  ['a simulation that failed', { simulate: { success: false, errorReason: 'no' } }, 'unknown'],
  ['a honeypot check that proves nothing', { honeypot: { inconclusive: 'no pool' } }, 'unknown'],
])('%s', async (_name, change, level) => {
  expect((await judgeWith(change)).level).toBe(level)
})

describe('what is not known is never taken for good', () => {
  const lost = { errorReason: 'The connection was lost', code: 'unreachable' }

  test.each(['simulation', 'honeypot', 'phishing'] as const)('without the %s', async (name) => {
    const { [name]: _, ...rest } = await harmlessReports()
    expect(judge({ ...rest, failures: { [name]: lost } }).level).toBe('unknown')
    expect(judge(rest).level).toBe('unknown')
  })

  test('nothing at all', () => {
    expect(judge(NO_REPORTS).level).toBe('unknown')
  })

  test('but a harm that was seen stays one', async () => {
    const { simulation: _, ...rest } = await harmlessReports()
    if (rest.honeypot) rest.honeypot.honeypotResponse.isHoneypot = true
    expect(judge({ ...rest, failures: { simulation: lost } }).level).toBe('trap')
  })
})

test('the sentence on a later trap names the first window that closes', async () => {
  const windows: Change['windows'] = [{ sellTax: 2 }, { sellTax: 2 }, { sellTax: 90 }]
  expect((await judgeWith({ honeypot: { isTimeHoneypot: true }, windows })).reason).toBe(
    'The tax of a sell goes from 2\u00a0% now to 90\u00a0% in 7 days.',
  )
  const closed: Change['windows'] = [{ sellTax: 2 }, { sellTax: 100 }, { sellTax: 100 }]
  expect((await judgeWith({ honeypot: { isTimeHoneypot: true }, windows: closed })).reason).toBe(
    'A sell costs 2\u00a0% now; in 24 hours nothing comes back.',
  )
})
