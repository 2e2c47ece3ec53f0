import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { type Book, PAYMENT_GAS } from './books.js'
import { withWords } from './call-data.js'
import { type Act, SPARE_PLAYS, VISIT_PLAYS } from './deposit-acts.js'
import { findTaking, type Taking, takerIn } from './deposit-takers.js'
import { backOf, type Deposit, type Exit, entryOf, isPoor, pay } from './exits.js'
import { findFalseWithdrawal } from './false-withdrawals.js'
import { isPrice } from './late-locks.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { type Astray, findAstray, type Request, requestsOf } from './withdrawals-astray.js'
import { bringsWorth } from './worth.js'

/** How often a depositor comes again; a tenth a month is in before. */
const MAX_ROUNDS = 40
/** Ways to ask that are gone together, and how often in a row nothing may come of them. */
const MAX_WAYS = 4
const MOST_DRY = 2
const DAY_MS = 86_400_000
const MONTH_MS = 31 * DAY_MS
/** Longer than locks and vestings that are agreed to take: four years. */
const YEARS_MS = 1_900 * DAY_MS
/** Calls of masters behind the withdrawal. */
const MAX_ACTS = 32

/** A way out that was judged, and what others can do behind the deposit. */
export interface JudgedExit {
  exit: Exit
  acts: readonly Act[]
}

/** Books of the deposit, and functions that only tell something. */
interface Known {
  books: readonly Book[]
  views: EntryNotes['views']
}

/** How others have what does not come out: a call of theirs, or the depositor's own. */
export type Rest = { taking: Taking } | { astray: Astray } | { mock: Request }

/**
 * How others have a deposit, or the rest of one of which less than half comes out at best: its own
 * withdrawal brings it to them, or a master takes it, before or behind that. Not where it comes out
 * in parts, or the depositor has something else for it, or paid a price. What stays for other
 * depositors is no master's.
 */
export function takeTheRest(
  stage: Stage,
  deposit: Deposit,
  { exit, acts }: JudgedExit,
  known: Known,
): Rest | undefined {
  const isLess = isPoor(deposit, exit)
  if (!isLess && exit.request === undefined) return undefined
  if (stage.left < VISIT_PLAYS) {
    stage.isCut = true
    return undefined
  }
  if (isLess && (isPrice(stage, deposit) || bringsWorth(stage, deposit, playOf(stage, deposit.attempt))))
    return undefined
  return branch(stage.fork, () => {
    if (!pay(stage, deposit, stage.victim.address)) return undefined
    if (isLess) return findRest(stage, deposit, { exit, acts }, known)
    const astray = findAstray(stage, deposit, requestsBy(stage, exit), { way: exit.attempt, acts })
    return astray && { astray }
  })
}

function findRest(
  stage: Stage,
  deposit: Deposit,
  { exit, acts }: JudgedExit,
  { books, views }: Known,
): Rest | undefined {
  const requests = requestsOf(stage, deposit)
  if (comesOutInParts(stage, deposit, exit, requests)) return undefined
  // What any address can bring to itself is a game, or judged with those that are open to all.
  const others = acts.filter((act) => act.by !== 'anyone' || !gainsItself(deposit, act))
  const late = lateExit(stage, deposit, exit)
  if (late === 'sold') return undefined
  if (late !== undefined) return asRest(findTaking(stage, deposit, late, others))
  const astray = findAstray(stage, deposit, requests, { way: exit.attempt, acts })
  if (astray !== undefined) return { astray }
  // What notes something new may be paid by others, which is not looked into here.
  const mock = findFalseWithdrawal(stage, deposit, requests, { books, acts, views, isClosed: true })
  if (mock !== undefined) return { mock }
  const whole = { ...exit, amount: deposit.amount }
  return asRest(findTaking(stage, deposit, whole, others) ?? takenBehind(stage, deposit, exit, others))
}

const asRest = (taking: Taking | undefined): Rest | undefined => taking && { taking }

/** What gives half of it or more after years, or `sold` where something else comes by then. */
function lateExit(stage: Stage, deposit: Deposit, { request }: Exit): Exit | 'sold' | undefined {
  return branch(stage.fork, () => {
    begin(stage, { request, waitMs: YEARS_MS })
    const requests = requestsOf(stage, deposit)
    if (requests.some((each) => bringsWorth(stage, deposit, each))) return 'sold'
    const way = requests.find(({ outcome }) => 2n * backOf(stage, deposit, outcome) >= deposit.amount)
    if (way === undefined) return undefined
    const { attempt, outcome } = way
    return { request, attempt, waitMs: YEARS_MS, amount: deposit.amount, reads: outcome.storage.reads }
  })
}

