import { type Address, wordToAddress } from '../../hex.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

type Loss = Pick<PhishingFinding, 'asset' | 'amount' | 'to'>

/**
 * What an account that runs the code lost by the call of another: coins, or a permission over what
 * it has. Tokens that moved are looked for where every victim's are.
 */
export function ownLossOf(stage: Stage, outcome: Outcome): Loss | undefined {
  if (!stage.isOwn || !outcome.success) return undefined
  const { target } = stage
  const change = outcome.native.get(target) ?? 0n
  if (change < 0n) {
    const [to] = [...outcome.native].filter(([, got]) => got > 0n).toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0] ?? []
    return { asset: undefined, amount: -change, to }
  }
  return permissionIn(stage, outcome)
}

/** `Approval(address,address,uint256)` and `ApprovalForAll(address,address,bool)` */
const PERMISSIONS: ReadonlySet<string> = new Set([
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
])

/** A token of the account's that says that another may now take it. */
function permissionIn({ target, victim }: Stage, { logs }: Outcome): Loss | undefined {
  for (const { address, topics, data } of logs) {
    const holding = victim.holdings.find(({ token }) => token === address)
    const [topic = '', owner, spender] = topics
    if (holding === undefined || !PERMISSIONS.has(topic) || owner === undefined || spender === undefined) continue
    const to: Address = wordToAddress(BigInt(spender))
    if (!owner.endsWith(target.slice(2)) || to === target || BigInt(data === '0x' ? 0n : data) === 0n) continue
    const { token, symbol, decimals, kind } = holding
    return { asset: { token, symbol, decimals, kind }, amount: undefined, to }
  }
  return undefined
}
