import { largerOf } from '../../bigints.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { attack } from './attack.js'
import { namesAddress } from './attack-draft.js'
import { type Book, booksOf, isOfUse } from './books.js'
import { bytesIn, dataOf, type Edit, selectorIn, type Values } from './call-data.js'
import { type Deposit, hasExit, NO_TERMS, numbersIn } from './exits.js'
import { fitArguments, OTHER_CALLER } from './fit-arguments.js'
import { givenBy, namedBy } from './given-names.js'
import { afterwardsOf, gains, nftsFor, staysInCustody } from './judge-loss.js'
import { readLeads } from './leads.js'
import { type Loss, lossesOf } from './losses.js'
import { type MarkStyle, renamed } from './marks.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { type EntryPoint, TOKEN_CALLS } from './read-functions.js'
import { findSkim } from './skimmed-exchanges.js'
import { findingOf, holdsMore } from './try-call.js'
import type { Victim } from './victim.js'
import { isReward } from './worth.js'

/**
 * Calls one function as the victim itself, as the website of a swindler asks: without coins, then
 * with some.
 */
export function probeAsVictim(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle = {}): void {
  const { values, attempt, outcome } = playAsVictim(stage, entry, style)
  if (entry.at === undefined) noteRegistration(stage, entry, { attempt, outcome, notes })
  judgeTokens(stage, entry, values, { attempt, outcome, notes })
  // What is paid to another contract is that one's business.
  if (entry.at !== undefined) return
  let isTaken = outcome.success
  for (const value of amountsToPay(stage)) {
    const paying = { ...attempt, value }
    const paid = stage.play(paying)
    // What refuses coins refuses more of them as well; what took them may do something else with
    // more.
    if (!paid.success) {
      if (cameFar(outcome) && !cameFar(paid)) break
      continue
    }
    isTaken = true
    judgeTokens(stage, entry, values, { attempt: paying, outcome: paid, notes })
    if (judgePayment(stage, entry, { attempt: paying, outcome: paid, notes })) return
  }
  if (isTaken || entry.selector === undefined) return
  notes.turnedAway.push({ entry, reads: outcome.storage.reads })
  probeFitted(stage, entry, notes, style)
}

/** The same with a thing of the victim's, which it brings without coins. */
export function bringThing(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle): void {
  const { values, attempt, outcome } = playAsVictim(stage, entry, style)
  if (outcome.success) judgeTokens(stage, entry, values, { attempt, outcome, notes })
  else if (entry.selector !== undefined) probeFitted(stage, entry, notes, style)
}

/** What refused the victim so far, with arguments with which it goes through. */
function probeFitted(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle): void {
  if (notes.signed.has(entry) || notes.forOthers.has(entry)) return
  const fitted = fitArguments(stage, entry, notes.fitting, { style })
  if (fitted === OTHER_CALLER) notes.forOthers.add(entry)
  if (fitted === undefined || fitted === OTHER_CALLER) return
  const { values, edits, value } = fitted
  if (style.id !== undefined && value > 0n) return
  const attempt: Attempt = { ...attemptOf(stage, entry, values, edits), ...(value > 0n && { value }) }
  const outcome = stage.play(attempt)
  noteRegistration(stage, entry, { attempt, outcome, notes })
  judgeTokens(stage, entry, values, { attempt, edits, outcome, notes })
  if (outcome.success && value > 0n) judgePayment(stage, entry, { attempt, outcome, notes })
}

/** The call as its marks make it; where that is refused, for the first of a list. */
function playAsVictim(stage: Stage, entry: EntryPoint, style: MarkStyle) {
  const play = (values: Values) => {
    const attempt = attemptOf(stage, entry, values)
    return { values, attempt, outcome: stage.play(attempt) }
  }
  const played = play(stage.marks.valuesFor(entry.template, style))
  const [number, ...others] = numbersIn(entry.template)
  if (played.outcome.success || others.length === 0) return played
  const first = play(played.values.map((value, i) => (i === number ? 0n : value)))
  return first.outcome.success ? first : played
}

const attemptOf = ({ victim, target }: Stage, entry: EntryPoint, values: Values, edits?: readonly Edit[]): Attempt => ({
  from: victim.address,
  to: entry.at ?? target,
  data: dataOf(entry, values, edits),
})

/** About 0.03, 1 and 20 coins: what is asked for a mint, and what is worth taking. */
function amountsToPay({ random }: Stage): bigint[] {
  const odd = random.between('payment', 1n, 999_999_999_999_999n)
  return [31_000_000_000_000_000n + odd, 1_040_000_000_000_000_000n + odd, 20_300_000_000_000_000_000n + odd]
}

/** Compilers refuse coins before they do or say anything: what comes further has other reasons. */
const cameFar = ({ success, trace, storage }: Outcome) =>
  success || trace.output !== undefined || (trace.calls?.length ?? 0) > 0 || storage.reads.size > 0

