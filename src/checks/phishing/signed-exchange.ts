import type { CallFrame } from '../../evm/inspector.js'
import { type Address, type Hex, toPaddedHex, wordToAddress } from '../../hex.js'
import { renamedFrom, selectorIn, wordsOf } from './call-data.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** Place of the receiver: `transfer(address,uint256)`, `transferFrom(address,address,uint256)`. */
const RECEIVERS: Readonly<Record<string, number>> = { '0xa9059cbb': 0, '0x23b872dd': 1 }

/**
 * Whether something was paid for what the victim's signature let go, and it has signed for what: a
 * made-up token came for it, and with another one, or next to nothing of it, the call is refused.
 */
export function isSignedExchange(stage: Stage, attempt: Attempt, { trace }: Outcome): boolean {
  const paid = paidWith(stage, trace)
  if (paid === undefined) return false
  const other = [...stage.marks.addresses].find((mark) => !attempt.data.includes(mark.slice(2)))
  if (other === undefined) return false
  const changed = [
    renamedFrom(attempt.data, paid.token, other),
    attempt.data.replaceAll(digitsOf(paid.amount), digitsOf(LEAST)) as Hex,
  ]
  // What the call does not name cannot be exchanged, and nothing is known of it.
  return changed.every((data) => data !== attempt.data && !stage.play({ ...attempt, data }).success)
}

interface Payment {
  token: Address
  /** Base units. */
  amount: bigint
}

/** One base unit. */
const LEAST = 1n

/** As a word of call data. */
export const digitsOf = (value: bigint) => toPaddedHex(value, 32).slice(2)

/** The made-up token that the victim was sent, or an account that it has named. */
export function paidWith({ marks, victim }: Stage, trace: CallFrame): Payment | undefined {
  const open = [trace]
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    const { to, input, calls = [] } = frame
    const place = RECEIVERS[selectorIn(input)]
    if (to !== undefined && place !== undefined && marks.isMark(to)) {
      const [word = 0n, amount = 0n] = wordsOf(input).slice(place)
      const receiver = wordToAddress(word)
      if (receiver === victim.address || marks.isMark(receiver)) return { token: to, amount }
    }
    open.push(...calls)
  }
  return undefined
}
