import { ADDRESS_MASK, type Address, type Hex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { tryTimelock } from '../powers/try-timelock.js'
import { PERMIT2 } from './assets.js'
import { delegatesOf } from './delegates-of.js'
import { LEAST_NOTICE_MS } from './deposit-takers.js'
import { playTo } from './guided-play.js'
import { PAYERS } from './payers.js'
import type { Stage } from './phishing-stage.js'
import type { ReachedCall, ReachedCalls } from './reached-calls.js'
import { readTakingCalls, type TakingCall, type TakingCalls } from './taking-calls.js'

/** A place that could take what others have approved, and that was not shown to be harmless. */
export interface UnexplainedCall {
  address: Address
  pc: number
  selector: Hex | undefined
}

/** Calls that take from others and were not tried on a victim by any caller. */
export function unexplainedCalls(stage: Stage): UnexplainedCall[] {
  const left = unexplainedIn(stage)
  return left.length > 0 && announcesAll(stage) ? [] : left
}

/**
 * Whether nothing is called but what was announced for a day: who has approved something can take
 * that back until then. The delay is tried, not believed.
 */
function announcesAll({ fork, target, outsider, victim }: Stage): boolean {
  const token = victim.holdings[0]?.token
  if (token === undefined) return false
  const delay = branch(fork, () =>
    tryTimelock({ fork, token, operator: outsider, effort: { calls: 0, trades: 0 } }, target),
  )
  return delay !== undefined && delay * 1_000 >= LEAST_NOTICE_MS
}

function unexplainedIn(stage: Stage): UnexplainedCall[] {
  return codesOf(stage).flatMap((each) =>
    each.taking.calls
      .filter((call) => !isExplained(stage, { ...each, call }))
      .map(({ pc, selector }) => ({ address: each.address, pc, selector })),
  )
}

/** The code that runs at the target, as far as it was read. */
function codesOf({ fork, target }: Stage): Omit<Place, 'call'>[] {
  const { evm } = fork
  // Its address is a hash of its code, and the check knows its rules.
  if (target === PERMIT2) return []
  return [target, ...delegatesOf(fork, target)].map((address) => {
    const code = evm.code(address)
    return { address, code, taking: readTakingCalls(code, evm.account(address).codeHash) }
  })
}

interface Place {
  address: Address
  code: Uint8Array
  taking: TakingCalls
  call: TakingCall
}

function isExplained(stage: Stage, place: Place): boolean {
  const seen = seenAt(stage.reached, place)
  if (seen.some(({ isTried }) => isTried)) return true
  if (isOfExchange(stage, place) || isShut(stage, place)) return true
  if (place.call.isOfAll) return false
  if (seen.length > 0 && seen.every((each) => isOwn(place, each))) return true
  if (place.call.isNamed) return false
  const entries = stage.entries.filter(({ selector }) => selector === place.call.selector)
  const shown = entries.flatMap((entry) => seenAt(playTo(stage, entry, place.address, place.call), place))
  return shown.length > 0 && [...seen, ...shown].every((each) => isOwn(place, each))
}

function seenAt(reached: ReachedCalls, { address, call, taking }: Place): ReachedCall[] {
  const byFunction = reached.at(address, call.pc)
  if (call.selector !== undefined) return [byFunction.get(call.selector)].flatMap((seen) => seen ?? [])
  return [...byFunction].flatMap(([each, seen]) => (taking.selectors.has(each) ? [] : [seen]))
}

/**
 * It took from its own caller, or made calls that the code has and that take nothing. One without
 * data shows nothing of a place that can send some.
 */
function isOwn({ taking, call: { isEmpty } }: Place, { isOwn, isOfOthers, asked }: ReachedCall): boolean {
  const named = [...asked].filter((selector) => selector !== '0x')
  if (isOfOthers || (!isOwn && named.length === 0 && !(isEmpty && asked.has('0x')))) return false
  return named.every((selector) => PAYERS.has(selector) || taking.names(selector))
}

/** Whether the code has the bytes. */
const has = (code: Uint8Array, bytes: Hex) =>
  Buffer.from(code.buffer, code.byteOffset, code.length).includes(Buffer.from(bytes.slice(2), 'hex'))

/**
 * Whether it is between the target and exchanges that the chain has: they tell what they were told,
 * and keep what is theirs.
 */
function isOfExchange({ fork: { chain } }: Stage, { code, call }: Place): boolean {
  const { caller, target } = call
  if (caller === 'made') return chain.v3.some(({ poolDeployer }) => has(code, poolDeployer))
  const known = new Set([...chain.v2, ...chain.v3, ...chain.v4].flatMap((each) => Object.values(each)))
  // It takes from the account that its caller names.
  known.delete(PERMIT2)
  return [caller, target].some((each) => each !== undefined && known.has(each))
}

/** Whether what is called has no code, or those who may call are none. */
function isShut({ fork: { evm }, target }: Stage, { call }: Place): boolean {
  const { owners } = call
  if (call.target !== undefined && evm.code(call.target).length === 0) return true
  return owners?.every((slot) => (evm.storage(target, slot) & ADDRESS_MASK) === 0n) === true
}

/** Places that are named; one is enough to look there. */
const MAX_NAMED = 3

/** What stayed unseen, in words for a client. */
export function describeUnexplained(stage: Stage, calls: readonly UnexplainedCall[]): string[] {
  const unread = codesOf(stage).flatMap(({ address, taking: { gaps } }) =>
    gaps.length > 0 ? [`the code of ${address} could not be read to its end: ${gaps.join(', ')}`] : [],
  )
  const named = calls.slice(0, MAX_NAMED).map(({ address, pc, selector }) => {
    return `a call that could take approved assets was not tried: ${selector ?? 'fallback'} of ${address}, at ${pc}`
  })
  return [...unread, ...named, ...(calls.length > MAX_NAMED ? [`and ${calls.length - MAX_NAMED} more such calls`] : [])]
}
