import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { isView, PAYMENT_GAS } from './books.js'
import { dataOf, type Values } from './call-data.js'
import type { GivenNames } from './given-names.js'
import { passRefusals, prepareWay, type WrittenWords } from './pass-refusals.js'
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

/**
 * Whether the victim has something back after it has deposited: now, later, or by a setting that
 * `written` says some function makes.
 */
export const hasExit = (stage: Stage, deposit: Deposit, written: WrittenWords): boolean =>
  branch(stage.fork, () => {
    return pay(stage, deposit, stage.victim.address) && findExit(stage, deposit, written) !== undefined
  })

/** How the victim, which has deposited, has something back. */
export function findExit(stage: Stage, deposit: Deposit, written: WrittenWords): Exit | undefined {
  const { fork } = stage
  return branch(fork, () => {
    const requests: Attempt[] = []
    let entries = stage.entries.slice(0, MAX_FUNCTIONS)
    let waitMs = 0
    for (const ms of WAITS_MS) {
      if (ms > 0) wait(fork, ms)
      waitMs += ms
      const open: EntryPoint[] = []
      for (const entry of entries) {
        const tried = askedFor(stage, deposit, entry)
        const exit = tried.find(({ outcome }) => backOf(stage, deposit, outcome) > 0n)
        if (exit !== undefined) return toExit(stage, deposit, exit, { waitMs })
        if (!tried.every(({ outcome }) => isView(outcome))) open.push(entry)
        if (ms === 0) requests.push(...tried.filter((each) => isRequest(stage, each)).map(({ attempt }) => attempt))
      }
      entries = open
    }
    const requested = exitByRequest(stage, deposit, requests, entries)
    if (requested !== undefined) return requested
    const isOpen = entries.some((entry) => hasWay(stage, deposit, entry, written))
    return isOpen
      ? { request: undefined, attempt: undefined, waitMs, amount: deposit.amount, reads: new Map() }
      : undefined
  })
}

interface Asked {
  attempt: Attempt
  outcome: Outcome
}

const toExit = (
  stage: Stage,
  deposit: Deposit,
  { attempt, outcome }: Asked,
  { waitMs, request }: { waitMs: number; request?: Attempt },
): Exit => {
  const { reads } = outcome.storage
  return { request, attempt, waitMs, amount: backOf(stage, deposit, outcome), reads }
}

function askedFor(stage: Stage, deposit: Deposit, entry: EntryPoint): Asked[] {
  return withdrawals(stage, deposit, entry, stage.victim.address).map((values) => {
    const attempt = { from: stage.victim.address, to: stage.target, data: dataOf(entry, values) }
    return { attempt, outcome: stage.play(attempt) }
  })
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
  for (const request of requests.slice(0, MAX_REQUESTS)) {
    const exit = branch(fork, () => {
      sendAs(fork, { ...request, gasLimit: PAYMENT_GAS })
      const waitMs = WAITS_MS.reduce((sum, ms) => sum + ms, 0)
      wait(fork, waitMs)
      for (const entry of entries) {
        const found = askedFor(stage, deposit, entry).find(({ outcome }) => backOf(stage, deposit, outcome) > 0n)
        if (found !== undefined) return toExit(stage, deposit, found, { waitMs, request })
      }
      return undefined
    })
    if (exit !== undefined) return exit
  }
  return undefined
}

function hasWay(stage: Stage, deposit: Deposit, entry: EntryPoint, written: WrittenWords): boolean {
  const { victim, target, fork } = stage
  return withdrawals(stage, deposit, entry, victim.address).some((marks) => {
    const passed = passRefusals(stage, { entry, marks, caller: victim.address, written })
    if (passed === undefined || passed.asksForCaller) return false
    const { way } = passed
    return branch(fork, () => {
      prepareWay(stage, way)
      const outcome = stage.play({
        from: victim.address,
        to: target,
        data: dataOf(entry, marks, way.edits),
        value: way.value,
      })
      return backOf(stage, deposit, outcome) > 0n
    })
  })
}

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
  const fill = (number: bigint, accounts: readonly bigint[], first = number, flag?: bigint) =>
    template.leaves.map(({ type }, i) => {
      if (type === 'address') return accounts[places.indexOf(i)] ?? BigInt(who)
      if (i === counts[0]) return first
      if (type === 'bool') return flag ?? marks[i] ?? 0n
      if (type === 'bytes32') return deposit.keys[0] ?? marks[i] ?? 0n
      return counts.includes(i) ? number : (marks[i] ?? 0n)
    })
  const token = holding === undefined ? [] : [[BigInt(holding.token)]]
  const accounts: (readonly bigint[])[] = places.length === 0 ? [[]] : [...token, []]
  const numbers = template.leaves.some(({ type }) => type.startsWith('uint')) ? [asked, ...deposit.ids] : [asked]
  return [
    ...numbers.flatMap((number) => accounts.map((each) => fill(number, each))),
    // An amount that is only asked whether it is zero is read as a switch from the code.
    ...(template.leaves.some(({ type }) => type === 'bool')
      ? accounts.map((each) => fill(asked, each, asked, asked))
      : []),
    ...(counts.length > 1 ? deposit.ids.flatMap((id) => accounts.map((each) => fill(asked, each, id))) : []),
  ]
}

/** Places of the numbers of a call. */
export const numbersIn = ({ leaves }: EntryPoint['template']): number[] =>
  leaves.flatMap(({ type }, i) => (type.startsWith('uint') && type !== 'uint8' ? [i] : []))
