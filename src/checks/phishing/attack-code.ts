import { type Address, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import { type Holding, portionOf } from './assets.js'
import type { AttackStage } from './attack-roles.js'
import { replace } from './attack-signatures.js'

/** `transferFrom(address,address,uint256)` and `transfer(address,uint256)` */
const [TRANSFER_FROM, TRANSFER] = ['0x23b872dd', '0xa9059cbb'] as const

/** Has an executor call a token of the victim's. */
export function giveCall({ options, draft }: AttackStage, to: bigint, input: Hex, value: bigint): boolean {
  const { victim } = options
  const fixed = victim.holdings.find(({ kind, token }) => kind === 'erc20' && BigInt(token) === to)
  const holding = fixed ?? victim.holdings[0]
  if (holding === undefined || draft.values.includes(BigInt(holding.token))) return false
  const { selector, words } = takingCall(options, holding)
  const data: Hex = `${selector}${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`
  const hasTarget = draft.put(to, BigInt(holding.token))
  const hasData = replace(draft.values, input, data)
  if (value > 0n) replace(draft.values, value, 0n)
  return hasTarget || (fixed !== undefined && hasData)
}

/**
 * Has code that the caller names take a token of the victim's, or code that a master of the target
 * named before. Whether it is of ours.
 */
export function givePullingCode({ fork, options, draft, pulledBy }: AttackStage, to: Address): boolean {
  const { victim, isMark } = options
  const [holding] = victim.holdings
  if (holding === undefined || pulledBy.has(to) || !(isMark(to) || draft.isChosen(BigInt(to)))) return false
  pulledBy.add(to)
  fork.evm.setCode(to, pullingCode(holding.token, takingCall(options, holding)))
  return true
}

/** How the target takes the token from the victim, or, where it is the victim, sends it. */
function takingCall({ victim, thief, target }: AttackStage['options'], holding: Holding): TakingCall {
  const sent = [BigInt(thief), portionOf(holding)]
  if (victim.address === target) return { selector: TRANSFER, words: sent }
  return { selector: TRANSFER_FROM, words: [BigInt(victim.address), ...sent] }
}

interface TakingCall {
  selector: Hex
  words: readonly bigint[]
}

/** Makes the call of the token, and answers whether that went through. */
function pullingCode(token: Address, { selector, words }: TakingCall): Uint8Array {
  const stores = [BigInt(selector) << 224n, ...words].map((word, i) => {
    const at = i === 0 ? 0 : 4 + (i - 1) * 32
    return `7f${toPaddedHex(word, 32).slice(2)}60${at.toString(16).padStart(2, '0')}52`
  })
  return hexToBytes(`0x${stores.join('')}5f5f60645f5f73${token.slice(2)}5af15f5260205ff3`)
}
