import { type Address, toPaddedHex } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { asAskedFor } from './asked-setting.js'
import { type Act, dependsOn } from './deposit-acts.js'
import { type Deposit, type Exit, isLeft, isOpenHere, isSold } from './exits.js'
import { type Budget, mayAsk } from './pass-refusals.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** How others take what a depositor left there. */
export interface Taking {
  /** In their order; the last one moves it. */
  acts: readonly Act[]
  /** How long they have to wait on the way, while the depositor can see it coming and leave. */
  noticeMs: number
  to: Address
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A depositor who looks once a day sees what is coming. */
export const LEAST_NOTICE_MS = 23 * HOUR_MS
/**
 * Tried from one to the next: what has opened at one of them, and not at the one before, took
 * longer than that.
 */
const WAITS_MS = [HOUR_MS, LEAST_NOTICE_MS, 2 * DAY_MS - HOUR_MS, 8 * DAY_MS, 31 * DAY_MS, 400 * DAY_MS]
/** A delay that is shortened, a proposal, its acceptance, and its use. */
const MAX_STEPS = 4
/** Beginnings that are gone on with, and calls played for all of them. */
const MAX_BEGINNINGS = 24
const MAX_TRIES = 300
const MAX_QUESTIONS = 48
/** What a setter or a move takes. */
const ACT_GAS = 600_000n

interface Row {
  acts: readonly Act[]
  noticeMs: number
}

/**
 * Calls that take the deposit from where it lies, and leave its depositor without a way to it: one
 * call, or a row of them in which each reads what one before it wrote. Acts were played right after
 * the deposit, which stands on the fork. A row without notice is worse, and told first.
 */
export function findTaking(stage: Stage, deposit: Deposit, exit: Exit, acts: readonly Act[]): Taking | undefined {
  const budget = { questions: 0, most: MAX_QUESTIONS }
  const search: Search = { stage, deposit, exit, acts, tries: 0, budget, announced: undefined }
  for (const act of acts) {
    const to = takerIn(stage, deposit, act.outcome)
    if (to !== undefined && leavesNothing(search, act)) return { acts: [act], noticeMs: 0, to }
  }
  const beginnings = acts.filter(({ outcome }) => outcome.success && outcome.storage.writes.size > 0)
  const set = trySettings(search, beginnings)
  if (set !== undefined) return set
  for (const act of beginnings.slice(0, MAX_BEGINNINGS)) {
    const found = doAnd(stage, act, () => goOn(search, { acts: [act], noticeMs: 0 }))
    if (found !== undefined) return found
    if (isSpent(search)) break
  }
  const { announced } = search
  search.tries = 0
  return announced && (hurried(search, announced, beginnings) ?? announced)
}

interface Search {
  stage: Stage
  deposit: Deposit
  exit: Exit
  acts: readonly Act[]
  tries: number
  /** Of refusals that are asked for what they want to be set. */
  budget: Budget
  /** The first row that takes it with notice. */
  announced: Taking | undefined
}

const isSpent = ({ tries, stage }: Search) => tries >= MAX_TRIES || stage.left < SPARE_PLAYS
/** Left for what else is to be tried. */
const SPARE_PLAYS = 200

/** What can be done behind a row that could not before it. */
function goOn(search: Search, row: Row): Taking | undefined {
  const last = row.acts.at(-1)
  if (last === undefined || row.acts.length >= MAX_STEPS) return undefined
  for (const act of search.acts) {
    if (isSpent(search)) return undefined
    if (isAgain(act, last) || !dependsOn(act.outcome.storage.reads, last.outcome)) continue
    const found = tryNext(search, row, act) ?? tryLater(search, row, act)
    if (found !== undefined) return found
  }
  return undefined
}

/** The same setting once more undoes what the first made of it. */
const isAgain = (act: Act, last: Act) => act.entry === last.entry && act.attempt.from === last.attempt.from

/** Plays the act behind the row, and goes on behind it where it did something. */
function tryNext(search: Search, row: Row, act: Act): Taking | undefined {
  search.tries += 1
  const { stage, deposit } = search
  const outcome = stage.play(act.attempt)
  if (!outcome.success) return undefined
  const acts = [...row.acts, { ...act, outcome }]
  const to = takerIn(stage, deposit, outcome)
  if (to !== undefined && !isOwnMoney(deposit, row, to) && leavesNothing(search, act)) {
    const taking = { acts, noticeMs: row.noticeMs, to }
    if (row.noticeMs < LEAST_NOTICE_MS) return taking
    search.announced ??= taking
  }
  const isNew = outcome.storage.writes.size > 0 && row.acts.every(({ attempt }) => attempt !== act.attempt)
  return isNew ? doAnd(stage, act, () => goOn(search, { acts, noticeMs: row.noticeMs })) : undefined
}

/** Who takes it has paid in as much on the way. */
function isOwnMoney({ holding, amount }: Deposit, { acts }: Row, to: Address): boolean {
  const changes = acts.map(
    ({ outcome }) => (holding ? outcome.tokens.get(holding.token) : outcome.native)?.get(to) ?? 0n,
  )
  return -2n * changes.reduce((sum, change) => sum + change, 0n) >= amount
}

/** The same once its time has come: notice is what the depositor could have left in. */
function tryLater(search: Search, row: Row, act: Act): Taking | undefined {
  const { stage } = search
  if (row.noticeMs > 0 || stage.play(act.attempt).success) return undefined
  let before = 0
  for (const ms of WAITS_MS) {
    if (isSpent(search)) return undefined
    search.tries += 1
    const after = <T>(waited: number, then: () => T) =>
      branch(stage.fork, () => {
        wait(stage.fork, waited)
        return then()
      })
    if (after(ms, () => stage.play(act.attempt).success)) {
      const isNotice = before >= LEAST_NOTICE_MS && after(before, () => canLeave(search))
      return after(ms, () => tryNext(search, { ...row, noticeMs: isNotice ? before : 0 }, act))
    }
    before = ms
  }
  return undefined
}

/** Whether the depositor has it back at this moment, without asking for it before. */
const canLeave = ({ stage, deposit, exit }: Search): boolean =>
  exit.waitMs === 0 && exit.request === undefined && isOpenHere(stage, deposit, exit)

/** What is refused now, behind a setting as it asks for it: the root of a list, a share, a name. */
function trySettings(search: Search, beginnings: readonly Act[]): Taking | undefined {
  const { stage, budget } = search
  const settings = new Map(beginnings.map((act) => [`${act.entry.selector} ${act.attempt.from}`, act]))
  for (const act of search.acts.filter(({ outcome }) => !outcome.success))
    for (const setting of settings.values()) {
      if (isSpent(search) || !mayAsk(budget)) return undefined
      if (isAgain(act, setting) || !dependsOn(act.outcome.storage.reads, setting.outcome)) continue
      const attempt = doAnd(stage, setting, () => asAskedFor(stage, setting, act.attempt, budget))
      if (attempt === undefined) continue
      const fitted = { ...setting, attempt }
      const found = doAnd(stage, fitted, () => tryNext(search, { acts: [fitted], noticeMs: 0 }, act))
      if (found !== undefined) return found
    }
  return undefined
}

/** The same row, at once, behind a call that takes its delay away. */
function hurried(search: Search, { acts }: Taking, beginnings: readonly Act[]): Taking | undefined {
  const { stage, deposit } = search
  const replay = (before: readonly Act[], [act, ...rest]: readonly Act[]): Taking | undefined => {
    if (act === undefined || isSpent(search)) return undefined
    search.tries += 1
    const outcome = stage.play(act.attempt)
    if (!outcome.success) return undefined
    const done = [...before, { ...act, outcome }]
    const to = rest.length === 0 ? takerIn(stage, deposit, outcome) : undefined
    if (to !== undefined && leavesNothing(search, act)) return { acts: done, noticeMs: 0, to }
    return doAnd(stage, act, () => replay(done, rest))
  }
  for (const first of beginnings) {
    const isOfRow = acts.some(({ attempt }) => attempt === first.attempt)
    if (isOfRow || !acts.some(({ outcome }) => dependsOn(outcome.storage.reads, first.outcome))) continue
    const found = doAnd(stage, first, () => replay([first], acts))
    if (found !== undefined) return found
  }
  return undefined
}

/** Does it on a branch and goes on there. */
export function doAnd<T>({ fork }: Stage, { attempt }: Act, then: () => T): T | undefined {
  return branch(fork, () => (sendAs(fork, { ...attempt, gasLimit: ACT_GAS }).status === 'success' ? then() : undefined))
}

/** Who has half of the deposit or more by the call, where the depositor named no such account. */
export function takerIn(stage: Stage, deposit: Deposit, outcome: Outcome): Address | undefined {
  const { victim, marks } = stage
  const to = outcome.success ? receiverIn(stage, deposit, outcome) : undefined
  if (to === undefined || to === victim.address) return undefined
  return deposit.attempt.data.includes(to.slice(2)) && !marks.isMark(to) ? undefined : to
}

function receiverIn({ target }: Stage, { holding, amount }: Deposit, { native, tokens, storage }: Outcome) {
  if (holding?.kind === 'nft') {
    const change = storage.writes.get(holding.account)?.get(holding.slot)
    return change?.before === BigInt(target) ? toPaddedHex(change.after, 20) : undefined
  }
  const changes = holding === undefined ? native : tokens.get(holding.token)
  if (changes === undefined || -(changes.get(target) ?? 0n) * 2n < amount) return undefined
  return [...changes].filter(([, got]) => got > 0n).toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0]?.[0]
}

/** Whether the depositor has no way to it behind the call, and nothing else for it. */
function leavesNothing({ stage, deposit, exit }: Search, act: Act): boolean {
  return doAnd(stage, act, () => !isLeft(stage, deposit, exit) && !isSold(stage, deposit)) === true
}
