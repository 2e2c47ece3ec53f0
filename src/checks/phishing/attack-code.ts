import { type Address, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import { portionOf } from './assets.js'
import type { AttackStage } from './attack-roles.js'
import { replace } from './attack-signatures.js'

/** `transferFrom(address,address,uint256)` */
const TRANSFER_FROM = '0x23b872dd'

/** Has an executor call a token of the victim's. */
export function giveCall({ options, draft }: AttackStage, to: bigint, input: Hex, value: bigint): boolean {
  const { victim, thief } = options
  const [holding] = victim.holdings
  if (holding === undefined || draft.values.includes(BigInt(holding.token))) return false
  const words = [BigInt(victim.address), BigInt(thief), portionOf(holding)]
  const data: Hex = `${TRANSFER_FROM}${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`
  const hasTarget = draft.put(to, BigInt(holding.token))
  replace(draft.values, input, data)
  if (value > 0n) replace(draft.values, value, 0n)
  return hasTarget
}

/**
 * Has code that the caller names take a token of the victim's, or code that a master of the target
 * named before. Whether it is of ours.
 */
export function givePullingCode({ fork, options, draft, pulledBy }: AttackStage, to: Address): boolean {
  const { victim, thief, isMark } = options
  const [holding] = victim.holdings
  if (holding === undefined || pulledBy.has(to) || !(isMark(to) || draft.isChosen(BigInt(to)))) return false
  pulledBy.add(to)
  fork.evm.setCode(to, pullingCode(holding.token, [BigInt(victim.address), BigInt(thief), portionOf(holding)]))
  return true
}

/** Calls `transferFrom` of the token with these words, and answers whether that went through. */
function pullingCode(token: Address, words: readonly bigint[]): Uint8Array {
  const stores = [BigInt(TRANSFER_FROM) << 224n, ...words].map((word, i) => {
    const at = i === 0 ? 0 : 4 + (i - 1) * 32
    return `7f${toPaddedHex(word, 32).slice(2)}60${at.toString(16).padStart(2, '0')}52`
  })
  return hexToBytes(`0x${stores.join('')}5f5f60645f5f73${token.slice(2)}5af15f5260205ff3`)
}
