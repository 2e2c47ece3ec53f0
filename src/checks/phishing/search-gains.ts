import { DEFAULT_LIMITS } from '../../evm/limits.js'
import { toPaddedHex, WORD_MASK } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { PAYMENT_GAS } from './books.js'
import { dataOf, selectorIn } from './call-data.js'
import { customs, LEAST_WEI } from './customs.js'
import { type Act, dependsOn, givesUpPlace, VISIT_PLAYS } from './deposit-acts.js'
import type { Taking } from './deposit-takers.js'
import { type Deposit, type Exit, hasPrice, isLeft, isOpenHere } from './exits.js'
import { fitArguments, OTHER_CALLER } from './fit-arguments.js'
import {
  bringsIn,
  costsMuch,
  follow,
  type Game,
  isGain,
  isPresent,
  type Move,
  NOTHING,
  type Player,
  partsIn,
  playersOf,
  type Row,
  type Step,
} from './gain-rows.js'
import { type Budget, refusesCaller } from './pass-refusals.js'
import { type Attempt, type Outcome, play } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { type EntryPoint, TOKEN_CALLS } from './read-functions.js'

/** Calls played in one search, and in all of a check. */
const MAX_SEARCH_PLAYS = 900
export const MAX_GAINS_PLAYS = 1_500
const MAX_FUNCTIONS = 24
/** Calls that are left standing, and those of one function by which one account takes something. */
const MAX_STEPS = 24
const MAX_TAKES = 2
const MAX_QUESTIONS = 24
const DAY_MS = 86_400_000
/** From one look to the next: at once, after a week, a month, and more than a year. */
const WAITS_MS = [0, 8, 31, 370].map((days) => days * DAY_MS)
/** What comes due behind a call that shut the way out. */
const LONG_MS = 400 * DAY_MS
const LAST_MOMENT = WAITS_MS.length + 1
/** Of the engine's bound: what makes calls for good is not counted in. */
const MOST_FRAMES = DEFAULT_LIMITS.frames / 2
const ACT_GAS = 2n * PAYMENT_GAS

interface Search extends Game {
  exit: Exit
  /** From one look to the next. */
  waitsMs: readonly number[]
  entries: readonly EntryPoint[]
  /** The depositor has no way out any more, and cannot lose it. */
  isShut: boolean
  /** How many calls the whole check may have played by the end. */
  lastPlay: number
  /** Calls that it takes at most to see that the depositor has no way out. */
  lookPlays: number
  /** Of refusals that are asked for their reason. */
  budget: Budget
  refused: Map<string, Refused>
  /** Calls of functions that refused the caller for who it is, by both. */
  closed: Map<string, Refused | undefined>
}

/** A call that was refused behind a row. */
interface Refused {
  outcome: Outcome
  row: Row
}

/**
 * Rows of calls by which accounts that use the contract as its customers may, with money of their
 * own, and its masters, come to have more than they put in, while the depositor has no way to what
 * it left there. Without a hint where to look: whatever can be done is done, and then whatever can
 * be taken is taken, at once and later. The deposit stands on the fork.
 */
export function findGains(
  stage: Stage,
  deposit: Deposit,
  exit: Exit,
  { notes, acts }: { notes: EntryNotes; acts: readonly Act[] },
): Taking | undefined {
  if (exit.attempt === undefined || 2n * exit.amount < deposit.amount) return undefined
  const { plays: from } = stage
  const lastPlay = from + Math.min(MAX_SEARCH_PLAYS, notes.gains.playsLeft)
  const players = playersOf(stage, notes, acts)
  const entries = stage.entries.filter((entry) => isTried(entry, notes)).slice(0, MAX_FUNCTIONS)
  const waitsMs = waitsFor(stage, deposit, exit)
  const bounds = { isShut: false, lastPlay, lookPlays: 0, budget: { questions: 0, most: MAX_QUESTIONS } }
  const search: Search = {
    stage,
    deposit,
    exit,
    waitsMs,
    players,
    entries,
    ...bounds,
    refused: new Map(),
    closed: new Map(),
  }
  const found = branch(stage.fork, () => searchRow(search))
  notes.gains.playsLeft -= stage.plays - from
  if (found === undefined) {
    stage.isCut ||= isSpent(search)
    return undefined
  }
  if (!isNoLuck(search, found.steps)) return undefined
  const { steps } = shortened(search, found)
  return { acts: steps, noticeMs: 0, to: steps.at(-1)?.attempt.from ?? stage.thief }
}

