import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { ofTwin, PAYMENT_GAS } from './books.js'
import { dataOf } from './call-data.js'
import { type Act, dependsOn } from './deposit-acts.js'
import { doAnd } from './deposit-takers.js'
import { isStake } from './draws.js'
import {
  backOf,
  changesElse,
  type Deposit,
  type Exit,
  findExit,
  isLeft,
  isOpenHere,
  isSold,
  NO_TERMS,
} from './exits.js'
import { afterwardsOf, gains } from './judge-loss.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

const DAY_MS = 86_400_000
/** A day, a week, a quarter, more than a year; and some days behind it, for what opens at times. */
const LATER_MS = [1, 7, 90, 400].map((days) => days * DAY_MS)
const WINDOWS_MS = [1, 3, 6, 11, 17, 28].map((days) => (400 + days) * DAY_MS)
/** Calls of masters that are looked at, and others that may undo each. */
const MAX_ACTS = 16
const MAX_UNDOING = 16
const LAST_MS = LATER_MS.at(-1) ?? 0

/** A way out that is open at first, and shut or worth less than half afterwards. */
export interface Lock {
  /** The call that shuts it, of a master's or of any address; absent where time does. */
  act: Act | undefined
  /** A master can open it again. */
  isSwitch: boolean
}

/**
 * Whether what can be had back now cannot be later: after some time, or after one call of
 * others. The deposit stands on the fork.
 */
export function findLock(stage: Stage, deposit: Deposit, exit: Exit, acts: readonly Act[]): Lock | undefined {
  const { attempt, waitMs, request } = exit
  if (attempt === undefined) return undefined
  if (waitMs === 0 && request === undefined && isShutByTime(stage, deposit, exit)) {
    const isOwed = hasBought(stage, deposit) || isMetered(stage, deposit, exit) || isStake(stage, deposit, LAST_MS)
    if (!isOwed) return { act: undefined, isSwitch: false }
  }
  const harmful = acts.filter(
    (act) => act.outcome.success && !isOfListed(act) && backOf(stage, deposit, act.outcome) * 2n < exit.amount,
  )
  let found: Lock | undefined
  const before = elseBy(stage, deposit, exit)
  for (const act of harmful.filter(({ outcome }) => dependsOn(exit.reads, outcome)).slice(0, MAX_ACTS)) {
    if (stage.left < SPARE_PLAYS) return found
    const isSwitch = doAnd(stage, act, () => {
      if (!isShut(stage, deposit, exit) || isExchanged(stage, deposit, exit, before)) return undefined
      if (isEmptied(stage, exit)) return false
      return isPaidFor(deposit, act) ? undefined : canOpen(stage, deposit, exit, acts)
    })
    if (isSwitch === undefined) continue
    found ??= { act, isSwitch }
    if (!isSwitch) return { act, isSwitch }
  }
  return found
}

/** Who was put on a list of depositors takes out what was never paid in. */
const isOfListed = ({ by, attempt: { from }, outcome: { native, tokens } }: Act) =>
  by === 'listed' && [native, ...tokens.values()].some((changes) => (changes.get(from) ?? 0n) > 0n)

/**
 * Who calls it pays in as much: a buyer, which the depositor owes something now, and so cannot
 * leave. Whether that brings the buyer more than it costs is asked elsewhere (`search-gains.ts`).
 */
function isPaidFor({ holding, amount }: Deposit, { attempt: { from }, outcome: { native, tokens } }: Act): boolean {
  const changes = holding === undefined || holding.kind === 'nft' ? native : tokens.get(holding.token)
  return -(changes?.get(from) ?? 0n) >= amount
}

/** Left for what else is to be tried. */
const SPARE_PLAYS = 200

/** Nothing is open after more than a year that was open at first, and nothing else comes for it. */
function isShutByTime(stage: Stage, deposit: Deposit, exit: Exit): boolean {
  const isShutAt = (ms: number) =>
    branch(stage.fork, () => {
      wait(stage.fork, ms)
      return !isOpenHere(stage, deposit, exit)
    })
  if (!isShutAt(LAST_MS) || !WINDOWS_MS.every(isShutAt)) return false
  return branch(stage.fork, () => {
    wait(stage.fork, LAST_MS)
    return findExit(stage, deposit, NO_TERMS) === undefined && !givesElse(stage) && !isGivenBehind(stage)
  })
}

/** How often the time is halved in which half of it is gone: to less than an hour in 400 days. */
const HALVINGS = 14

/**
 * Whether time uses it up little by little, as it does what is paid in advance by the day: half is
 * left for a day at least, and before and behind that moment there is more, and less, of it.
 */
function isMetered(stage: Stage, deposit: Deposit, { attempt, amount }: Exit): boolean {
  if (attempt === undefined || 2n * amount < deposit.amount) return false
  const leftAfter = (ms: number) =>
    branch(stage.fork, () => {
      wait(stage.fork, ms)
      return backOf(stage, deposit, stage.play(attempt))
    })
  let [lastMs, goneMs] = [DAY_MS, LAST_MS]
  if (leftAfter(lastMs) * 2n < amount) return false
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middleMs = Math.floor((lastMs + goneMs) / 2_000) * 1_000
    if (leftAfter(middleMs) * 2n < amount) goneMs = middleMs
    else lastMs = middleMs
  }
  const isBetween = (ms: number, least: bigint, most: bigint) => {
    const left = leftAfter(ms) * 100n
    return left > least * amount && left < most * amount
  }
  return isBetween(lastMs / 2, 60n, 90n) && isBetween(lastMs * 1.5, 10n, 40n)
}