/** The contract noted something of the victim, by one call of each function. */
function noteRegistration(stage: Stage, entry: EntryPoint, { attempt, outcome, notes: { registrations } }: Call): void {
  const isNoted = outcome.success && (outcome.storage.writes.get(stage.target)?.size ?? 0) > 0
  const isKnown = registrations.some(({ attempt: { data } }) => selectorIn(data) === selectorIn(attempt.data))
  if (!isNoted || isKnown) return
  // What is paid at once was agreed to as well.
  const paid = lossesOf(outcome, stage.victim.holdings, [])[0]?.amount ?? 0n
  registrations.push({ attempt, agreed: largerOf(paid, namedBy(stage, entry, attempt)) })
}

function judgeTokens(stage: Stage, entry: EntryPoint, values: Values, call: Call): void {
  const { attempt, edits, outcome, notes } = call
  const { fork, target, victim, thief, reached } = stage
  const direct = lossesOf(outcome, victim.holdings, values)
  const leads = readLeads(outcome.trace, target, bytesIn(values))
  const { isMark } = stage.marks
  const asked = { target, entry, marks: values, ...(edits && { edits }), leads }
  const options = { ...asked, isMark, caller: victim.address, victim, thief, reached }
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
  if (result.losses.length > 0 && judgeExchange(stage, entry, result)) return
  for (const loss of result.losses) {
    if (loss.holding.token === target || isHarmless(stage, values, loss)) continue
    if (namesAddress(fork, result.attempt, loss.to)) continue
    const after = afterwardsOf(stage, result.attempt, (token) => isReward(stage, result.attempt, token, loss))
    if (gains(stage, victim.address, result.outcome, after)) continue
    // A book of what is gone is worth what its keeper is: the victim has to have chosen it.
    const isKept = loss.isChosenAmount || staysInCustody(stage, loss)
    const books =
      isKept || isPrice(namedBy(stage, entry, result.attempt), loss) ? booksOf(stage, result.outcome, again) : []
    if (books.length > 0 && (isKept || isOfUse(stage, result.attempt, loss.amount, books))) continue
    if (direct.length > 0 && isWorthItForOneself(stage, { entry, values, edits, value }, loss)) continue
    const seen = { caller: victim.address, by: 'victim', outcome: result.outcome, loss } as const
    const isToken = entry.selector !== undefined && TOKEN_CALLS.has(entry.selector)
    const id = isToken ? 'token-side-drain' : 'approve-first-claim'
    stage.findings.push({ ...findingOf(stage, entry, seen), id, check: 'allowance' })
    return
  }
}

/** Whether another keeps half of an exchange, which is a finding. */
function judgeExchange(
  stage: Stage,
  { selector }: EntryPoint,
  { attempt, outcome }: Pick<Call, 'attempt' | 'outcome'>,
): boolean {
  const skim = findSkim(stage, attempt, outcome)
  if (skim === undefined) return false
  if (stage.findings.some((each) => each.id === 'skimmed-exchange' && each.selector === selector)) return true
  const { to, amount } = skim
  const { symbol = 'token', decimals } = stage.victim.holdings.find(({ token }) => token === skim.asset) ?? {}
  const asset = skim.asset === 'coin' ? undefined : { token: skim.asset, symbol, decimals, kind: 'erc20' as const }
  stage.findings.push({
    ...{ id: 'skimmed-exchange', check: undefined, selector, by: 'victim', caller: stage.victim.address },
    ...{ asset, amount, to, grantedTo: undefined, trace: outcome.trace, text: undefined },
  })
  return true
}

/** Something is bought for so much: up to what the call names, or a small part of what there is. */
function isPrice(named: bigint, { holding, amount }: Loss): boolean {
  if (holding.kind !== 'erc20' || amount >= holding.amount) return false
  return amount <= named || amount * PRICE_PART <= holding.amount
}

const PRICE_PART = 10_000n

/** Tokens that are with the target now. */
function noteDeposit(
  stage: Stage,
  { attempt, outcome, losses }: { attempt: Attempt; outcome: Outcome; losses: readonly Loss[] },
  notes: EntryNotes,
): void {
  const kept = losses.find(({ to, holding }) => to === stage.target && stage.victim.holdings.includes(holding))
  if (kept === undefined || attempt.to !== stage.target) return
  const { holding } = kept
  const made = forOneself(stage, attempt, holding) ?? { attempt, outcome, amount: kept.amount }
  const names = givenBy(stage, made.attempt, made.outcome)
  notes.tokenDeposits.push({ attempt: made.attempt, ...names, amount: made.amount, holding })
}

/** The same deposit by which the victim, and no made-up account, has the right to it. */
function forOneself(stage: Stage, attempt: Attempt, holding: Holding) {
  const own = renamed(stage, attempt, stage.victim.address)
  if (own.data === attempt.data) return undefined
  const outcome = stage.play(own)
  const [loss] = lossesOf(outcome, [holding], [])
  return loss?.to === stage.target ? { attempt: own, outcome, amount: loss.amount } : undefined
}

const ofCoins = (stage: Stage, attempt: Attempt, outcome: Outcome): Deposit => ({
  ...{ attempt, ...givenBy(stage, attempt, outcome) },
  ...{ amount: attempt.value ?? 0n, holding: undefined },
})