/** Goes through time; what is begun at one moment stands at the next. */
function searchRow(search: Search): Row | undefined {
  const { fork } = search.stage
  let row: Row = { ...NOTHING, names: search.deposit }
  for (const ms of search.waitsMs) {
    if (isSpent(search)) return undefined
    if (ms > 0) wait(fork, ms)
    const begun = begin(search, { ...row, moment: row.moment + 1, waitedMs: row.waitedMs + ms })
    row = begun.row
    const taken = branch(fork, () => harvest(search, row)) ?? harvestBehind(search, row, begun.shutting)
    if (taken !== undefined) return taken
  }
  return undefined
}

/** What a token lets others spend of it, and where it is moved to, is its own affair. */
const isTried = (entry: EntryPoint, { views, signed }: EntryNotes) =>
  entry.selector !== undefined && !views.has(entry) && !signed.has(entry) && !TOKEN_CALLS.has(entry.selector)

const isSpent = ({ stage, lastPlay, lookPlays }: Search) =>
  stage.plays >= lastPlay || stage.left < VISIT_PLAYS + lookPlays || stage.frames > MOST_FRAMES

/** From one moment to the next, as long as the depositor could leave if no other did anything. */
function waitsFor(stage: Stage, deposit: Deposit, exit: Exit): readonly number[] {
  const { fork } = stage
  const shut = branch(fork, () =>
    WAITS_MS.findIndex((ms) => {
      if (ms > 0) wait(fork, ms)
      return ms > 0 && !isLeft(stage, deposit, exit)
    }),
  )
  return shut < 0 ? WAITS_MS : WAITS_MS.slice(0, shut)
}

interface Begun {
  row: Row
  /** Calls that would have left the depositor without a way out, and were not made. */
  shutting: readonly Move[]
}

/** Does what notes something and brings nothing in, as long as the depositor can still leave. */
function begin(search: Search, before: Row): Begun {
  let begun: Begun = { row: before, shutting: [] }
  for (const { entry, player, moves } of beginnings(search, before)) {
    let isRefused = false
    for (const move of moves) {
      if (isSpent(search) || begun.row.steps.length >= MAX_STEPS) return begun
      if (isClosedTo(search, move, begun.row)) break
      if (isDone(search, begun.row, move, before.steps.length)) continue
      const outcome = playMove(search, move, begun.row)
      isRefused = !outcome.success
      begun = beginWith(search, begun, move, outcome)
    }
    if (isRefused) begun = beginFitted(search, begun, entry, player)
  }
  return begun
}

/**
 * Whether it stands already: at each moment another way, for the same again takes back what it
 * made; and one deposit of each, for of more they do not have all back.
 */
function isDone(search: Search, { steps }: Row, move: Move, since: number): boolean {
  const { entry, from, attempt } = move
  const { data, value = 0n } = attempt
  const alike = steps.filter((step) => step.entry === entry && step.attempt.from === from)
  const isEarlier = (step: Step) => isDepositOf(search, entry) || steps.indexOf(step) >= since
  if (value !== LEAST_WEI && alike.some(isEarlier)) return true
  // The same once more, or for more than it took.
  return alike.some(({ attempt }) => attempt.data === data && (attempt.value ?? 0n) <= value)
}

function beginWith(search: Search, begun: Begun, move: Move, outcome: Outcome): Begun {
  if (!outcome.success || outcome.storage.writes.size === 0 || bringsIn(search, outcome)) return begun
  if (givesUpPlace(move.from, outcome) || costsMuch(search, outcome) || isPresent(search, outcome)) return begun
  const { row, shutting } = begun
  if (takesTurnOf(search, move, shutting)) return begun
  const next = follow(search, row, move, outcome)
  if (stands(search, move)) return { row: next, shutting }
  return { row, shutting: [...shutting, move].slice(0, MAX_SHUTTING) }
}

/** Whether one that shuts the way out could not be made behind it: both have one turn a day. */
function takesTurnOf({ stage }: Search, { entry, from, attempt }: Move, shutting: readonly Move[]): boolean {
  const { fork } = stage
  const rival = shutting.find((each) => each.entry === entry && each.from === from)
  if (rival === undefined) return false
  return branch(fork, () => {
    sendAs(fork, { ...attempt, gasLimit: ACT_GAS })
    return !stage.play(rival.attempt).success
  })
}

/** What a master was refused at first, with the terms that are asked for: of much, or as much. */
function beginFitted(search: Search, begun: Begun, entry: EntryPoint, player: Player): Begun {
  if (begun.row.moment > 1 || player.by !== 'holder') return begun
  for (const times of [THOUSANDFOLD, 1n]) {
    const move = isSpent(search) ? undefined : fittedMove(search, entry, player, times)
    if (move === undefined) return begun
    const next = beginWith(search, begun, move, search.stage.play(move.attempt))
    if (next !== begun) return next
  }
  return begun
}

