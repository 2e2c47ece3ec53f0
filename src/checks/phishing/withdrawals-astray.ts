import { type Address, bytesToHex, toPaddedHex } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { PAYMENT_GAS } from './books.js'
import { distinctData } from './call-data.js'
import { type Act, dependsOn, VISIT_PLAYS } from './deposit-acts.js'
import { doAnd, takerIn } from './deposit-takers.js'
import { backOf, type Deposit, withdrawals } from './exits.js'
import { framesOf } from './leads.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { isWithdrawalByName } from './withdrawal-names.js'

/** Functions by which a depositor asks, and calls of masters behind which it asks again. */
const MAX_FUNCTIONS = 24
const MAX_SETTINGS = 6
/** Calls by which it may have said before that it wants out, and how long ago. */
const MAX_ASKED = 3
const LATE_MS = 400 * 86_400_000

/** A call by which the depositor asks for what it left there, and which went through. */
export interface Request {
  entry: EntryPoint
  attempt: Attempt
  outcome: Outcome
  /** What came before it, long enough. */
  behind?: Waited
}

/** More than a year, at the beginning of which the depositor may have said that it wants out. */
interface Waited {
  asked: Request | undefined
}

/** A withdrawal that pays another. */
export interface Astray extends Request {
  to: Address
}

/** What an account can ask for as a depositor does: the depositor itself, if no other is named. */
export function requestsOf(
  stage: Stage,
  deposit: Deposit,
  { from = stage.victim.address, entries = stage.entries }: { from?: Address; entries?: readonly EntryPoint[] } = {},
): Request[] {
  return entries.slice(0, MAX_FUNCTIONS).flatMap((entry) =>
    distinctData(entry, withdrawals(stage, deposit, entry, from)).flatMap((data) => {
      const attempt = { from, to: stage.target, data }
      const outcome = stage.play(attempt)
      return outcome.success ? [{ entry, attempt, outcome }] : []
    }),
  )
}

/**
 * What it can ask for after more than a year, and after having said that it wants out: queues,
 * notices, and what opens at a date. `views` only tell something.
 */
export function lateRequestsOf(
  stage: Stage,
  deposit: Deposit,
  requests: readonly Request[],
  { views }: Pick<EntryNotes, 'views'>,
): Request[] {
  const entries = stage.entries.filter((entry) => !views.has(entry))
  const noted = requests.filter(({ outcome }) => isNote(stage, outcome))
  const first = new Map(noted.toReversed().map((request) => [request.entry, request]))
  return [undefined, ...[...first.values()].toReversed().slice(0, MAX_ASKED)].flatMap((asked) => {
    if (stage.left < VISIT_PLAYS) {
      stage.isCut = true
      return []
    }
    const behind = { asked }
    return playBehind(stage, behind, () => requestsOf(stage, deposit, { entries }).map((each) => ({ ...each, behind })))
  })
}

/** Plays something as things are behind what came before a request. */
export function playBehind<T>({ fork }: Stage, behind: Waited | undefined, then: () => T): T {
  if (behind === undefined) return then()
  return branch(fork, () => {
    if (behind.asked !== undefined) sendAs(fork, { ...behind.asked.attempt, gasLimit: PAYMENT_GAS })
    wait(fork, LATE_MS)
    return then()
  })
}

/** It wrote something down, and moved nothing. */
const isNote = ({ target }: Stage, { storage, native, tokens }: Outcome): boolean =>
  (storage.writes.get(target)?.size ?? 0) > 0 && native.size === 0 && tokens.size === 0

/**
 * A call of the depositor's by which half of the deposit or more goes to an account that it did not
 * name: one that the contract hides, or any where the same call pays the depositor in another
 * state, such as the `way` out behind a request of its own, or a setting of a master's, or where it
 * is called a withdrawal. What is spent at a shop pays the shop as well, and never the one who
 * spends.
 */
export function findAstray(
  stage: Stage,
  deposit: Deposit,
  requests: readonly Request[],
  { way, acts }: { way?: Attempt | undefined; acts: readonly Act[] },
): Astray | undefined {
  for (const request of requests) {
    const { attempt, outcome } = request
    const to = receiverOf(stage, deposit, outcome)
    const calls = callsOf(request)
    if (to === undefined || stage.marks.isMark(to) || calls.some(({ data }) => data.includes(to.slice(2)))) continue
    if (stage.fork.evm.code(to).length > 0) continue
    const isWithdrawal = way?.data === attempt.data || calls.some(({ data }) => isWithdrawalByName(data))
    if (isWithdrawal || isHidden(stage, to, request) || paysBehind(stage, deposit, request, acts))
      return { ...request, to }
  }
  return undefined
}

/** All that the depositor called for it. */
export const callsOf = ({ attempt, behind }: Request): Attempt[] =>
  behind?.asked === undefined ? [attempt] : [behind.asked.attempt, attempt]

/** Who has half of it or more: as it was paid in, or wrapped, or unwrapped. */
function receiverOf(stage: Stage, deposit: Deposit, outcome: Outcome): Address | undefined {
  const { fork, victim } = stage
  const { wrappedNative } = fork.chain
  const direct = takerIn(stage, deposit, outcome)
  if (direct !== undefined && fork.evm.code(direct).length === 0) return direct
  const { holding, amount } = deposit
  const isWrapped = holding?.token === wrappedNative
  const changes = holding === undefined ? outcome.tokens.get(wrappedNative) : isWrapped ? outcome.native : undefined
  const [to] = [...(changes ?? [])].find(([who, got]) => 2n * got >= amount && who !== wrappedNative) ?? []
  return to === victim.address ? undefined : to
}

/** The account stands in no word that was read, and in no code: it was computed, and not signed. */
function isHidden({ fork, target }: Stage, to: Address, { outcome: { storage, trace } }: Request): boolean {
  const name = to.slice(2)
  const frames = framesOf(trace)
  const words = [...storage.reads.values()].flatMap((slots) => [...slots.values()])
  const codes = new Set([target, ...storage.reads.keys(), ...frames.flatMap((frame) => frame.to ?? [])])
  const codeOf = (who: Address) => bytesToHex(fork.evm.code(who))
  return !(
    words.some((word) => toPaddedHex(word, 32).includes(name)) ||
    [...codes].some((each) => codeOf(each).includes(name)) ||
    frames.some((frame) => frame.to === ECRECOVER && frame.output?.includes(name))
  )
}

const ECRECOVER: Address = `0x${'1'.padStart(40, '0')}`

/** Whether the same call pays the depositor once a master has made a setting that it reads. */
function paysBehind(stage: Stage, deposit: Deposit, request: Request, acts: readonly Act[]): boolean {
  const { attempt, outcome, behind } = request
  const settings = acts.filter(
    (act) => act.by === 'holder' && act.outcome.success && dependsOn(outcome.storage.reads, act.outcome),
  )
  const backNow = () => playBehind(stage, behind, () => backOf(stage, deposit, stage.play(attempt)))
  return settings.slice(0, MAX_SETTINGS).some((act) => 2n * (doAnd(stage, act, backNow) ?? 0n) >= deposit.amount)
}
