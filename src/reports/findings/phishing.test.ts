import { expect, test } from 'vitest'
import type { JudgedFinding } from '../../checks/phishing/phishing-report.js'
import { toOverall } from '../fields/overall.js'
import { judge } from '../verdict.js'
import { findInPhishing } from './phishing.js'

const CALM = { headline: 'No trap was found.', reason: 'Nothing was found.' }
const TOKEN = { name: 'Coin', symbol: 'COIN', decimals: 18, totalSupply: '1' } as never

const finding = (by: JudgedFinding['by']): JudgedFinding => ({
  ...{ id: 'spender-phishing', check: 'allowance', by, severity: 'CRITICAL', score: 45, detail: '' },
  ...{ selector: undefined, caller: undefined, asset: undefined, amount: undefined, to: undefined },
  ...{ grantedTo: undefined, trace: undefined, text: undefined },
})

const overallOf = (by: JudgedFinding['by']) => {
  const verdict = judge({
    findings: findInPhishing({ findings: [finding(by)] }),
    doubts: [],
    reviewed: false,
    calm: CALM,
  })
  return toOverall({ verdict, isWhole: true }, TOKEN)
}

test('a request that gives tokens away is told of the request, and not of the token', () => {
  expect(overallOf('wallet')).toMatchObject({
    level: 'Critical Risk',
    advice: 'Do not use',
    headline: 'Signing this gives away what you own.',
  })
})

test('a contract that takes what is approved to it is told of the contract', () => {
  expect(overallOf('anyone')).toMatchObject({
    level: 'Critical Risk',
    advice: 'Do not buy',
    headline: 'It takes what you approve.',
  })
})
