import { largerOf, smallerOf } from '../../bigints.js'
import { ADDRESS_MASK, type Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { isView, PAYMENT_GAS } from './books.js'
import { SPARE_WORDS } from './call-arguments.js'
import { dataOf, distinctData, LEAST_ADDRESS, type Values, wordsOf } from './call-data.js'
import type { GivenNames } from './given-names.js'
import { type Budget, passRefusals, prepareWay, refusesCaller, type WrittenWords } from './pass-refusals.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Something that an account left with the target. */
export interface Deposit extends GivenNames {
  attempt: Attempt
  /** Base units, or wei. */
  amount: bigint
  /** Absent: the native coin. */
  holding: Holding | undefined
}

/** How a depositor has something back. */
export interface Exit {
  /** What it calls before, so that a time begins to run. */
  request: Attempt | undefined
  /** What gives it back; absent where a setting has to be made first. */
  attempt: Attempt | undefined
  /** How long it waits for it. */
  waitMs: number
  /** Base units, or wei, that come back. */
  amount: bigint
  /** What it read on the way. */
  reads: Outcome['storage']['reads']
}

const DAY_MS = 86_400_000
/** When a depositor looks again: a month, and more than a year later. */
const WAITS_MS = [0, 30 * DAY_MS, 370 * DAY_MS]
/** Functions that are tried; a bait is a small contract. */
const MAX_FUNCTIONS = 24
/** Calls by which a depositor may ask for it before it comes. */
const MAX_REQUESTS = 6

/** What a search for a way out may ask, and what it takes for settable. */
export interface Terms {
  written: WrittenWords
  /** Words of the depositor's own record, for what if they said otherwise. */
  records?: WrittenWords
  /** Of refusals that are asked for their reason; absent: that of the whole check. */
  budget?: Budget
}

/**
 * Whether the victim has something back after it has deposited: now, later, or by a setting that
 * `written` says some function makes.
 */
export const hasExit = (stage: Stage, deposit: Deposit, terms: Terms): boolean =>
  branch(stage.fork, () => {
    return pay(stage, deposit, stage.victim.address) && findExit(stage, deposit, terms) !== undefined
  })

/** How the victim, which has deposited, has the most of it back, or half of it at least. */
export function findExit(stage: Stage, deposit: Deposit, terms: Terms): Exit | undefined {
  const { fork } = stage
  return branch(fork, () => {
    const requests: Attempt[] = []
    let entries = stage.entries.slice(0, MAX_FUNCTIONS)
    let waitMs = 0
    let best: Exit | undefined
    for (const ms of WAITS_MS) {
      if (ms > 0) wait(fork, ms)
      waitMs += ms
      const open: EntryPoint[] = []
      for (const entry of entries) {
        const tried = askedFor(stage, deposit, entry)
        // What gives a part back is not the way out as long as another gives all of it.
        best = betterOf(best, largestOf(stage, deposit, tried, { waitMs }))
        if (best !== undefined && !isPoor(deposit, best)) return best
        // What works a queue off has nothing to do before.
        if (!entry.isReadOnly || !tried.every(({ outcome }) => isView(outcome))) open.push(entry)
        if (ms === 0) requests.push(...tried.filter((each) => isRequest(stage, each)).map(({ attempt }) => attempt))
      }
      entries = open
    }
    best = betterOf(best, exitByRequest(stage, deposit, requests, entries))
    if (best !== undefined && !isPoor(deposit, best)) return best
    return betterOf(best, exitBySetting(stage, deposit, entries, { ...terms, waitMs }))
  })
}

/** Whether it gives back less than half of what was left there. */
export const isPoor = ({ amount }: Deposit, exit: Exit): boolean => 2n * exit.amount < amount

/** Of two that give the same the first, which was sooner. */
const betterOf = (a: Exit | undefined, b: Exit | undefined): Exit | undefined =>
  a === undefined || (b !== undefined && b.amount > a.amount) ? b : a

interface Asked {
  attempt: Attempt
  outcome: Outcome
}

/** The call that gives back the most, if any gives anything. */
function largestOf(
  stage: Stage,
  deposit: Deposit,
  tried: readonly Asked[],
  { waitMs, request }: { waitMs: number; request?: Attempt },
): Exit | undefined {
  let best: Exit | undefined
  for (const { attempt, outcome } of tried) {
    // What comes back beyond it is a present, such as a share of a prize.
    const amount = smallerOf(backOf(stage, deposit, outcome), deposit.amount)
    if (amount > (best?.amount ?? 0n)) best = { request, attempt, waitMs, amount, reads: outcome.storage.reads }
  }
  return best
}

/** Each way to ask for it, until one gives all of it back; none where others alone may call. */
function askedFor(stage: Stage, deposit: Deposit, entry: EntryPoint): Asked[] {
  const from = stage.victim.address
  const asked: Asked[] = []
  for (const data of distinctData(entry, withdrawals(stage, deposit, entry, from))) {
    const attempt = { from, to: stage.target, data }
    const outcome = stage.play(attempt)
    if (!outcome.success && asked.length === 0 && refusesCaller(stage, attempt)) return []
    asked.push({ attempt, outcome })
    if (backOf(stage, deposit, outcome) >= deposit.amount) break
  }
  return asked
}

/** It noted something and took nothing. */
function isRequest({ victim, target }: Stage, { outcome }: Asked): boolean {
  const { success, storage, native, tokens } = outcome
  const isFree = native.size === 0 && ![...tokens.values()].some((held) => (held.get(victim.address) ?? 0n) < 0n)
  return success && isFree && (storage.writes.get(target)?.size ?? 0) > 0
}

/** A time begins to run when the depositor says that it wants out: unbonding, a queue, a notice. */
function exitByRequest(
  stage: Stage,
  deposit: Deposit,
  requests: readonly Attempt[],
  entries: readonly EntryPoint[],
): Exit | undefined {
  const { fork } = stage
  let best: Exit | undefined
  for (const request of requests.slice(0, MAX_REQUESTS)) {
    best = branch(fork, () => {
      sendAs(fork, { ...request, gasLimit: PAYMENT_GAS })
      const waitMs = WAITS_MS.reduce((sum, ms) => sum + ms, 0)
      wait(fork, waitMs)
      let found = best
      for (const entry of entries) {
        found = betterOf(found, largestOf(stage, deposit, askedFor(stage, deposit, entry), { waitMs, request }))
        if (found !== undefined && !isPoor(deposit, found)) return found
      }
      return found
    })
    if (best !== undefined && !isPoor(deposit, best)) return best
  }
  return best
}

/** By a setting that some function makes; it is not made here, so that no call stands for it. */
function exitBySetting(
  stage: Stage,
  deposit: Deposit,
  entries: readonly EntryPoint[],
  { waitMs, ...terms }: Terms & { waitMs: number },
): Exit | undefined {
  let most = 0n
  for (const entry of entries) {
    most = largerOf(most, mostByWay(stage, deposit, entry, terms))
    if (2n * most >= deposit.amount) break
  }
  const amount = 2n * most >= deposit.amount ? deposit.amount : most
  return most > 0n ? { request: undefined, attempt: undefined, waitMs, amount, reads: new Map() } : undefined
}

/** The most that a refused call gives back once it is let through: half of it is enough. */
function mostByWay(stage: Stage, deposit: Deposit, entry: EntryPoint, terms: Terms): bigint {
  const { victim, target, fork } = stage
  let most = 0n
  for (const marks of withdrawals(stage, deposit, entry, victim.address)) {
    const passed = passRefusals(stage, { entry, marks, caller: victim.address, ...terms })
    if (passed === undefined || passed.asksForCaller) continue
    const { way } = passed
    const back = branch(fork, () => {
      prepareWay(stage, way)
      const data = dataOf(entry, marks, way.edits)
      return backOf(stage, deposit, stage.play({ from: victim.address, to: target, data, value: way.value }))
    })
    most = largerOf(most, back)
    if (2n * most >= deposit.amount) break
  }
  return most
}

/** The function by which it comes back; absent where a setting has to be made first. */
export const entryOf = ({ entries }: Stage, { attempt }: Exit): EntryPoint | undefined =>
  entries.find(({ selector }) => selector !== undefined && attempt?.data.startsWith(selector))

/** Whether half of what came back at first still does. */
export function isOpenHere(stage: Stage, deposit: Deposit, { attempt, request, waitMs, amount }: Exit): boolean {
  const { fork } = stage
  if (attempt === undefined) return false
  return branch(fork, () => {
    if (request !== undefined) sendAs(fork, { ...request, gasLimit: PAYMENT_GAS })
    if (waitMs > 0) wait(fork, waitMs)
    return backOf(stage, deposit, stage.play(attempt)) * 2n >= amount
  })
}

/** Whether half of it can be had back now by any way, if need be another one. */
export const isLeft = (stage: Stage, deposit: Deposit, exit: Exit): boolean =>
  isOpenHere(stage, deposit, exit) || 2n * (findExit(stage, deposit, NO_TERMS)?.amount ?? 0n) >= exit.amount

/** As things are, without a setting. */
export const NO_TERMS: Terms = { written: new Set() }

/**
 * Whether a call of the depositor's brings it the price of what it has sold: coins, or tokens by
 * their own books. What events say of others is no price.
 */
export function hasPrice(stage: Stage, deposit: Deposit): boolean {
  const { victim, entries, marks, target } = stage
  return entries.some(({ template, ...entry }) => {
    const values = marks.valuesFor(template)
    const own = values.map((value, i) => (template.leaves[i]?.type === 'address' ? BigInt(victim.address) : value))
    return [values, own].some((each) => {
      const attempt = { from: victim.address, to: target, data: dataOf({ ...entry, template }, each) }
      const outcome = stage.play(attempt)
      return outcome.success && bringsPrice(stage, deposit, outcome)
    })
  })
}

/** The depositor has more of something else by it, and less of nothing. */
export function bringsPrice(stage: Stage, { holding }: Deposit, outcome: Outcome): boolean {
  const others = [...changesElse(stage, holding, outcome).values()]
  const own = [...changesElse(stage, undefined, outcome).values(), outcome.native.get(stage.victim.address) ?? 0n]
  return others.some((change) => change > 0n) && own.every((change) => change >= 0n)
}

/**
 * What the victim has more of by a call, or less, of coins and of tokens by their own books, aside
 * from the holding (without one: from coins).
 */
export function changesElse(
  { victim }: Stage,
  holding: Holding | undefined,
  { native, storage }: Outcome,
): Map<Address | 'coin', bigint> {
  const changes = new Map<Address | 'coin', bigint>()
  if (holding !== undefined) changes.set('coin', native.get(victim.address) ?? 0n)
  for (const { account, slot, kind, token } of victim.holdings) {
    const word = kind === 'nft' || token === holding?.token ? undefined : storage.writes.get(account)?.get(slot)
    if (word !== undefined) changes.set(token, word.after - word.before)
  }
  return changes
}

/** A thing that is gone was sold, and its depositor has the price. */
export const isSold = (stage: Stage, deposit: Deposit): boolean =>
  deposit.holding?.kind === 'nft' && hasPrice(stage, deposit)

/** Whether the deposit was made by `who`, and stays. */
export function pay({ fork }: Stage, { attempt }: Deposit, who: Address): boolean {
  return sendAs(fork, { ...attempt, from: who, gasLimit: PAYMENT_GAS }).status === 'success'
}

/** What of it the victim has back by the call. */
export function backOf(
  { victim }: Stage,
  { holding }: Deposit,
  { native, storage, success }: Pick<Outcome, 'native' | 'storage' | 'success'>,
): bigint {
  if (!success) return 0n
  if (holding === undefined) return native.get(victim.address) ?? 0n
  const change = storage.writes.get(holding.account)?.get(holding.slot)
  if (change === undefined) return 0n
  // The word of an NFT says whose it is.
  if (holding.kind === 'nft') return change.after === BigInt(victim.address) ? 1n : 0n
  return change.after - change.before
}

/** By what number a deposit is asked for: how much it was, or which one. */
export const numberOf = ({ victim }: Stage, { holding, amount }: Deposit): bigint =>
  holding?.kind === 'nft' ? victim.nftId : amount

/**
 * Ways to ask for it: accounts are the caller itself, or the token first; numbers are what was
 * paid in, or which one it is, or both.
 */
export function withdrawals(stage: Stage, deposit: Deposit, { template }: EntryPoint, who: Address): Values[] {
  const { holding } = deposit
  const asked = numberOf(stage, deposit)
  const marks = stage.marks.valuesFor(template)
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const counts = numbersIn(template)
  const own = counts.filter((place) => place < template.leaves.length - SPARE_WORDS)
  const fill = (number: bigint, accounts: readonly bigint[], first = number, flag?: bigint) =>
    template.leaves.map(({ type }, i) => {
      if (type === 'address') return accounts[places.indexOf(i)] ?? BigInt(who)
      if (i === counts[0]) return first
      if (type === 'bool') return flag ?? marks[i] ?? 0n
      if (type === 'bytes32') return deposit.keys[0] ?? marks[i] ?? 0n
      return counts.includes(i) ? number : (marks[i] ?? 0n)
    })
  const token = holding === undefined ? [] : [[BigInt(holding.token)]]
  const named = accountsIn(deposit.attempt, [who, holding?.token]).map((account) => [account])
  const accounts: (readonly bigint[])[] = places.length === 0 ? [[]] : [...token, ...named, []]
  // A hash and a number are one to the code.
  const numbers = template.leaves.some(({ type }) => type.startsWith('uint'))
    ? [asked, ...deposit.parts, ...deposit.ids, ...deposit.keys.slice(0, 1)]
    : [asked]
  return [
    ...numbers.flatMap((number) => accounts.map((each) => fill(number, each))),
    // An amount that is only asked whether it is zero is read as a switch from the code.
    ...(template.leaves.some(({ type }) => type === 'bool')
      ? accounts.map((each) => fill(asked, each, asked, asked))
      : []),
    // The least that one wants for it.
    ...(own.length > 1
      ? [asked, ...deposit.parts].flatMap((part) => accounts.map((each) => fill(0n, each, part)))
      : []),
    ...(counts.length > 1 ? deposit.ids.flatMap((id) => accounts.map((each) => fill(asked, each, id))) : []),
    // Two things that are one together.
    ...(own.length > 2
      ? deposit.ids.map((id) => {
          const pair = [id, id + 1n]
          return fill(asked, []).map((value, i) => pair[own.indexOf(i)] ?? value)
        })
      : []),
  ]
}

/** What a call says that can be an account, the first of it, other than these. */
function accountsIn({ data }: Attempt, except: readonly (Address | undefined)[]): bigint[] {
  const known = new Set(except.map((each) => BigInt(each ?? 0n)))
  return wordsOf(data)
    .filter((word) => word > LEAST_ADDRESS && word <= ADDRESS_MASK && !known.has(word))
    .slice(0, 1)
}

/** Places of the numbers of a call. */
export const numbersIn = ({ leaves }: Pick<EntryPoint['template'], 'leaves'>): number[] =>
  leaves.flatMap(({ type }, i) => (type.startsWith('uint') && type !== 'uint8' ? [i] : []))

/** Whether it takes a collection, and a number in it. */
export const takesThing = ({ template: { leaves } }: EntryPoint): boolean =>
  leaves.some(({ type }) => type === 'address') && numbersIn({ leaves: leaves.slice(0, -SPARE_WORDS) }).length > 0
