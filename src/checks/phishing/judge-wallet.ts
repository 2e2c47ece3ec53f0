import type { Address } from '../../hex.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import type { PhishingVerdictReport } from './phishing-report.js'
import type { PlayedWallet } from './play-wallet.js'
import type { SignedIntent } from './typed-data.js'
import type { Approval, WalletReport } from './wallet-report.js'

/** A spender with what was found out about it. */
export interface JudgedSpender {
  address: Address
  facts: PhishingFacts
  report: PhishingVerdictReport
}

/** From here on nothing should be approved to a contract. */
const LEAST_HARM = 40

/**
 * What a transaction would do, or a signature would allow; `spenders` are those who would be
 * allowed to take.
 */
export function judgeWallet(
  played: PlayedWallet | undefined,
  signed: SignedIntent | undefined,
  spenders: readonly JudgedSpender[],
): { wallet: WalletReport; findings: PhishingFinding[] } {
  const approvals = [...(played?.approvals ?? []), ...(signed?.approvals ?? [])]
  const isSigned = played === undefined
  const wallet: WalletReport = {
    kind: isSigned ? 'signature' : 'transaction',
    account: played?.account ?? signed?.signer,
    success: played?.success,
    errorReason: played?.errorReason ?? (signed?.isKnown === false ? 'the kind of this message is not known' : ''),
    leaves: played?.leaves ?? [],
    arrives: played?.arrives ?? [],
    approvals,
    spenders: spenders.map(({ address, report: { verdict, riskScore, reason } }) => ({
      address,
      verdict,
      riskScore,
      reason,
    })),
  }
  const ofApprovals = approvals.flatMap((approval) => {
    const spender = spenders.find(({ address }) => address === approval.spender)
    return spender === undefined ? [] : judgeApproval(approval, spender)
  })
  const ofOrder = signed?.zeroPrice === undefined ? [] : [zeroPriceOrder(signed)]
  return { wallet, findings: [...ofApprovals, ...ofOrder] }
}

function judgeApproval(approval: Approval, { facts, report }: JudgedSpender): PhishingFinding[] {
  const { kind, token, spender, amount } = approval
  const isOffChain = kind === 'permit' || kind === 'permit2'
  const finding: PhishingFinding = {
    id: 'spender-phishing',
    check: isOffChain ? 'permit' : 'allowance',
    selector: undefined,
    by: 'wallet',
    caller: undefined,
    asset: token === undefined ? undefined : { token, symbol: '', decimals: 0, kind: kind === 'nft' ? 'nft' : 'erc20' },
    amount,
    to: undefined,
    grantedTo: spender,
    trace: undefined,
    text: undefined,
  }
  if (facts.kind === 'empty') {
    // No honest application has its users approve an account: the holder of its key takes what was
    // approved.
    return [
      {
        ...finding,
        id: facts.isUnused ? 'counterfactual-spender' : isOffChain ? 'signed-permission' : 'spender-phishing',
      },
    ]
  }
  const isOpen = report.findings.some(({ id }) => id === 'open-executor')
  return report.riskScore >= LEAST_HARM || isOpen ? [finding] : []
}

function zeroPriceOrder({ signer, zeroPrice }: SignedIntent): PhishingFinding {
  return {
    id: 'zero-price-order',
    check: 'permit',
    selector: undefined,
    by: 'wallet',
    caller: signer,
    asset: undefined,
    amount: undefined,
    to: undefined,
    grantedTo: undefined,
    trace: undefined,
    text: zeroPrice,
  }
}
