import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { samplePhishing } from '../../../../test/http/sample-phishing.js'
import { createTestApp, PHISHING, request } from '../../../../test/http/test-app.js'
import type { PhishingReport } from '../../../checks/phishing/check-phishing.js'
import { PhishingReportBody } from '../../../reports/phishing/schema.js'

const ask = async (report: Partial<PhishingReport> = {}, payload: object = request()) => {
  const seen: object[] = []
  const phishing = async (target: object) => {
    seen.push(target)
    return { ...samplePhishing, ...report }
  }
  const { post } = await createTestApp({ services: { phishing } })
  const response = await post(payload, { url: PHISHING })
  expect(response.statusCode).toBe(200)
  const body = response.json()
  expect([...Errors(PhishingReportBody, body)]).toEqual([])
  return { body, target: seen[0] }
}

test('has the fields that existing clients read, flat and once more under data', async () => {
  const { body } = await ask()
  const { success, data, inputs, ...flat } = body
  expect(success).toBe(true)
  expect(inputs).toMatchObject({ check: 'phishing' })
  expect(data).toEqual(flat)
  expect(flat).toMatchObject({
    contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    chain: 'ethereum',
    verdict: 'HIGH_RISK',
    riskScore: 45,
    flagCount: 1,
    isEmpty: false,
    inconclusive: false,
    reason: null,
    raw: {
      allowanceDrained: true,
      drainedTo: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      drainedAmount: '15000000123',
      permitAbused: false,
      permitGrantedTo: null,
      etherForwarded: false,
      etherForwardedTo: null,
    },
    wallet: null,
  })
  expect(flat.checks.map(({ name, triggered }: { name: string; triggered: boolean }) => [name, triggered])).toEqual([
    ['Allowance Drain Trap', true],
    ['Permit Signature Abuse', false],
    ['Native ETH Forwarder', false],
  ])
  expect(new Date(flat.detectedAt).toISOString()).toBe(flat.detectedAt)
})

test('shows the call that proved a finding, frame by frame', async () => {
  const { body } = await ask()
  expect(
    body.findings[0].trace.map(({ depth, selector }: { depth: number; selector: string }) => [depth, selector]),
  ).toEqual([
    [0, '0xc8fea2fb'],
    [1, '0x23b872dd'],
  ])
})

test('a trace without end is cut', async () => {
  const [finding] = samplePhishing.findings
  const trace = finding?.trace
  if (!finding || !trace) throw new Error('the sample has no trace')
  const calls = Array.from({ length: 500 }, () => ({ ...trace, calls: [trace] }))
  const { body } = await ask({ findings: [{ ...finding, trace: { ...trace, calls } }] })
  expect(body.findings[0].trace).toHaveLength(24)
})

test('what a stranger wrote is neutralised', async () => {
  const [finding] = samplePhishing.findings
  const trace = finding?.trace
  if (!finding || !trace) throw new Error('the sample has no trace')
  const failed = { ...trace, error: 'execution reverted', revertReason: 'visit\u202e evil\n.example' }
  const { body } = await ask({ findings: [{ ...finding, trace: failed }] })
  expect(body.findings[0].trace[0].error).toBe('visit evil .example')
})

test('passes on what a wallet is asked to do, and shows it taken apart', async () => {
  const spender = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const coin = { symbol: 'ETH', name: 'Ether', decimals: 18 }
  const wallet: PhishingReport['wallet'] = {
    kind: 'transaction',
    account: spender,
    success: true,
    errorReason: '',
    calls: [{ from: spender, to: spender, value: 5n, selector: '0xd0e30db0', success: true, errorReason: '' }],
    leaves: [{ token: undefined, ...coin, amount: 5n, id: undefined, counterparty: spender }],
    arrives: [],
    approvals: [
      { kind: 'erc20', token: spender, ...coin, spender, amount: undefined, id: undefined, expires: 1_900_000_000n },
    ],
    spenders: [{ address: spender, verdict: 'SAFE', riskScore: 0, reason: undefined }],
    warnings: [{ id: 'unlimited', severity: 'MEDIUM', text: 'all of\u202e it' }],
  }
  const { body, target } = await ask({ wallet }, request({ calldata: '0xD0E30DB0', value: '5', from: spender }))
  expect(target).toMatchObject({ wallet: { calldata: '0xd0e30db0', value: 5n, from: spender } })
  expect(body.wallet).toMatchObject({
    calls: [{ value: '5', selector: '0xd0e30db0' }],
    leaves: [{ token: null, amount: '5', id: null, decimals: 18 }],
    approvals: [{ amount: 'Unlimited', id: null, expires: '2030-03-17T17:46:40.000Z' }],
    warnings: [{ id: 'unlimited', text: 'all of it' }],
  })
})

test('a request without anything of its own has none', async () => {
  const { target } = await ask({}, request({ from: '0x5fbdb2315678afecb367f032d93f642f64180aa3' }))
  expect(target).not.toHaveProperty('wallet')
})

test('passes on several calls and authorizations, in one spelling', async () => {
  const spender = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const calls = [{ to: spender, value: '0x10', data: '0xD0E30DB0' }, { to: spender }]
  const authorizationList = [{ address: spender, chainId: '0x1', nonce: 3 }]
  const { body, target } = await ask({}, request({ calls, authorizationList }))
  expect(target).toMatchObject({
    wallet: {
      calls: [{ to: spender, value: 16n, data: '0xd0e30db0' }, { to: spender }],
      authorizationList: [{ address: spender, chainId: 1n, nonce: 3n }],
    },
  })
  expect(body.inputs.request).toMatchObject({ calls: [{ value: '16' }, { to: spender }] })
})
