import { type Address, bytesToHex, toPaddedHex } from '../../hex.js'
import { distinctData } from './call-data.js'
import { type Act, dependsOn } from './deposit-acts.js'
import { doAnd, takerIn } from './deposit-takers.js'
import { backOf, type Deposit, withdrawals } from './exits.js'
import { framesOf } from './leads.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Functions by which a depositor asks, and calls of masters behind which it asks again. */
const MAX_FUNCTIONS = 24
const MAX_SETTINGS = 6

/** A call by which the depositor asks for what it left there, and which went through. */
export interface Request {
  entry: EntryPoint
  attempt: Attempt
  outcome: Outcome
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
 * A call of the depositor's by which half of the deposit or more goes to an account that it did not
 * name: one that the contract hides, or any where the same call pays the depositor in another
 * state, such as the `way` out behind a request of its own, or a setting of a master's. What is
 * spent at a shop pays the shop as well, and never the one who spends.
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
    if (to === undefined || stage.marks.isMark(to) || attempt.data.includes(to.slice(2))) continue
    if (stage.fork.evm.code(to).length > 0) continue
    const isWithdrawal = way?.data === attempt.data
    if (isWithdrawal || isHidden(stage, to, request) || paysBehind(stage, deposit, request, acts))
      return { ...request, to }
  }
  return undefined
}

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
function paysBehind(stage: Stage, deposit: Deposit, { attempt, outcome }: Request, acts: readonly Act[]): boolean {
  const settings = acts.filter(
    (act) => act.by === 'holder' && act.outcome.success && dependsOn(outcome.storage.reads, act.outcome),
  )
  return settings
    .slice(0, MAX_SETTINGS)
    .some((act) => doAnd(stage, act, () => 2n * backOf(stage, deposit, stage.play(attempt)) >= deposit.amount))
}
