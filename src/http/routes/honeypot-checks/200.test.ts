import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { sampleHoneypot } from '../../../../test/http/sample-checks.js'
import { createTestApp, HONEYPOT, request } from '../../../../test/http/test-app.js'
import type { HoneypotReport } from '../../../checks/honeypot/check-honeypot.js'
import { HoneypotReportBody } from '../../../reports/honeypot/schema.js'

const ask = async (report: Partial<HoneypotReport> = {}) => {
  const { post } = await createTestApp({ services: { honeypot: async () => ({ ...sampleHoneypot, ...report }) } })
  const response = await post(request(), { url: HONEYPOT })
  expect(response.statusCode).toBe(200)
  const body = response.json()
  expect([...Errors(HoneypotReportBody, body)]).toEqual([])
  return body
}

test('a report has every field of the specification, and always three windows', async () => {
  const { success, honeypotResponse } = await ask()
  expect(success).toBe(true)
  expect(honeypotResponse).toMatchObject({ riskScore: 95, buyTax: 0, sellTax: 0, isTimeHoneypot: true })
  expect(honeypotResponse.timeTravelResults).toMatchObject([
    { label: 'Immediate', buyTax: 0, sellTax: 0, riskScore: 0 },
    { label: '24 Hours', buyTax: 0, sellTax: 49.5, riskScore: 60 },
    { label: '7 Days', buyTax: 0, sellTax: 100, riskScore: 95, errorReason: 'reverted' },
  ])
})

test('taxes are percent with two decimals, as in the simulation', async () => {
  const { honeypotResponse } = await ask({ buyTaxBps: 800.4, sellTaxBps: 0.6, transferTaxBps: undefined })
  expect(honeypotResponse).toMatchObject({ buyTax: 8, sellTax: 0.01, transferTax: null })
})

test('what proves nothing says why', async () => {
  const { honeypotResponse } = await ask({ inconclusive: 'no liquidity', pair: undefined, venue: undefined })
  expect(honeypotResponse).toMatchObject({
    inconclusive: 'no liquidity',
    errorReason: 'no liquidity',
    pair: null,
    venue: null,
    venueTestedOn: null,
  })
})

test('says why a sell fails, what comes next, and who has power over trading', async () => {
  const { honeypotResponse } = await ask()
  expect(honeypotResponse.causes).toEqual([
    {
      window: '7 Days',
      trade: 'sell',
      contract: '0x00000000000000000000000000000000000000AA',
      selector: '0x23b872dd',
      pc: 77,
      slot: `0x${'7'.padStart(64, '0')}`,
      value: `0x${'1'.padStart(64, '0')}`,
      setBy: null,
      reason: 'slot 7 (1) is set',
    },
  ])
  expect(honeypotResponse.nextChange).toMatchObject({ timestamp: 1_800_000_000, block: '25000000', sellTax: 100 })
  expect(honeypotResponse.timeTravelResults[0]).toMatchObject({
    isBlackListDetected: true,
    isMintable: true,
    mintScore: 50,
    mintReason: 'The owner can mint.',
    isTradingControl: false,
  })
})

test('code that could not be analysed is no proof of anything', async () => {
  const { honeypotResponse } = await ask({ powers: undefined, nextChange: undefined })
  expect(honeypotResponse.nextChange).toBeNull()
  expect(honeypotResponse.timeTravelResults[0]).toMatchObject({
    isBlackListDetected: null,
    isMintable: null,
    mintScore: 0,
    mintReason: '',
    isTradingControl: null,
  })
})
