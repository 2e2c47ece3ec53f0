import { describe, expect, test } from 'vitest'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import { judgePhishing, verdictOf } from './phishing-verdict.js'

const finding = (id: PhishingFinding['id'], check?: PhishingFinding['check']): PhishingFinding => ({
  id,
  check,
  selector: '0x12345678',
  by: 'anyone',
  caller: undefined,
  asset: undefined,
  amount: 5n,
  to: '0x00000000000000000000000000000000000000aa',
  grantedTo: '0x00000000000000000000000000000000000000bb',
  trace: undefined,
  text: undefined,
})
const facts = (findings: PhishingFinding[], rest: Partial<PhishingFacts> = {}): PhishingFacts => ({
  kind: 'contract',
  isUnused: false,
  delegate: undefined,
  findings,
  gaps: [],
  plays: 1,
  ...rest,
})
const judge = (findings: PhishingFinding[], rest: Partial<PhishingFacts> = {}) =>
  judgePhishing(facts(findings, rest), undefined)

const DRAIN = finding('allowance-puller', 'allowance')
const PERMIT = finding('permit-puller', 'permit')
const NATIVE = finding('payable-forwarder', 'native')

describe('the score', () => {
  test.each([
    [[], 0, 'SAFE'],
    [[NATIVE], 15, 'LOW_RISK'],
    [[PERMIT], 40, 'HIGH_RISK'],
    [[DRAIN], 45, 'HIGH_RISK'],
    [[DRAIN, DRAIN], 45, 'HIGH_RISK'],
    [[PERMIT, NATIVE], 55, 'HIGH_RISK'],
    [[DRAIN, PERMIT], 85, 'CRITICAL'],
    [[DRAIN, PERMIT, NATIVE], 100, 'CRITICAL'],
    [[finding('delegation-sweeper', 'native')], 45, 'HIGH_RISK'],
    [[finding('zero-price-order', 'permit')], 80, 'CRITICAL'],
    [[finding('open-executor'), finding('donation')], 15, 'LOW_RISK'],
  ] as const)('%#: adds each check once', (findings, riskScore, verdict) => {
    expect(judge([...findings])).toMatchObject({ riskScore, verdict })
  })

  test.each([
    [14, 'SAFE'],
    [15, 'LOW_RISK'],
    [39, 'LOW_RISK'],
    [40, 'HIGH_RISK'],
    [74, 'HIGH_RISK'],
    [75, 'CRITICAL'],
  ])('%i is %s', (score, verdict) => expect(verdictOf(score)).toBe(verdict))
})

test('always says all three checks, triggered or not', () => {
  const { checks, flagCount } = judge([PERMIT])
  expect(checks.map(({ name, triggered }) => [name, triggered])).toEqual([
    ['Allowance Drain Trap', false],
    ['Permit Signature Abuse', true],
    ['Native ETH Forwarder', false],
  ])
  expect(flagCount).toBe(1)
})

test('what stayed unseen makes nothing safe', () => {
  const gaps = ['Analysis resisted: steps']
  expect(judge([], { gaps })).toMatchObject({ verdict: 'INCONCLUSIVE', checks: [], riskScore: 0, reason: gaps[0] })
  expect(judge([NATIVE], { gaps })).toMatchObject({ verdict: 'INCONCLUSIVE' })
})

test('nor does it acquit of what was seen', () => {
  expect(judge([DRAIN], { gaps: ['Analysis resisted: steps'] })).toMatchObject({
    verdict: 'HIGH_RISK',
    inconclusive: false,
  })
})

test('nothing at all is empty, unless a wallet is asked to trust it', () => {
  const empty = { kind: 'empty', isUnused: true } as const
  expect(judge([], empty)).toMatchObject({ verdict: 'EMPTY_CONTRACT', isEmpty: true, checks: [] })
  expect(judge([finding('counterfactual-spender', 'allowance')], empty)).toMatchObject({
    verdict: 'HIGH_RISK',
    isEmpty: true,
  })
})
