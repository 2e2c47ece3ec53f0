import type { Address } from '../../hex.js'
import type { PhishingFacts, PhishingFinding } from './phishing-facts.js'
import type { PhishingVerdictReport } from './phishing-report.js'
import type { PlayedWallet } from './play-wallet.js'
import type { SignedIntent } from './signed-intent.js'
import type { Approval, Movement, Right } from './wallet-report.js'

/** A spender with what was found out about it. */
export interface JudgedSpender {
  address: Address
  facts: PhishingFacts
  report: PhishingVerdictReport
}

/** From here on nothing should be approved to a contract. */
const LEAST_HARM = 40

/** A permission of these kinds is a signature, and no transaction. */
const OFF_CHAIN: readonly Right['kind'][] = ['permit', 'permit2', 'transfer']
/** Those who may take by these are no account of their own: any account, or the wallet's code. */
const WITHOUT_SPENDER: readonly Right['kind'][] = ['order', 'delegation']

/** Whether the one who is allowed to take has to be judged. */
export const hasSpender = ({ kind }: Right) => !WITHOUT_SPENDER.includes(kind)

/** What is wrong with what a wallet is asked for. */
export function findingsOfWallet(
  played: PlayedWallet,
  signed: SignedIntent | undefined,
  spenders: readonly JudgedSpender[],
): PhishingFinding[] {
  const ofApprovals = played.approvals.filter(hasSpender).flatMap((approval) => {
    const spender = spenders.find(({ address }) => address === approval.spender)
    return spender === undefined ? [] : judgeApproval(approval, spender, played)
  })
  const { account } = played
  return [
    ...ofApprovals,
    ...played.drained.map((each): PhishingFinding => ({ ...NOTHING, ...lossOf(each), id: 'wallet-drain' })),
    ...(played.isTakenOver ? [{ ...NOTHING, id: 'wallet-takeover' as const, caller: account }] : []),
    ...(signed?.zeroPrice === undefined ? [] : [zeroPriceOrder(signed)]),
  ]
}

const NOTHING: Omit<PhishingFinding, 'id'> = {
  check: undefined,
  selector: undefined,
  by: 'wallet',
  caller: undefined,
  asset: undefined,
  amount: undefined,
  to: undefined,
  grantedTo: undefined,
  trace: undefined,
  text: undefined,
}

const assetOf = ({ token, symbol, decimals }: Movement | Approval, kind: 'erc20' | 'nft') =>
  token === undefined ? undefined : { token, symbol, decimals, kind }

const lossOf = (loss: Movement) => {
  return { asset: assetOf(loss, loss.id === undefined ? 'erc20' : 'nft'), amount: loss.amount, to: loss.counterparty }
}

function judgeApproval(
  approval: Approval,
  { facts, report }: JudgedSpender,
  { emptied }: PlayedWallet,
): PhishingFinding[] {
  const { kind, token, spender, amount } = approval
  const isOffChain = OFF_CHAIN.includes(kind)
  const finding: PhishingFinding = {
    ...NOTHING,
    id: 'spender-phishing',
    check: isOffChain ? 'permit' : 'allowance',
    asset: assetOf(approval, kind === 'nft' ? 'nft' : 'erc20'),
    amount,
    grantedTo: spender,
  }
  if (facts.kind === 'empty') {
    // A signed transfer is a payment, which accounts may have; of all that there is, it is none.
    if (kind === 'transfer' && !emptied.some((each) => each.token === token)) return []
    // No honest application has its users approve an account: the holder of its key takes what was
    // approved.
    return [
      {
        ...finding,
        id: facts.isUnused ? 'counterfactual-spender' : isOffChain ? 'signed-permission' : 'spender-phishing',
      },
    ]
  }
  const isOpen = kind !== 'transfer' && report.findings.some(({ id }) => id === 'open-executor')
  return report.riskScore >= LEAST_HARM || isOpen ? [finding] : []
}

const zeroPriceOrder = ({ signer, zeroPrice }: SignedIntent): PhishingFinding => {
  return { ...NOTHING, id: 'zero-price-order', check: 'permit', caller: signer, text: zeroPrice }
}
