import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { isView, PAYMENT_GAS } from './books.js'
import { dataOf, type Values } from './call-data.js'
import { passRefusals, prepareWay, type WrittenWords } from './pass-refusals.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Something that an account left with the target. */
export interface Deposit {
  attempt: Attempt
  /** Base units, or wei. */
  amount: bigint
  /** Absent: the native coin. */
  holding: Holding | undefined
}

const DAY_MS = 86_400_000
/** When a depositor looks again: a month, and more than a year later. */
const WAITS_MS = [0, 30 * DAY_MS, 370 * DAY_MS]
/** Functions that are tried; a bait is a small contract. */
const MAX_FUNCTIONS = 24

/**
 * Whether the victim has something back after it has deposited: now, later, or by a setting that
 * `written` says some function makes.
 */
export function hasExit(stage: Stage, deposit: Deposit, written: WrittenWords): boolean {
  const { fork, victim } = stage
  return branch(fork, () => {
    if (!pay(stage, deposit, victim.address)) return false
    let entries = stage.entries.slice(0, MAX_FUNCTIONS)
    for (const ms of WAITS_MS) {
      if (ms > 0) wait(fork, ms)
      const open: EntryPoint[] = []
      for (const entry of entries) {
        const outcomes = withdrawals(stage, deposit, entry, victim.address).map((values) =>
          tryExit(stage, entry, values),
        )
        if (outcomes.some((outcome) => isBack(stage, deposit, outcome))) return true
        if (!outcomes.every(isView)) open.push(entry)
      }
      entries = open
    }
    return entries.some((entry) => hasWay(stage, deposit, entry, written))
  })
}

const tryExit = (stage: Stage, entry: EntryPoint, values: Values): Outcome =>
  stage.play({ from: stage.victim.address, to: stage.target, data: dataOf(entry, values) })

function hasWay(stage: Stage, deposit: Deposit, entry: EntryPoint, written: WrittenWords): boolean {
  const { victim, target, fork } = stage
  return withdrawals(stage, deposit, entry, victim.address).some((marks) => {
    const way = passRefusals(stage, { entry, marks, caller: victim.address, written })
    if (way === undefined || way === 'caller') return false
    return branch(fork, () => {
      prepareWay(stage, way)
      const outcome = stage.play({ from: victim.address, to: target, data: dataOf(entry, marks, way.edits) })
      return isBack(stage, deposit, outcome)
    })
  })
}

/** Whether the deposit was made by `who`, and stays. */
export function pay({ fork }: Stage, { attempt }: Deposit, who: Address): boolean {
  return sendAs(fork, { ...attempt, from: who, gasLimit: PAYMENT_GAS }).status === 'success'
}

function isBack({ victim }: Stage, { holding }: Deposit, { native, storage, success }: Outcome): boolean {
  if (!success) return false
  if (holding === undefined) return (native.get(victim.address) ?? 0n) > 0n
  const change = storage.writes.get(holding.account)?.get(holding.slot)
  return change !== undefined && change.after > change.before
}

/**
 * Ways to ask for it: accounts are the caller itself, or the token first; numbers are what was
 * paid in, or the first of a list.
 */
export function withdrawals(
  stage: Stage,
  { amount, holding }: Deposit,
  { template }: EntryPoint,
  who: Address,
): Values[] {
  const marks = stage.marks.valuesFor(template)
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const fill = (number: bigint, accounts: readonly bigint[]) =>
    template.leaves.map(({ type }, i) => {
      if (type === 'address') return accounts[places.indexOf(i)] ?? BigInt(who)
      return type.startsWith('uint') && type !== 'uint8' ? number : (marks[i] ?? 0n)
    })
  const token = holding === undefined ? [] : [[BigInt(holding.token)]]
  const accounts: (readonly bigint[])[] = places.length === 0 ? [[]] : [...token, []]
  const numbers = template.leaves.some(({ type }) => type.startsWith('uint')) ? [amount, 0n] : [amount]
  return numbers.flatMap((number) => accounts.map((each) => fill(number, each)))
}
