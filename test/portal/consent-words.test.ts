import { expect, test } from 'vitest'
import type { Phishing } from '../../portal/src/api/reports.js'
import { reasonOf } from '../../portal/src/consent/consent-words.js'

const answer = (parts: object) =>
  ({ verdict: 'HIGH_RISK', reason: null, checks: [], wallet: { warnings: [] }, ...parts }) as unknown as Phishing
const warning = (severity: string, text: string) => ({ id: 'unlimited', severity, text })
const check = (severity: string, detail: string, triggered = true) => ({ name: 'n', triggered, severity, detail })

test('beside the verdict stands the worst of what was seen', () => {
  const warnings = [warning('MEDIUM', 'It may take all.')]
  const checks = [check('CRITICAL', 'It took all.'), check('CRITICAL', 'It could.', false)]
  expect(reasonOf(answer({ checks, wallet: { warnings } }))).toBe('It took all.')
  expect(reasonOf(answer({ checks: [check('LOW', 'It may be.')], wallet: { warnings } }))).toBe('It may take all.')
  // What was not triggered accuses nothing.
  expect(reasonOf(answer({ checks: [check('CRITICAL', 'It could.', false)] }))).toBeUndefined()
})

test('what the service gives as its reason comes first, and what could not be found out says so', () => {
  expect(reasonOf(answer({ reason: 'The node did not answer' }))).toBe('The node did not answer.')
  expect(reasonOf(answer({ verdict: 'INCONCLUSIVE' }))).toBe('This could not be found out. Do not read it as safe.')
  expect(reasonOf(answer({ verdict: 'SAFE', wallet: null }))).toBeUndefined()
})
