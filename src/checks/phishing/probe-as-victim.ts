import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { attack } from './attack.js'
import { namesAddress } from './attack-draft.js'
import { type Book, booksOf, isOfUse } from './books.js'
import { bytesIn, dataOf, type Values } from './call-data.js'
import { type Deposit, hasExit } from './exits.js'
import { gains, isCredited, staysInCustody } from './judge-loss.js'
import { readLeads } from './leads.js'
import { type Loss, lossesOf } from './losses.js'
import type { MarkStyle } from './marks.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { findingOf, holdsMore } from './try-call.js'
import type { Victim } from './victim.js'
import { isReward } from './worth.js'

/**
 * Calls one function as the victim itself, as the website of a swindler asks: without coins, then
 * with some.
 */
export function probeAsVictim(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle = {}): void {
  const values = stage.marks.valuesFor(entry.template, style)
  const attempt = attemptOf(stage, entry, values)
  const outcome = stage.play(attempt)
  if (outcome.success && entry.at === undefined && leavesTrace(stage, outcome)) notes.registrations.push(attempt)
  judgeTokens(stage, entry, values, { attempt, outcome, notes })
  // What is paid to another contract is that one's business.
  if (entry.at !== undefined) return
  for (const value of amountsToPay(stage)) {
    const paying = { ...attempt, value }
    const paid = stage.play(paying)
    // What refuses coins refuses more of them as well; what took them may do something else with
    // more.
    if (!paid.success) {
      if (!couldBePayable(paid)) return
      continue
    }
    judgeTokens(stage, entry, values, { attempt: paying, outcome: paid, notes })
    if (judgePayment(stage, entry, values, { attempt: paying, outcome: paid, notes })) return
  }
}

const attemptOf = ({ victim, target }: Stage, entry: EntryPoint, values: Values): Attempt => ({
  from: victim.address,
  to: entry.at ?? target,
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

/** Whether the contract noted something. */
const leavesTrace = ({ target }: Stage, { storage }: Outcome) => (storage.writes.get(target)?.size ?? 0) > 0

function judgeTokens(stage: Stage, entry: EntryPoint, values: Values, { attempt, outcome, notes }: Call): void {
  const { fork, target, victim, thief } = stage
  const direct = lossesOf(outcome, victim.holdings, values)
  const leads = readLeads(outcome.trace, target, bytesIn(values))
  const { isMark } = stage.marks
  const options = { target, entry, marks: values, isMark, caller: victim.address, victim, thief, leads }
  const value = attempt.value ?? 0n
  const result =
    direct.length > 0 || (leads.pulls.length === 0 && leads.permits.length === 0)
      ? { outcome, attempt, losses: direct, permits: [] }
      : attack(fork, { ...options, value })
  if (result === undefined) return
  const again = (twin: Victim) => {
    const played = stage.play({ ...attempt, from: twin.address })
    if (direct.length > 0) return played
    const leads = readLeads(played.trace, target, bytesIn(values))
    return attack(fork, { ...options, leads, value, victim: twin, caller: twin.address })?.outcome
  }
  noteDeposit(stage, result, notes)
  for (const loss of result.losses) {
    if (loss.holding.token === target || isHarmless(stage, values, loss)) continue
    if (namesAddress(fork, result.attempt, loss.to)) continue
    const after = { hasMore: (token: Address) => isReward(stage, result.attempt, token, loss) }
    if (gains(stage, victim.address, result.outcome, after)) continue
    // A book of what is gone is worth what its keeper is: the victim has to have chosen it.
    const isKept = loss.isChosenAmount || staysInCustody(stage, loss)
    if (isKept && isCredited(stage, result.outcome, again)) continue
    const seen = { caller: victim.address, by: 'victim', outcome: result.outcome, loss } as const
    const isToken = entry.selector !== undefined && TOKEN_CALLS.has(entry.selector)
    const id = isToken ? 'token-side-drain' : 'approve-first-claim'
    stage.findings.push({ ...findingOf(stage, entry, seen), id, check: 'allowance' })
    return
  }
}

/** Tokens that are with the target now. */
function noteDeposit(
  stage: Stage,
  { attempt, losses }: { attempt: Attempt; losses: readonly Loss[] },
  notes: EntryNotes,
): void {
  const kept = losses.find(({ to, holding }) => to === stage.target && stage.victim.holdings.includes(holding))
  if (kept === undefined || attempt.to !== stage.target) return
  notes.tokenDeposits.push({ attempt, amount: kept.amount, holding: kept.holding })
}

/** `transfer`, `transferFrom` and `approve` of EIP-20. */
const TOKEN_CALLS = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3'])

/** The victim named the receiver, or how much it puts where it stays. */
function isHarmless(stage: Stage, values: Values, loss: Loss): boolean {
  if (values.includes(BigInt(loss.to)) || stage.marks.isMark(loss.to)) return true
  return loss.isChosenAmount && staysInCustody(stage, loss)
}

interface Call {
  attempt: Attempt
  outcome: Outcome
  notes: EntryNotes
}

/**
 * Where the victim's coins went. Whether that is clear, so that larger amounts need not be tried.
 */
function judgePayment(stage: Stage, entry: EntryPoint, values: Values, { attempt, outcome, notes }: Call): boolean {
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
  const books = booksOf(stage, outcome, (twin) => stage.play({ ...attempt, from: twin.address }))
  if (books.length > 0 && isHonoured(stage, attempt, books)) return true
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

/**
 * Whether books are worth something whose money is gone: not where a withdrawal stands open that
 * fails for want of coins alone.
 */
function isHonoured(stage: Stage, attempt: Attempt, books: readonly Book[]): boolean {
  const { fork, target } = stage
  if (!isOfUse(stage, attempt, books)) return false
  const deposit: Deposit = { attempt, amount: attempt.value ?? 0n, holding: undefined }
  if (hasExit(stage, deposit, new Set())) return true
  return branch(fork, () => {
    fork.evm.setBalance(target, fork.evm.account(target).balance + deposit.amount)
    return !hasExit(stage, deposit, new Set())
  })
}

/** A fee of less than a twentieth is a fee. */
const LEAST_SHARE = 20n