/**
 * Whether coins were the price of an NFT, which is there: no more and no less was asked for. That
 * it can be given back for a while is a favour; a vault of such notes takes any amount.
 */
function hasBought(stage: Stage, { attempt, holding }: Deposit): boolean {
  const { value: price = 0n } = attempt
  if (holding !== undefined || price === 0n) return false
  const another = ofTwin(stage, attempt)
  const isGiven = gains(
    stage,
    another.from,
    stage.play(another),
    afterwardsOf(stage, another, () => false),
  )
  return isGiven && isPrice(stage, { attempt, holding })
}

/** Whether coins were a price: no more and no less was asked for. A deposit is of any amount. */
export function isPrice(stage: Stage, { attempt, holding }: Pick<Deposit, 'attempt' | 'holding'>): boolean {
  const { value: price = 0n } = attempt
  const another = ofTwin(stage, attempt)
  return holding === undefined && [price - 1n, price + 1n].every((value) => !stage.play({ ...another, value }).success)
}

/** Whether the depositor has something else for it then: what it bought. */
function givesElse(stage: Stage): boolean {
  const { victim, entries, marks, target } = stage
  return entries.some((entry) => {
    const data = dataOf(entry, marks.valuesFor(entry.template))
    const outcome = stage.play({ from: victim.address, to: target, data })
    return outcome.success && [...outcome.tokens.values()].some((held) => (held.get(victim.address) ?? 0n) > 0n)
  })
}

/** The same once any address has made a call that was not open before: a sale that is closed. */
function isGivenBehind(stage: Stage): boolean {
  const { secondOutsider, marks, target } = stage
  return stage.entries.some((entry) => {
    if (stage.left < SPARE_PLAYS) return false
    const attempt = { from: secondOutsider, to: target, data: dataOf(entry, marks.valuesFor(entry.template)) }
    const outcome = stage.play(attempt)
    const isDone = outcome.success && outcome.storage.writes.size > 0
    return isDone && doAnd(stage, { entry, attempt, by: 'anyone', outcome }, () => givesElse(stage)) === true
  })
}

/** Not for half of it, at no time after what was done, and by no other way. */
function isShut(stage: Stage, deposit: Deposit, exit: Exit): boolean {
  const isOpen = [0, ...LATER_MS].some((ms) =>
    branch(stage.fork, () => {
      if (ms > 0) wait(stage.fork, ms)
      return isOpenHere(stage, deposit, exit)
    }),
  )
  return !isOpen && !isLeft(stage, deposit, exit) && !isSold(stage, deposit) && !isSoldLater(stage, deposit, exit)
}

/** The way out of a thing ends a sale by now, and its depositor has the price behind it. */
function isSoldLater(stage: Stage, deposit: Deposit, { attempt }: Exit): boolean {
  if (deposit.holding?.kind !== 'nft' || attempt === undefined) return false
  return branch(stage.fork, () => {
    wait(stage.fork, LAST_MS)
    const { status } = sendAs(stage.fork, { ...attempt, gasLimit: PAYMENT_GAS })
    return status === 'success' && isSold(stage, deposit)
  })
}

/** What the way out does now. */
const leave = (stage: Stage, { attempt, request, waitMs }: Exit): Outcome | undefined =>
  branch(stage.fork, () => {
    if (request !== undefined) sendAs(stage.fork, { ...request, gasLimit: PAYMENT_GAS })
    if (waitMs > 0) wait(stage.fork, waitMs)
    return attempt && stage.play(attempt)
  })

/** The way out is not refused: it is gone, and gives its depositor less than half. */
const isEmptied = (stage: Stage, exit: Exit): boolean => leave(stage, exit)?.success === true

/** What the depositor has by the way out besides what it left there; not what events say. */
function elseBy(stage: Stage, { holding }: Deposit, exit: Exit): Map<Address | 'coin', bigint> {
  const outcome = leave(stage, exit)
  return outcome?.success ? changesElse(stage, holding, outcome) : new Map()
}

/** It has more of something else instead, as who shares in a pool of two things. */
const isExchanged = (stage: Stage, deposit: Deposit, exit: Exit, before: ReturnType<typeof elseBy>): boolean =>
  [...elseBy(stage, deposit, exit)].some(([asset, amount]) => amount > (before.get(asset) ?? 0n))

/** Whether another call of a master's opens it again. */
function canOpen(stage: Stage, deposit: Deposit, exit: Exit, acts: readonly Act[]): boolean {
  const others = acts.filter(({ by, outcome }) => by !== 'anyone' && touches(exit, outcome)).slice(0, MAX_UNDOING)
  return others.some((act) => doAnd(stage, act, () => isOpenHere(stage, deposit, exit)) === true)
}

/** It reads or writes a word that the way out reads. */
const touches = ({ reads }: Exit, { storage }: Act['outcome']) =>
  [storage.reads, storage.writes].some((words) =>
    [...words].some(([account, slots]) => [...slots.keys()].some((slot) => reads.get(account)?.has(slot))),
  )
