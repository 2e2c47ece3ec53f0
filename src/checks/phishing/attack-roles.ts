import type { CallFrame } from '../../evm/inspector.js'
import { type Address, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { type Holding, PERMIT2, portionOf } from './assets.js'
import type { AttackOptions } from './attack.js'
import { giveCall, givePullingCode } from './attack-code.js'
import type { Draft } from './attack-draft.js'
import type { Leads, PullLead } from './leads.js'
import { readPermit, type SignedPermit } from './permit-signature.js'
import { giveInPlace, giveMetToken } from './victim.js'

/** An attack under way. */
export interface AttackStage {
  fork: Fork
  options: AttackOptions
  draft: Draft
  /** Tokens that the target has fixed, now among what the victim owns. */
  met: Map<Address, Holding>
  /**
   * Accounts with code of ours that takes from the victim, which the target is to run as its own.
   */
  pulledBy: Set<Address>
}

/** Puts victim, thief, tokens and amounts where the target used the marks. What changed. */
export function giveRoles(stage: AttackStage, { pulls, executors, delegates, permits }: Leads): boolean[] {
  return [
    ...permits.map((frame) => givePermitRoles(stage, frame)),
    ...pulls.map((pull) => givePullRoles(stage, pull, permits.length > 0)),
    ...executors.map(({ to, input, value }) => giveCall(stage, BigInt(to), input, value)),
    ...delegates.map((to) => givePullingCode(stage, to)),
  ]
}

function givePullRoles(stage: AttackStage, { form, words, token }: PullLead, isSigned: boolean): boolean {
  const { options, draft } = stage
  const { victim, thief, caller, target } = options
  const word = (at: number | undefined) => (at === undefined ? undefined : words[at])
  const from = word(form.from)
  if (from === undefined || from === BigInt(target)) return false
  const isOwn = from === BigInt(caller)
  // A victim that calls for itself names no other account's tokens, and the other accounts have
  // none.
  if (isOwn !== (caller === victim.address)) return false
  const holding = chooseHolding(stage, form, token, isSigned)
  if (holding === undefined) return false
  const amount = word(form.amount)
  const id = word(form.id)
  const receiver = word(form.to)
  return [
    draft.put(token, BigInt(holding.token)),
    draft.put(from, BigInt(victim.address)),
    id !== undefined && draft.put(id, victim.nftId),
    amount !== undefined && draft.put(amount, portionOf(holding)),
    // An account that calls for itself has its tokens sent where it likes, which proves nothing.
    !isOwn && receiver !== undefined && draft.put(receiver, BigInt(thief)),
    giveMet(stage, holding),
  ].includes(true)
}

/**
 * What the victim has that fits: the very token if the target has fixed it, else the first of the
 * kind that can be signed for.
 */
function chooseHolding(
  { options, fork, draft, met }: AttackStage,
  { standard }: PullLead['form'],
  token: bigint,
  isSigned: boolean,
): Holding | undefined {
  const { victim, target } = options
  const kind = standard === 'nft' || standard === 'multi' ? standard : 'erc20'
  const known = [...victim.holdings, ...met.values()].filter((holding) => holding.kind === kind)
  const same = known.find((holding) => BigInt(holding.token) === token)
  if (same !== undefined) return same
  if (draft.isChosen(token)) return isSigned ? known.at(-1) : known[0]
  if (token === 0n || token >> 160n !== 0n) return undefined
  const address = toPaddedHex(token, 20)
  if (address === target || address === PERMIT2 || fork.evm.code(address).length === 0) return undefined
  return kind === 'erc20'
    ? giveMetToken(fork, victim, target, address)
    : giveInPlace(fork, victim, target, address, kind)
}

/** A token that the target has fixed and the victim did not have: it does now. */
function giveMet({ options, met }: AttackStage, holding: Holding): boolean {
  if (options.victim.holdings.includes(holding) || met.has(holding.token)) return false
  met.set(holding.token, holding)
  return true
}

function givePermitRoles(stage: AttackStage, frame: CallFrame): boolean {
  const { fork, options, draft } = stage
  const { victim, thief, target } = options
  const permit = readPermit(fork, frame) ?? readPermitOfMark(stage, frame)
  if (permit === undefined) return false
  const holding = victim.holdings.findLast(({ kind }) => kind === 'erc20')
  if (holding === undefined) return false
  const { tokens, amounts, nonces, spenders, receivers } = permit.parts
  return [
    draft.put(BigInt(permit.owner), BigInt(victim.address)),
    ...tokens.map((token) => draft.put(token, BigInt(holding.token))),
    ...amounts.map((amount) => draft.put(amount, portionOf(holding))),
    ...nonces.map((nonce) => draft.put(nonce, 0n)),
    ...spenders.map((spender) => draft.put(spender, BigInt(target))),
    ...receivers.map((receiver) => draft.put(receiver, BigInt(thief))),
  ].includes(true)
}

/**
 * A made-up token has no domain to sign for; what the call names is read as if it were the victim's
 * own token.
 */
function readPermitOfMark(
  { fork, options: { victim }, draft }: AttackStage,
  frame: CallFrame,
): SignedPermit | undefined {
  const { to } = frame
  const holding = victim.holdings.findLast(({ kind }) => kind === 'erc20')
  if (to === undefined || holding === undefined || !draft.values.includes(BigInt(to))) return undefined
  const permit = readPermit(fork, { ...frame, to: holding.token })
  return permit && { ...permit, parts: { ...permit.parts, tokens: [BigInt(to)] } }
}