/** The victim named the receiver, or how much it puts where it stays. */
function isHarmless(stage: Stage, values: Values, loss: Loss): boolean {
  if (values.includes(BigInt(loss.to)) || stage.marks.isMark(loss.to)) return true
  if (!staysInCustody(stage, loss)) return false
  return loss.isChosenAmount || loss.amount <= ROUNDING
}

/** Base units that a conversion rounds up to, in favour of those who share a vault. */
const ROUNDING = 1n

/**
 * Whether the victim has something for it where it names itself instead of the accounts made up
 * for it: then it gave a present, as with `mint(shares, receiver)` of a vault (EIP-4626).
 */
function isWorthItForOneself(
  stage: Stage,
  { entry, values, edits, value }: { entry: EntryPoint; values: Values; edits: Call['edits']; value: bigint },
  { holding }: Loss,
): boolean {
  const { victim } = stage
  const isAccount = (_: unknown, i: number) => entry.template.leaves[i]?.type === 'address'
  if (!values.some(isAccount)) return false
  const own = values.map((value, i) => (isAccount(value, i) ? BigInt(victim.address) : value))
  const attempt = { ...attemptOf(stage, entry, own, edits), value }
  const outcome = stage.play(attempt)
  const loss = lossesOf(outcome, victim.holdings, own).find((each) => each.holding.token === holding.token)
  if (!outcome.success || loss === undefined) return false
  const after = afterwardsOf(stage, attempt, (token) => isReward(stage, attempt, token, loss))
  return gains(stage, victim.address, outcome, after)
}

interface Call {
  attempt: Attempt
  /** What its data says besides its values. */
  edits?: readonly Edit[] | undefined
  outcome: Outcome
  notes: EntryNotes
}

/**
 * Where the victim's coins went. Whether that is clear, so that larger amounts need not be tried.
 */
function judgePayment(stage: Stage, entry: EntryPoint, { attempt, outcome, notes }: Call): boolean {
  const { victim, target, fork } = stage
  const paid = -(outcome.native.get(victim.address) ?? 0n)
  if (paid <= 0n) return false
  const receivers = [...outcome.native].filter(
    ([who, change]) =>
      change > 0n &&
      who !== target &&
      who !== fork.evm.block.coinbase &&
      who !== notes.seller &&
      !attempt.data.includes(who.slice(2)),
  )
  const passedOn = receivers.reduce((sum, [, change]) => sum + change, 0n)
  if (passedOn * LEAST_SHARE < paid) {
    if ((outcome.native.get(target) ?? 0n) > 0n) notes.deposits.push(ofCoins(stage, attempt, outcome))
    return false
  }
  if (judgeExchange(stage, entry, { attempt, outcome })) return true
  const after = afterwardsOf(stage, attempt, (token) => holdsMore(stage, attempt, token))
  if (gains(stage, victim.address, outcome, after)) return true
  const books = booksOf(stage, outcome, (twin) => stage.play({ ...attempt, from: twin.address }))
  const worth = books.length > 0 ? worthOf(stage, { attempt, outcome }, books) : 'nothing'
  if (worth === 'something') return true
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
  const seen = { by: 'victim', caller: victim.address, amount: passedOn, to, trace: outcome.trace } as const
  const base = { ...seen, asset: undefined, grantedTo: undefined, text: undefined }
  // What an event says was bought, and what its own contract knows nothing of.
  const isCounterfeit = nftsFor(outcome, victim.address).length > 0
  // A debt that can be claimed, and that the contract has given away the coins for, is no present.
  const isDonation = isThanked && worth !== 'claim' && !isCounterfeit
  const id = isCounterfeit
    ? 'counterfeit-events'
    : isDonation
      ? 'donation'
      : isPlain
        ? 'receive-sweeper'
        : 'payable-forwarder'
  stage.findings.push({
    ...base,
    id,
    check: isDonation || isCounterfeit ? undefined : 'native',
    selector: entry.selector,
  })
  if (worth === 'claim') stage.findings.push({ ...base, id: 'withdraw-bait', check: undefined, selector: undefined })
  return true
}

/**
 * What books are worth whose money is gone. A claim is what a withdrawal would pay that stands open
 * and fails for want of coins alone.
 */
function worthOf(
  stage: Stage,
  { attempt, outcome }: { attempt: Attempt; outcome: Outcome },
  books: readonly Book[],
): 'something' | 'claim' | 'nothing' {
  const { fork, target } = stage
  if (!isOfUse(stage, attempt, attempt.value ?? 0n, books)) return 'nothing'
  const deposit = ofCoins(stage, attempt, outcome)
  if (hasExit(stage, deposit, NO_TERMS)) return 'something'
  return branch(fork, () => {
    fork.evm.setBalance(target, fork.evm.account(target).balance + deposit.amount)
    return hasExit(stage, deposit, NO_TERMS) ? 'claim' : 'something'
  })
}

/** A fee of less than a twentieth is a fee. */
const LEAST_SHARE = 20n
