import type { PhishingReport } from '../../src/checks/phishing/check-phishing.js'
import { sampleChecks } from './sample-checks.js'

const TARGET = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const OPERATOR = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

/** An operator who takes what was approved. */
export const samplePhishing: PhishingReport = {
  address: TARGET,
  chainSlug: 'ethereum',
  block: sampleChecks.block,
  delegate: undefined,
  wallet: undefined,
  verdict: 'HIGH_RISK',
  riskScore: 45,
  flagCount: 1,
  isEmpty: false,
  inconclusive: false,
  reason: undefined,
  checks: [
    { name: 'Allowance Drain Trap', triggered: true, severity: 'CRITICAL', detail: 'The operator took 15000.' },
    { name: 'Permit Signature Abuse', triggered: false, severity: 'CRITICAL', detail: 'No function did.' },
    { name: 'Native ETH Forwarder', triggered: false, severity: 'MEDIUM', detail: 'No function did.' },
  ],
  findings: [
    {
      id: 'allowance-puller',
      check: 'allowance',
      selector: '0xc8fea2fb',
      by: 'holder',
      caller: OPERATOR,
      asset: { token: USDC, symbol: 'USDC', decimals: 6, kind: 'erc20' },
      amount: 15_000_000_123n,
      to: OPERATOR,
      grantedTo: undefined,
      text: undefined,
      severity: 'CRITICAL',
      score: 0,
      detail: 'The operator took 15000.',
      trace: {
        type: 'CALL',
        from: OPERATOR,
        to: TARGET,
        gas: '0x1',
        gasUsed: '0x1',
        input: '0xc8fea2fb00',
        value: '0x0',
        calls: [
          { type: 'CALL', from: TARGET, to: USDC, gas: '0x1', gasUsed: '0x1', input: '0x23b872dd00', value: '0x0' },
        ],
      },
    },
  ],
  raw: {
    allowanceDrained: true,
    drainedTo: OPERATOR,
    drainedAmount: 15_000_000_123n,
    permitAbused: false,
    permitGrantedTo: undefined,
    etherForwarded: false,
    etherForwardedTo: undefined,
  },
}
