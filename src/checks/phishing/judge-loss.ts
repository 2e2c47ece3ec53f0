import type { Address } from '../../hex.js'
import { PERMIT2 } from './assets.js'
import type { Loss } from './attack.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { Victim } from './victim.js'

/** Tries the same call in the name of another victim. */
export type Again = (victim: Victim) => Outcome | undefined

/** Whether `who` has something for it at the end: coins, or more of a token that says so itself. */
export function gains({ target, fork }: Stage, who: Address, outcome: Outcome, after: Afterwards): boolean {
  if ((outcome.native.get(who) ?? 0n) > 0n) return true
  const claimed = [...outcome.tokens].filter(([, holders]) => (holders.get(who) ?? 0n) > 0n).map(([token]) => token)
  if (claimed.some((token) => after.hasMore(token))) return true
  return outcome.logs.some(
    ({ address, topics }) =>
      isNftFor(topics, who) && fork.evm.code(address).length > 0 && address !== PERMIT2 && target !== who,
  )
}

/** What a call left, asked before it was undone. */
export interface Afterwards {
  hasMore(token: Address): boolean
}

/** `Transfer(address,address,uint256)` */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** EIP-721's event has the number as a fourth topic. */
function isNftFor(topics: readonly string[], who: Address): boolean {
  return topics.length === 4 && topics[0] === TRANSFER && topics[2]?.slice(-40) === who.slice(2)
}

/**
 * Whether a contract keeps book of the victim: storage outside the tokens that another victim's
 * same call writes elsewhere, or that holds the victim's address. It needs no knowledge of layouts.
 */
export function isCredited(stage: Stage, outcome: Outcome, again: Again): boolean {
  const { victim } = stage
  const twin = stage.twin()
  const tokens = new Set([...victim.holdings, ...twin.holdings].map(({ account }) => account))
  const own = keptBooks(outcome, tokens)
  if (own.some(({ value }) => contains(value, victim.address))) return true
  const other = again(twin)
  if (other === undefined || !other.success) return false
  const others = new Set(keptBooks(other, tokens).map(({ place }) => place))
  return own.some(({ place }) => !others.has(place))
}

function keptBooks({ storage }: Outcome, tokens: ReadonlySet<Address>): { place: string; value: bigint }[] {
  return [...storage.writes].flatMap(([account, slots]) =>
    tokens.has(account) || account === PERMIT2
      ? []
      : [...slots].map(([slot, { after }]) => ({ place: `${account}:${slot}`, value: after })),
  )
}

const ADDRESS_MASK = (1n << 160n) - 1n

/** Anywhere in the word: structures pack an address beside other things. */
function contains(word: bigint, address: Address): boolean {
  const wanted = BigInt(address)
  for (let shift = 0n; shift <= 96n; shift += 8n) if (((word >> shift) & ADDRESS_MASK) === wanted) return true
  return false
}

/**
 * Whether what was taken stays where it can be given back: with the target itself, or a contract it
 * works with.
 */
export function staysInCustody({ target, fork, thief, marks }: Stage, { to }: Loss): boolean {
  if (to === target) return true
  return to !== thief && !marks.isMark(to) && fork.evm.code(to).length > 0
}