function fittedMove(
  { stage, deposit, budget }: Search,
  entry: EntryPoint,
  player: Player,
  times: bigint,
): Move | undefined {
  const { holding, amount } = deposit
  const style = { id: times * amount, ...(holding && { first: holding.token }) }
  const fitted = fitArguments(stage, entry, budget, { caller: player.from, style })
  if (fitted === undefined || fitted === OTHER_CALLER) return undefined
  const { values, edits, value } = fitted
  const call = { from: player.from, to: entry.at ?? stage.target, data: dataOf(entry, values, edits) }
  return { entry, ...player, attempt: { ...call, ...(value > 0n && { value }) } }
}

const MAX_SHUTTING = 4

/** What can be taken behind each of the calls that shut the way out. */
function harvestBehind(search: Search, row: Row, shutting: readonly Move[]): Row | undefined {
  const { fork } = search.stage
  for (const move of shutting) {
    if (isSpent(search)) return undefined
    const taken = branch(fork, () => {
      const outcome = playMove(search, move, row)
      const { status } = sendAs(fork, { ...move.attempt, gasLimit: ACT_GAS })
      if (status !== 'success') return undefined
      const behind = follow(search, row, move, outcome)
      const taken = branch(fork, () => harvest(search, behind)) ?? branch(fork, () => goOn(search, behind))
      if (taken !== undefined || search.waitsMs.length < WAITS_MS.length) return taken
      wait(fork, LONG_MS)
      return harvest(search, { ...behind, moment: LAST_MOMENT, waitedMs: LONG_MS })
    })
    if (taken !== undefined) return taken
  }
  return undefined
}

/** Does what can be done behind a call that shut the way out, and takes what can be taken then. */
function goOn(search: Search, row: Row): Row | undefined {
  const { row: done } = begin({ ...search, isShut: true }, row)
  return done.steps.length > row.steps.length ? harvest(search, done) : undefined
}

/** Makes the call for good, unless it shuts the way out. */
function stands({ stage, deposit, exit, isShut }: Search, { attempt }: Move): boolean {
  const { fork } = stage
  const send = () => sendAs(fork, { ...attempt, gasLimit: ACT_GAS }).status === 'success'
  if (!isShut && !branch(fork, () => send() && isOpenHere(stage, deposit, exit))) return false
  return send()
}

/** Takes whatever can be taken, until it is more than was put in. */
function harvest(search: Search, before: Row): Row | undefined {
  let row = before
  for (const entry of search.entries)
    for (const player of search.players) {
      for (let taken = 0; taken < MAX_TAKES; taken += 1) {
        const next = takeBy(search, row, entry, player)
        if (next === undefined) break
        row = next
        if (isGain(search, row) && isGone(search)) return row
      }
    }
  return undefined
}

/** The first way to call a function that brings something in; the largest are tried first. */
function takeBy(search: Search, row: Row, entry: EntryPoint, player: Player): Row | undefined {
  for (const move of movesBy(search, row, entry, player, partsIn(search.stage, row))) {
    if (isSpent(search) || isClosedTo(search, move, row)) return undefined
    const outcome = playMove(search, move, row)
    if (!outcome.success || !bringsIn(search, outcome)) continue
    const next = follow(search, row, move, outcome)
    const { status } = sendAs(search.stage.fork, { ...move.attempt, gasLimit: ACT_GAS })
    if (status === 'success') return next
  }
  return undefined
}

/**
 * What the call does now. What was refused, and has read nothing that was written since, is refused
 * again, as long as no time passes.
 */
function playMove(search: Search, { attempt }: Move, row: Row): Outcome {
  const { from, to, data, value = 0n } = attempt
  const key = `${from} ${to} ${data} ${value}`
  const known = search.refused.get(key)
  if (known?.row.moment === row.moment && !differs(known.row.steps, row.steps, known.outcome)) return known.outcome
  const outcome = search.stage.play(attempt)
  if (outcome.success) return outcome
  search.refused.set(key, { outcome, row })
  const place = placeOf(attempt)
  if (!search.closed.has(place) || search.closed.get(place) !== undefined)
    search.closed.set(place, refusesCaller(search.stage, attempt) ? { outcome, row } : undefined)
  return outcome
}

const placeOf = ({ from, to, data }: Attempt): string => `${from} ${to} ${selectorIn(data)}`

/** Whether the function has refused the caller for who it is, and that has not changed since. */
function isClosedTo({ closed }: Search, { attempt }: Move, { steps }: Row): boolean {
  const known = closed.get(placeOf(attempt))
  return known !== undefined && !differs(known.row.steps, steps, known.outcome)
}

