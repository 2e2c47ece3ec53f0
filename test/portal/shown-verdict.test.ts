import { expect, test } from 'vitest'
import { NO_REPORTS, type Reports } from '../../portal/src/api/reports.js'
import { readVerdict } from '../../portal/src/report/shown-verdict.js'
import { createTestApp, HONEYPOT, PHISHING, request, SIMULATE } from '../http/test-app.js'

/** Answers of the real application. */
async function realReports(): Promise<Required<Pick<Reports, 'simulation' | 'honeypot' | 'phishing'>> & Reports> {
  const { post } = await createTestApp()
  const [simulation, honeypot, phishing] = await Promise.all(
    [SIMULATE, HONEYPOT, PHISHING].map(async (url) => (await post(request(), { url })).json()),
  )
  return { ...NO_REPORTS, simulation, honeypot, phishing }
}

test('the page says what the service says, whichever answer it comes from', async () => {
  const { simulation, honeypot, phishing, ...rest } = await realReports()
  const { level, score, advice, headline, reason } = simulation.overall ?? expect.unreachable()
  const expected = { look: 'trap', advice, level: `${level}, ${score} of 100, 0 is best`, headline, reason }
  for (const answers of [{ simulation }, { honeypot }, { phishing }, { simulation, honeypot, phishing }])
    expect(readVerdict({ ...rest, ...answers })).toEqual(expected)
})

test.each([
  ['No trap found', 'clear'],
  ['Be careful', 'caution'],
  ['Not known', 'unknown'],
  ['Do not buy', 'trap'],
  ['Do not use', 'trap'],
] as const)('%s looks like %s', async (advice, look) => {
  const { simulation, ...rest } = await realReports()
  const overall = { level: 'Low Risk' as const, score: 50, advice, headline: 'h', reason: 'r', inconclusive: null }
  expect(readVerdict({ ...rest, simulation: { ...simulation, overall } })).toMatchObject({
    look,
    advice,
    headline: 'h',
  })
})

test('a score of what is not known is not shown: it would say that it is known', async () => {
  const { simulation, ...rest } = await realReports()
  const overall = { level: 'Medium Risk', score: 0, headline: 'h', reason: 'r', inconclusive: 'r' } as const
  const levelOf = (advice: 'Not known' | 'Be careful') =>
    readVerdict({ ...rest, simulation: { ...simulation, overall: { ...overall, advice } } }).level
  expect(levelOf('Not known')).toBe('Counts as Medium Risk until it is known')
  expect(levelOf('Be careful')).toBe('Medium Risk, 0 of 100, 0 is best')
})

test('a calm verdict whose headline names a risk says first what works', async () => {
  const { simulation, ...rest } = await realReports()
  const overall = { score: 30, advice: 'No trap found', headline: 'h', reason: 'r', inconclusive: null } as const
  const calmOf = (level: 'Safe' | 'Low Risk', trade: object) => {
    const checks = { ...simulation.checks, simulateResult: { ...simulation.checks.simulateResult, ...trade } }
    return readVerdict({ ...rest, simulation: { ...simulation, checks, overall: { ...overall, level } } }).calm
  }
  const venue = { name: 'Uniswap V2', pool: '0x', testedOn: 'real code' }
  expect(calmOf('Low Risk', { success: true, isHoneypot: false, venue })).toBe('It can be bought and sold.')
  // What was not traded is not said to be.
  for (const trade of [{ success: false }, { isHoneypot: true }, { venue: null }])
    expect(calmOf('Low Risk', { success: true, isHoneypot: false, venue, ...trade })).toBe('No harm was seen.')
  // There the headline says itself that all is well.
  expect(calmOf('Safe', { success: true, isHoneypot: false, venue })).toBeUndefined()
})

test('what a verdict lacks stands beside it, unless the reason says so already', async () => {
  const { simulation, ...rest } = await realReports()
  const overall = {
    level: 'Medium Risk',
    score: 45,
    advice: 'Not known',
    headline: 'h',
    reason: 'r',
    inconclusive: 'not seen',
  } as const
  expect(readVerdict({ ...rest, simulation: { ...simulation, overall } }).missing).toBe('not seen')
  const told = { ...overall, reason: 'r, not seen' }
  expect(readVerdict({ ...rest, simulation: { ...simulation, overall: told } }).missing).toBeUndefined()
})

test('without any answer there is no verdict, and the failure is told', () => {
  const failures = { simulation: { errorReason: 'The connection was lost', code: 'unreachable' } }
  expect(readVerdict({ ...NO_REPORTS, failures })).toMatchObject({
    ...{
      look: 'unknown',
      advice: 'Not known',
      reason: 'The connection was lost. That says nothing about the token, neither good nor bad.',
    },
  })
  expect(readVerdict(NO_REPORTS).look).toBe('unknown')
})
