import { balanceOf, callData } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { PAYMENT_GAS } from './books.js'
import { changesElse, type Deposit, findExit, hasExit, isPoor, NO_TERMS } from './exits.js'
import type { Loss } from './losses.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/**
 * Whether a token that the victim has more of after a call is something for what it lost: one that
 * people know, or one that it can pass on. What takes all that there is of a known token has to
 * give it back for it, too: a new token by itself is worth nothing.
 */
export function isReward(stage: Stage, attempt: Attempt, token: Address, loss: Loss): boolean {
  const isKnown = (address: Address) => isKnownToken(stage, address)
  const passed = passOn(stage, attempt, token)
  if (passed === undefined) return false
  if (isKnown(token)) return true
  const deposit = { attempt, amount: passed.gained, holding: loss.holding, ids: [0n], keys: [], parts: [] }
  if (passed.isMoved && (loss.isChosenAmount || !isKnown(loss.holding.token))) return true
  return hasExit(stage, deposit, NO_TERMS)
}

const isKnownToken = ({ fork: { chain } }: Stage, token: Address): boolean =>
  token === chain.wrappedNative || chain.watchedTokens.some(({ address }) => address === token)

/**
 * Whether a token that the victim got at the call of another makes up for all that there was of a
 * known one: it is known as well, or gives half of that back.
 */
export function isWorthAll(stage: Stage, attempt: Attempt, token: Address, { holding, amount }: Loss): boolean {
  if (isKnownToken(stage, token) || !isKnownToken(stage, holding.token)) return true
  const { fork, victim } = stage
  return branch(fork, () => {
    sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
    const parts = [balanceOf(fork, token, victim.address) ?? 0n]
    const deposit: Deposit = { attempt, amount, holding, ids: [0n], keys: [], parts }
    const exit = findExit(stage, deposit, NO_TERMS)
    return exit !== undefined && !isPoor(deposit, exit)
  })
}

/** Whether the victim has more of a token by the call, and another can have it from the victim. */
export const isPassable = (stage: Stage, attempt: Attempt, token: Address): boolean =>
  passOn(stage, attempt, token)?.isMoved === true

/** Whether a call brings the depositor something else: known tokens, or what can be passed on. */
export function bringsWorth(
  stage: Stage,
  { holding }: Pick<Deposit, 'holding'>,
  { attempt, outcome }: { attempt: Attempt; outcome: Outcome },
): boolean {
  const { victim } = stage
  if (!outcome.success) return false
  if ([...changesElse(stage, holding, outcome)].some(([asset, change]) => asset !== 'coin' && change > 0n)) return true
  return [...outcome.tokens].some(
    ([token, held]) =>
      token !== holding?.token && (held.get(victim.address) ?? 0n) > 0n && isPassable(stage, attempt, token),
  )
}

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
