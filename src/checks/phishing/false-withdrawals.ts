import { largerOf } from '../../bigints.js'
import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { TRANSFER_TOPIC } from '../history/transfer-log.js'
import { type Book, isView, PAYMENT_GAS } from './books.js'
import { type Act, SPARE_PLAYS } from './deposit-acts.js'
import { takerIn } from './deposit-takers.js'
import { backOf, type Deposit } from './exits.js'
import { afterwardsOf, gains } from './judge-loss.js'
import { framesOf } from './leads.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { isClaimByName, isWithdrawalByName } from './withdrawal-names.js'
import { playBehind, type Request, requestsOf } from './withdrawals-astray.js'
import { bringsWorth } from './worth.js'

/** What others did behind the deposit, and functions that only tell something. */
interface Others {
  acts: readonly Act[]
  views: EntryNotes['views']
}

/**
 * A withdrawal that goes through for its depositor and brings it nothing, while the contract owes
 * it less, or has done with it: one that is called so, or that pays it an amount of zero. What is
 * spent in a shop is neither. One that notes something new may be paid by others: not where
 * functions stayed closed, or where half of it comes by what all can do then.
 */
export function findFalseWithdrawal(
  stage: Stage,
  deposit: Deposit,
  requests: readonly Request[],
  { books, acts, views, isClosed }: Others & { books: readonly Book[]; isClosed: boolean },
): Request | undefined {
  if (deposit.holding?.kind === 'nft') return undefined
  return requests.find((request) => {
    const { attempt, outcome } = request
    const isZero = paysZero(outcome, stage.victim.address) || isClaimByName(attempt.data)
    const isDone = (isZero && usesUp(outcome, books)) || (isWithdrawalByName(attempt.data) && changes(outcome, books))
    if (backOf(stage, deposit, outcome) > 0n || isOfLittle(deposit, outcome, books)) return false
    if (!isDone || isPaid(stage, deposit, request)) return false
    return !notesNew(outcome) || !(isClosed || isPaidLater(stage, deposit, request, { acts, views }))
  })
}

/** It is on a list from then on, such as a queue. */
const notesNew = ({ storage }: Outcome): boolean =>
  [...storage.writes.values()].some((slots) => [...slots.values()].some(({ before, after }) => !before && after))

/**
 * Whether half of it comes behind the request once all that can be called has been called, by the
 * depositor and by others, at once and later: a queue that any address works off, and a claim.
 */
function isPaidLater(stage: Stage, deposit: Deposit, { attempt, behind }: Request, { acts, views }: Others): boolean {
  const { fork } = stage
  const entries = stage.entries.filter((entry) => !views.has(entry))
  const others = acts.filter((act) => !takesItself(stage, deposit, act)).slice(0, MAX_OTHERS)
  const playAll = () => {
    sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
    let back = 0n
    const make = (call: Attempt): void => {
      const outcome = stage.play(call)
      if (!outcome.success) return
      back += largerOf(backOf(stage, deposit, outcome), 0n)
      sendAs(fork, { ...call, gasLimit: PAYMENT_GAS })
    }
    for (const ms of ROUNDS_MS) {
      if (stage.left < SPARE_PLAYS) {
        stage.isCut = true
        return true
      }
      wait(fork, ms)
      for (const act of others) make(act.attempt)
      for (const request of requestsOf(stage, deposit, { entries })) if (!isView(request.outcome)) make(request.attempt)
      if (2n * back >= deposit.amount) return true
    }
    return false
  }
  return branch(fork, () => playBehind(stage, behind, playAll))
}

/** What pays another that stood in a queue before is no taking. */
export function takesItself(stage: Stage, deposit: Deposit, { attempt, outcome }: Act): boolean {
  const to = takerIn(stage, deposit, outcome)
  return to !== undefined && (to === attempt.from || attempt.data.includes(to.slice(2)))
}

const DAY_MS = 86_400_000
/** From one round to the next: a call may be what opens another. */
const ROUNDS_MS = [0, 2, 31, 370].map((days) => days * DAY_MS)
const MAX_OTHERS = 64

/** Whether it has something for it: coins, tokens by their own books, or what can be passed on. */
const isPaid = (stage: Stage, deposit: Deposit, { attempt, outcome, behind }: Request): boolean =>
  playBehind(stage, behind, () => {
    if (bringsWorth(stage, deposit, { attempt, outcome })) return true
    const after = afterwardsOf(stage, attempt, () => false)
    return gains(stage, stage.victim.address, outcome, after)
  })

type Change = { before: bigint; after: bigint }

/** Whether a book of the deposit says something else behind it, of which `is` holds. */
const changes = (
  { storage }: Pick<Outcome, 'storage'>,
  books: readonly Book[],
  is: (change: Change) => boolean = ({ before, after }) => after !== before,
): boolean =>
  books.some(({ account, slot }) => {
    const change = storage.writes.get(account)?.get(slot)
    return change !== undefined && is(change)
  })

/** A book of the deposit says less behind it. */
export const usesUp = (outcome: Pick<Outcome, 'storage'>, books: readonly Book[]): boolean =>
  changes(outcome, books, ({ before, after }) => after < before)

/** It asks for less than half: a book that grew by the deposit has most of it afterwards. */
const isOfLittle = ({ amount }: Deposit, { storage }: Outcome, books: readonly Book[]): boolean =>
  books.some(({ account, slot, before, after }) => {
    const change = after - before === amount ? storage.writes.get(account)?.get(slot) : undefined
    return change !== undefined && 2n * (change.before - change.after) < amount
  })

/** A token says that it got none of it, or it was sent no coins. */
function paysZero({ logs, trace }: Outcome, who: Address): boolean {
  const isToIt = (topic: string | undefined) => topic?.slice(-40) === who.slice(2)
  const isOfNone = (data: string) => BigInt(data) === 0n
  return (
    logs.some(
      ({ topics, data }) =>
        topics[0] === TRANSFER_TOPIC && topics.length === 3 && isToIt(topics[2]) && data.length > 2 && isOfNone(data),
    ) || framesOf(trace).some((frame) => frame !== trace && frame.to === who && isOfNone(frame.value ?? '0x0'))
  )
}
