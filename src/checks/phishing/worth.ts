import { balanceOf, callData } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { PAYMENT_GAS } from './books.js'
import { hasExit, NO_TERMS } from './exits.js'
import type { Loss } from './losses.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/**
 * Whether a token that the victim has more of after a call is something for what it lost: one that
 * people know, or one that it can pass on. What takes all that there is of a known token has to
 * give it back for it, too: a new token by itself is worth nothing.
 */
export function isReward(stage: Stage, attempt: Attempt, token: Address, loss: Loss): boolean {
  const { chain } = stage.fork
  const isKnown = (address: Address) =>
    address === chain.wrappedNative || chain.watchedTokens.some((watched) => watched.address === address)
  const passed = passOn(stage, attempt, token)
  if (passed === undefined) return false
  if (isKnown(token)) return true
  const deposit = { attempt, amount: passed.gained, holding: loss.holding, ids: [0n], keys: [], parts: [] }
  if (passed.isMoved && (loss.isChosenAmount || !isKnown(loss.holding.token))) return true
  return hasExit(stage, deposit, NO_TERMS)
}

/** Whether the victim has more of a token by the call, and another can have it from the victim. */
export const isPassable = (stage: Stage, attempt: Attempt, token: Address): boolean =>
  passOn(stage, attempt, token)?.isMoved === true

/** What the victim has more of by the call, and whether half of it can be passed on. */
function passOn({ fork, victim, outsider }: Stage, attempt: Attempt, token: Address) {
  const before = balanceOf(fork, token, victim.address) ?? 0n
  return branch(fork, () => {
    const { status } = sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
    const gained = (balanceOf(fork, token, victim.address) ?? 0n) - before
    if (status !== 'success' || gained <= 0n) return undefined
    const data = callData(TRANSFER, [outsider, (gained + 1n) / 2n])
    sendAs(fork, { from: victim.address, to: token, data, gasLimit: PAYMENT_GAS })
    return { gained, isMoved: (balanceOf(fork, token, outsider) ?? 0n) > 0n }
  })
}

/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb'