const playOf = (stage: Stage, attempt: Attempt) => ({ attempt, outcome: stage.play(attempt) })

/** The way out itself, if it goes through without what was asked before. */
function requestsBy(stage: Stage, exit: Exit): Request[] {
  const entry = entryOf(stage, exit)
  if (entry === undefined || exit.attempt === undefined) return []
  const made = { entry, ...playOf(stage, exit.attempt) }
  return made.outcome.success ? [made] : []
}

const changesOf = ({ holding }: Deposit, { native, tokens }: Outcome) =>
  holding === undefined ? native : tokens.get(holding.token)

const gainsItself = (deposit: Deposit, { attempt, outcome }: Act): boolean =>
  (changesOf(deposit, outcome)?.get(attempt.from) ?? 0n) > 0n

/**
 * Whether half of it comes out by all ways together, gone again and again, at once and month by
 * month; or whether something else comes with it.
 */
function comesOutInParts(stage: Stage, deposit: Deposit, exit: Exit, requests: readonly Request[]): boolean {
  const { fork } = stage
  if (requests.some((each) => bringsWorth(stage, deposit, each))) return true
  return branch(fork, () => {
    begin(stage, exit)
    const asked = requests.map(({ attempt }) => attempt).filter(({ data }) => data !== exit.attempt?.data)
    const paying = [exit.attempt, ...asked]
      .flatMap((way) => way ?? [])
      .map((way) => playOf(stage, way))
      .filter(({ outcome }) => backOf(stage, deposit, outcome) > 0n)
      .slice(0, MAX_WAYS)
    if (paying.some((each) => bringsWorth(stage, deposit, each))) return true
    const ways = paying.map(({ attempt }) => attempt)
    let back = 0n
    let dry = 0
    for (let round = 0; round < MAX_ROUNDS && dry <= MOST_DRY; round += 1) {
      if (isSpent(stage)) return true
      const got = ways.reduce((sum, way) => sum + takeOnce(stage, deposit, way), 0n)
      back += got
      if (2n * back >= deposit.amount) return true
      dry = got > 0n ? 0 : dry + 1
      if (got > 0n) continue
      wait(fork, MONTH_MS)
      if (exit.request !== undefined) begin(stage, exit)
    }
    return false
  })
}

/** Says that it wants out, where that comes first, and waits. */
function begin({ fork }: Stage, { request, waitMs }: Pick<Exit, 'request' | 'waitMs'>): void {
  if (request !== undefined) sendAs(fork, { ...request, gasLimit: PAYMENT_GAS })
  if (waitMs > 0) wait(fork, waitMs)
}

/** Too few calls are left to see it through, which is said. */
function isSpent(stage: Stage): boolean {
  const isSo = stage.left < SPARE_PLAYS
  stage.isCut ||= isSo
  return isSo
}

/** Goes the way for good; what came of it. */
function takeOnce(stage: Stage, deposit: Deposit, way: Attempt): bigint {
  const back = backOf(stage, deposit, stage.play(way))
  if (back > 0n) sendAs(stage.fork, { ...way, gasLimit: PAYMENT_GAS })
  return back > 0n ? back : 0n
}

/** The call for what is left behind the way out, where it names all of the deposit. */
const ofTheRest = (attempt: Attempt, { amount }: Deposit, exit: Exit): Attempt => ({
  ...attempt,
  data: withWords(attempt.data, (word) => (word === amount ? amount - exit.amount : word)),
})

/** What a withdrawal has left there for its keeper: a fee of nearly all. */
function takenBehind(stage: Stage, deposit: Deposit, exit: Exit, acts: readonly Act[]): Taking | undefined {
  const { fork } = stage
  const { attempt: way } = exit
  if (way === undefined) return undefined
  return branch(fork, () => {
    begin(stage, exit)
    if (sendAs(fork, { ...way, gasLimit: PAYMENT_GAS }).status !== 'success') return undefined
    for (const act of acts.slice(0, MAX_ACTS)) {
      for (const attempt of [act.attempt, ofTheRest(act.attempt, deposit, exit)]) {
        if (isSpent(stage)) return undefined
        const made = { ...act, attempt, outcome: stage.play(attempt) }
        const to = takerIn(stage, deposit, made.outcome)
        if (to !== undefined && (act.by !== 'anyone' || !gainsItself(deposit, made)))
          return { acts: [made], noticeMs: 0, to }
      }
    }
    return undefined
  })
}