/** Whether one of the rows, where they part, wrote what the call read. */
function differs(a: readonly Step[], b: readonly Step[], { storage }: Outcome): boolean {
  const parting = a.findIndex((step, i) => step !== b[i])
  const common = parting < 0 ? a.length : parting
  return [...a.slice(common), ...b.slice(common)].some(({ outcome }) => dependsOn(storage.reads, outcome))
}

const isDepositOf = ({ deposit }: Search, { selector }: EntryPoint): boolean =>
  selector !== undefined && deposit.attempt.data.startsWith(selector)

/** Calls of each function in the name of each player. */
function beginnings(search: Search, row: Row): { entry: EntryPoint; player: Player; moves: readonly Move[] }[] {
  const { entries, players, deposit } = search
  const isDeposit = (entry: EntryPoint) => isDepositOf(search, entry)
  // Others come in first, before a master has closed the door to them.
  const inOrder = [...entries.filter(isDeposit), ...entries.filter((entry) => !isDeposit(entry))]
  return inOrder.flatMap((entry) =>
    players.map((player) => {
      // What masters say they have brought, or are owed.
      const parts = player.by === 'holder' ? [deposit.amount * THOUSANDFOLD] : []
      return { entry, player, moves: movesBy(search, row, entry, player, parts) }
    }),
  )
}

const THOUSANDFOLD = 1_000n

function movesBy(
  { stage, deposit }: Search,
  row: Row,
  entry: EntryPoint,
  { from, by }: Player,
  parts: readonly bigint[],
): Move[] {
  const names = { ...row.names, parts }
  return customs(stage, deposit, entry, { from, names }).map(({ data, value }): Move => {
    const call = { from, to: entry.at ?? stage.target, data }
    return { entry, from, by, attempt: { ...call, ...(value > 0n && { value }) } }
  })
}

function isGone(search: Search): boolean {
  const { stage, deposit, exit, lookPlays } = search
  const { plays: before } = stage
  const isSo = !isLeft(stage, deposit, exit) && !hasPrice(stage, deposit)
  search.lookPlays = Math.max(lookPlays, stage.plays - before)
  return isSo
}

/** Whether the row comes to the same at other moments: no lottery. */
const isNoLuck = (search: Search, steps: readonly Step[]): boolean =>
  MOMENTS.every((moment) => replay(search, steps, { moment }) !== undefined)

/** Three of four win a lottery that often one time in three hundred. */
const MOMENTS = Array.from({ length: 20 }, (_, i) => i + 1)

/** Plays the row again, maybe at another moment; what stands at its end, if it brings enough. */
function replay(
  search: Search,
  steps: readonly Step[],
  { moment = 0, isWhole = false }: { moment?: number; isWhole?: boolean },
): Row | undefined {
  const { stage } = search
  const { fork } = stage
  return branch(fork, () => {
    if (moment > 0) setOff(stage, moment)
    let row: Row = { ...NOTHING, names: search.deposit }
    for (const step of steps) {
      if (step.waitMs > 0) wait(fork, step.waitMs)
      const outcome = play(fork, step.attempt)
      if (!outcome.success) return undefined
      sendAs(fork, { ...step.attempt, gasLimit: ACT_GAS })
      row = follow(search, { ...row, waitedMs: step.waitMs }, { ...step, from: step.attempt.from }, outcome)
    }
    return isGain(search, row) && (!isWhole || isGone(search)) ? row : undefined
  })
}

/** Another block, a second later each: what is drawn from it comes out differently. */
function setOff({ fork: { evm }, random }: Stage, moment: number): void {
  const { number, timestamp } = evm.block
  const prevRandao = toPaddedHex(random.between(`moment ${moment}`, 0n, WORD_MASK), 32)
  const later = BigInt(moment)
  evm.setBlock({ ...evm.block, number: number + later, timestamp: timestamp + later, prevRandao })
}

/** The row without what it does not need, as long as it leaves nothing for the depositor. */
function shortened(search: Search, found: Row): Row {
  let row = found
  for (const step of found.steps) {
    if (search.stage.left < VISIT_PLAYS + search.lookPlays) break
    const at = row.steps.findIndex(({ attempt }) => attempt === step.attempt)
    const rest = row.steps.flatMap((each, i) =>
      i === at ? [] : [i === at + 1 ? { ...each, waitMs: each.waitMs + step.waitMs } : each],
    )
    row = (rest.length > 0 ? replay(search, rest, { isWhole: true }) : undefined) ?? row
  }
  return row
}
