import type { Devnet } from '../devnet/start-devnet.js'
import { encodeCall } from '../dex/encode-call.js'
import { erc20Abi } from '../dex/read-contract.js'
import { type Address, WORD_MASK } from '../hex.js'
import type { PhishingReportBody } from '../reports/phishing/schema.js'

/** What a wallet of the demo is asked for, and what has to be said to it. */
export interface WalletExample {
  name: string
  summary: string
  targetContractAddress: Address
  chainId: number
  request: object
  expect: { verdict: PhishingReportBody['verdict']; approvals: number }
}

/** All there is and will be. */

/**
 * A wallet is asked to let an account take all it has; and the same, taken back in the same
 * request.
 */
export function walletExamples({ chain, accounts }: Devnet): WalletExample[] {
  const [from, spender] = [accounts[0]?.address, accounts[1]?.address]
  if (from === undefined || spender === undefined) return []
  const token = chain.wrappedNative
  const approve = (amount: bigint) => ({
    to: token,
    data: encodeCall({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  })
  const shared = { targetContractAddress: token, chainId: chain.id }
  return [
    {
      ...shared,
      name: 'wallet: approval of an account',
      summary: 'an ordinary account is to take everything',
      request: { from, calls: [approve(WORD_MASK)] },
      expect: { verdict: 'HIGH_RISK', approvals: 1 },
    },
    {
      ...shared,
      name: 'wallet: approval taken back',
      summary: 'the second call of one request takes back what the first gave',
      request: { from, calls: [approve(WORD_MASK), approve(0n)] },
      expect: { verdict: 'SAFE', approvals: 0 },
    },
  ]
}

/** What a wallet was told otherwise than it should have been. */
export function findWalletMismatches({ expect }: WalletExample, report: PhishingReportBody): string[] {
  const approvals = report.wallet?.approvals.length
  return [
    ...(report.verdict === expect.verdict ? [] : [`verdict is ${report.verdict}, expected ${expect.verdict}`]),
    ...(approvals === expect.approvals ? [] : [`${approvals} approvals, expected ${expect.approvals}`]),
  ]
}
