import type { SolanaAddress } from '../../../solana/address.js'
import type { SbfProgram } from '../../../solana/sbf/read-elf.js'
import { mayWriteOutside } from '../../../solana/sbf/writes-outside.js'
import { createHookCalendar } from './hook-calendar.js'
import { type Circumstance, otherwise } from './hook-circumstances.js'
import type { HookCondition, HookFacts } from './hook-facts.js'
import { follow, type HookStage, repeatSales, type Sale, sell } from './hook-sales.js'
import { readAsked, readProgram } from './read-hook-code.js'

/** Sales that are played to see what a hook decides by. Each costs a millisecond or two. */
const MAX_PLAYS = 48
/** Compute units that all of them may use: a quarter of what one analysis has. */
const MAX_UNITS = 10_000_000n
/** Instructions that are followed in all: some ten thousand are a hook's way through a sale. */
const MAX_STEPS = 1_000_000
/** What searches for the other side of decisions may cost; `EFFORT` says what each kind does. */
const MAX_EFFORT = 1_000
/**
 * Decisions of one place in the code that are turned, and in one direction: a loop meets it often.
 */
const MAX_PER_PLACE = 3
/**
 * Conditions that hold at the same time: a sale that is refused late, large, to some, and by a
 * list.
 */
const MAX_DEPTH = 4

/** Moments of a calendar at which a sale is tried: a day and hour of the week have some thirty. */
const MAX_MOMENTS = 40
const HOUR_SECONDS = 3_600
/** Where the program cannot be followed: the other days of a week at other hours, and months. */
const SAMPLES_SECONDS = [51, 79, 107, 136, 164, 341, 733, 2_189].map((hours) => hours * HOUR_SECONDS)

/**
 * Follows the hook's program through a sale, brings about otherwise whatever its decisions hang on,
 * and sells again. `undefined` where no plain sale goes through: there is nothing to be explained.
 */
export function explainHook(stage: HookStage): HookFacts | undefined {
  try {
    return explain(stage)
  } catch {
    // Whatever went wrong: the trades that were played count, and nothing becomes kinder.
    return { isExplained: false, unread: ['it could not be followed'], decisions: 0, harmful: [] }
  }
}

function explain(stage: HookStage): HookFacts | undefined {
  const trials = createTrials(stage)
  if (trials === undefined) return undefined
  const unread = new Set<string>()
  const program = readProgram(stage.fork, stage.program, unread)
  const decisions = program ? turnDecisions(stage, program, trials, unread) : 0
  // What cannot be followed may go by the time all the same.
  if (unread.size > 0 && !trials.harmsByTime()) SAMPLES_SECONDS.forEach(trials.attemptAt)
  return { isExplained: unread.size === 0, unread: [...unread], decisions, harmful: trials.harmful }
}

/** Sales that are tried in one circumstance after the other. */
interface Trials {
  /** Those that went through, and whose decisions are to be looked at, in turn. */
  waiting: { circumstance: Circumstance; sale: Sale }[]
  harmful: HookCondition[]
  units(): bigint
  attempt(circumstance: Circumstance): void
  /** A plain sale after so many seconds. */
  attemptAt(afterSeconds: number): void
  /** Whether time alone was seen to harm a sale. */
  harmsByTime(): boolean
}

/** `undefined` where no plain sale goes through. */
function createTrials(stage: HookStage): Trials | undefined {
  const first: Circumstance = { by: [], afterSeconds: 0, amount: stage.plain, seller: stage.trader, set: new Map() }
  const plain = sell(stage, first)
  if (!plain.leg.ok) return undefined
  const waiting = [{ circumstance: first, sale: plain }]
  const harmful = repeatSales(stage)
  let units = 0n
  const attempt = (circumstance: Circumstance) => {
    const sale = sell(stage, circumstance)
    const { ok, units: used, taxBps, reason } = sale.leg
    units += used
    const isRefused = !ok && isFailed(sale.result.logs, stage.program)
    if (isRefused || (ok && taxBps > plain.leg.taxBps + NOTICEABLE_BPS))
      harmful.push(toCondition(circumstance, taxBps, reason))
    else if (ok && circumstance.by.length < MAX_DEPTH) waiting.push({ circumstance, sale })
  }
  return {
    waiting,
    harmful,
    units: () => units,
    attempt,
    attemptAt: (afterSeconds) => attempt({ ...first, by: ['time'], afterSeconds }),
    harmsByTime: () => harmful.some(({ by }) => by === 'time'),
  }
}

/**
 * Follows each sale, turns what it decided by, and sells again; then the moments at which the time
 * decides otherwise than was met. Gives how many decisions there are.
 */
function turnDecisions(stage: HookStage, program: SbfProgram, trials: Trials, unread: Set<string>): number {
  const programs = readAsked(stage, program, unread)
  const mayWrite = mayWriteOutside(program)
  const calendar = createHookCalendar(stage.fork)
  const turned = new Map<string, number>()
  const met = new Set<number>()
  const effort = { left: MAX_EFFORT }
  let plays = 0
  let moments = 0
  let steps = 0
  let done = 0
  for (const { circumstance, sale } of trials.waiting) {
    const { followed, call, clock } = follow(stage, { program, programs }, circumstance, sale)
    if (followed.lostAt !== '') unread.add(followed.lostAt)
    else if (followed.result !== 0n) unread.add('it does otherwise than what was read')
    steps += followed.steps
    if (circumstance.by.every((each) => each === 'time'))
      effort.left -= calendar.add(followed.decisions, circumstance.afterSeconds) * CALENDAR_EFFORT
    if (steps > MAX_STEPS || effort.left <= 0) {
      unread.add(TOO_MUCH)
      break
    }
    for (const decision of followed.decisions) {
      met.add(decision.at)
      if (effort.left <= 0) break
      const place = `${decision.at}:${decision.taken}`
      const times = turned.get(place) ?? 0
      if (times >= MAX_PER_PLACE) continue
      const others = otherwise(stage, { decision, circumstance, clock, call, mayWrite, effort, unread })
      if (others.length > 0) turned.set(place, times + 1)
      for (const other of others) {
        if (plays >= MAX_PLAYS || trials.units() > MAX_UNITS) {
          unread.add(TOO_MUCH)
          break
        }
        plays += 1
        trials.attempt(other)
      }
    }
    done += 1
    while (done === trials.waiting.length && !trials.harmsByTime()) {
      const seconds = calendar.next()
      if (seconds === undefined) break
      if (moments >= MAX_MOMENTS || trials.units() > MAX_UNITS) {
        unread.add(TOO_MUCH)
        break
      }
      moments += 1
      trials.attemptAt(seconds)
    }
  }
  if (effort.left <= 0 || calendar.isFull()) unread.add(TOO_MUCH)
  return met.size
}

/** Also where a program that the hook asked failed first. */
const isFailed = (logs: readonly string[], program: SolanaAddress) =>
  logs.some((line) => line.startsWith(`Program ${program} failed: `))

/** What a decision on the time costs to follow through ten years. */
const CALENDAR_EFFORT = 15
const TOO_MUCH = 'it decides by more than could be played'
/** Rounding is less. */
const NOTICEABLE_BPS = 100

const toCondition = (
  { by, afterSeconds, amount, account }: Circumstance,
  lossBps: number,
  reason: string,
): HookCondition => ({
  by: by.find((each) => each === 'data') ?? by.at(-1) ?? 'data',
  afterSeconds,
  amount,
  account,
  lossBps,
  reason,
})
