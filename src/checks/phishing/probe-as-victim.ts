import type { Address } from '../../hex.js'
import { attack, bytesIn, dataOf, type Loss, lossesOf, type Values } from './attack.js'
import { gains, isCredited, staysInCustody } from './judge-loss.js'
import { readLeads } from './leads.js'
import type { MarkStyle } from './marks.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { type EntryNotes, findingOf, holdsMore } from './probe-entry.js'
import type { EntryPoint } from './read-functions.js'
import type { Victim } from './victim.js'

/**
 * Calls one function as the victim itself, as the website of a swindler asks: without coins, then
 * with some.
 */
export function probeAsVictim(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle = {}): void {
  const values = stage.marks.valuesFor(entry.template, style)
  const attempt = attemptOf(stage, entry, values)
  const outcome = stage.play(attempt)
  if (outcome.success && mentions(stage, outcome)) notes.registrations.push(attempt)
  judgeTokens(stage, entry, values, attempt, outcome)
  for (const value of amountsToPay(stage)) {
    const paying = { ...attempt, value }
    const paid = stage.play(paying)
    // What refuses coins refuses more of them as well; what took them may do something else with
    // more.
    if (!paid.success) {
      if (!couldBePayable(paid)) return
      continue
    }
    judgeTokens(stage, entry, values, paying, paid)
    if (judgePayment(stage, entry, values, { attempt: paying, outcome: paid, notes })) return
  }
}

const attemptOf = ({ victim, target }: Stage, entry: EntryPoint, values: Values): Attempt => ({
  from: victim.address,
  to: target,
  data: dataOf(entry, values),
})

/** About 0.03, 1 and 20 coins: what is asked for a mint, and what is worth taking. */
function amountsToPay({ random }: Stage): bigint[] {
  const odd = random.between('payment', 1n, 999_999_999_999_999n)
  return [31_000_000_000_000_000n + odd, 1_040_000_000_000_000_000n + odd, 20_300_000_000_000_000_000n + odd]
}

/** Compilers refuse coins before they do anything; a call that got further had other reasons. */
const couldBePayable = ({ trace, storage }: Outcome) =>
  trace.revertReason !== undefined || (trace.calls?.length ?? 0) > 0 || storage.reads.size > 0

/** Whether the contract noted the victim's address. */
function mentions({ victim, target }: Stage, { storage }: Outcome): boolean {
  const wanted = BigInt(victim.address)
  return [...(storage.writes.get(target)?.values() ?? [])].some(({ after }) => (after & ADDRESS_MASK) === wanted)
}

const ADDRESS_MASK = (1n << 160n) - 1n

function judgeTokens(stage: Stage, entry: EntryPoint, values: Values, attempt: Attempt, outcome: Outcome): void {
  const { fork, target, victim, thief } = stage
  const direct = lossesOf(outcome, victim.holdings, values)
  const leads = readLeads(outcome.trace, target, bytesIn(values))
  const options = { target, entry, marks: values, caller: victim.address, victim, thief, leads }
  const value = attempt.value ?? 0n
  const result =
    direct.length > 0 || (leads.pulls.length === 0 && leads.permits.length === 0)
      ? { outcome, attempt, losses: direct, permits: [] }
      : attack(fork, { ...options, value })
  if (result === undefined) return
  const again = (twin: Victim) =>
    direct.length > 0
      ? stage.play({ ...attempt, from: twin.address })
      : attack(fork, { ...options, value, victim: twin, caller: twin.address })?.outcome
  for (const loss of result.losses) {
    if (loss.holding.token === target || isHarmless(stage, values, loss)) continue
    const after = { hasMore: (token: Address) => holdsMore(stage, result.attempt, token) }
    if (gains(stage, victim.address, result.outcome, after)) continue
    if (isCredited(stage, result.outcome, again)) continue
    const seen = { caller: victim.address, by: 'victim', outcome: result.outcome, loss } as const
    const isToken = entry.selector !== undefined && TOKEN_CALLS.has(entry.selector)
    const id = isToken ? 'token-side-drain' : 'approve-first-claim'
    stage.findings.push({ ...findingOf(stage, entry, seen), id, check: 'allowance' })
    return
  }
}

/** `transfer`, `transferFrom` and `approve` of EIP-20. */
const TOKEN_CALLS = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3'])

/** The victim named the receiver, or how much it puts where it stays. */
function isHarmless(stage: Stage, values: Values, loss: Loss): boolean {
  if (values.includes(BigInt(loss.to)) || stage.marks.isMark(loss.to)) return true
  return loss.isChosenAmount && staysInCustody(stage, loss)
}

interface Payment {
  attempt: Attempt
  outcome: Outcome
  notes: EntryNotes
}

/**
 * Where the victim's coins went. Whether that is clear, so that larger amounts need not be tried.
 */
function judgePayment(stage: Stage, entry: EntryPoint, values: Values, { attempt, outcome, notes }: Payment): boolean {
  const { victim, target, fork } = stage
  const paid = -(outcome.native.get(victim.address) ?? 0n)
  if (paid <= 0n) return false
  const receivers = [...outcome.native].filter(
    ([who, change]) =>
      change > 0n && who !== target && who !== fork.evm.block.coinbase && !values.includes(BigInt(who)),
  )
  const passedOn = receivers.reduce((sum, [, change]) => sum + change, 0n)
  if (passedOn * LEAST_SHARE < paid) {
    if ((outcome.native.get(target) ?? 0n) > 0n) notes.deposits.push(attempt)
    return false
  }
  const after = { hasMore: (token: Address) => holdsMore(stage, attempt, token) }
  if (gains(stage, victim.address, outcome, after)) return true
  if (isCredited(stage, outcome, (twin) => stage.play({ ...attempt, from: twin.address }))) return true
  const [to, amount] = receivers.toSorted(([, a], [, b]) => (a < b ? 1 : -1))[0] ?? []
  if (to === undefined || amount === undefined) return false
  const isThanked = outcome.logs.some(
    ({ address, topics, data }) =>
      address === target && [...topics, data].some((part) => part.includes(victim.address.slice(2))),
  )
  // Coins that move on into another contract, and are recorded on the way, are recorded business
  // and not a theft.
  if (fork.evm.code(to).length > 0 && outcome.logs.length > 0) return true
  const isPlain = entry.selector === undefined
  stage.findings.push({
    id: isThanked ? 'donation' : isPlain ? 'receive-sweeper' : 'payable-forwarder',
    check: isThanked ? undefined : 'native',
    selector: entry.selector,
    by: 'victim',
    caller: victim.address,
    asset: undefined,
    amount: passedOn,
    to,
    grantedTo: undefined,
    trace: outcome.trace,
    text: undefined,
  })
  return true
}

/** A fee of less than a twentieth is a fee. */
const LEAST_SHARE = 20n
