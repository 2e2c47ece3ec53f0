import type { Address, Hex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { isOutOfGas } from '../../simulation/trader.js'
import { isView } from './books.js'
import { dataOf, type Values } from './call-data.js'
import type { Deposit } from './exits.js'
import { findGuards } from './guard-holders.js'
import { framesOf, type PullLead } from './leads.js'
import { isWide, type MarkStyle } from './marks.js'
import { tryPackedCalls } from './packed-calls.js'
import { type Budget, doesAnything, mayAsk, passRefusals, prepareWay, type Way, wordName } from './pass-refusals.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { MAX_GAINS_PLAYS } from './search-gains.js'
import { type By, type Call, isHarm, type Tried, tryCall } from './try-call.js'
import { tryUnsigned } from './unsigned-calls.js'
import { tryAsListed, tryAsObfuscated, tryAsSigner, tryAsUnsetSigner } from './what-if.js'
import { tryWrappedSignature } from './wrapped-signatures.js'

/** What trying one function taught about the others. */
export interface EntryNotes {
  /** Accounts that the code treats otherwise than others. */
  holders: Set<Address>
  /** Calls by which a victim has itself put on record, with the most that it has agreed to. */
  registrations: { attempt: Attempt; agreed: bigint }[]
  /** What a victim leaves of coins. */
  deposits: Deposit[]
  /** The same of tokens. */
  tokenDeposits: Deposit[]
  /** Functions that refused every account that was tried. */
  closed: Set<Hex>
  /** Calls of others than victims that wrote something. */
  acts: { attempt: Attempt; outcome: Outcome }[]
  /** Functions that only answered. */
  views: Set<EntryPoint>
  /** Functions that were seen to recover a signer, which costs as much as all else. */
  signed: Set<EntryPoint>
  /** Words that some call wrote. */
  written: Set<string>
  /** Functions that refused a victim, with what they had read by then. */
  turnedAway: { entry: EntryPoint; reads: Outcome['storage']['reads'] }[]
  /** Functions that refuse a victim for who it is. */
  forOthers: Set<EntryPoint>
  /** Any account that has opened what a victim comes for, and has its price. */
  seller: Address | undefined
  /** Calls that may still be played to find what others gain by deposits. */
  gains: { playsLeft: number }
  /** What is asked for arguments that functions take of a victim. */
  fitting: Budget
}

export const createNotes = (): EntryNotes => {
  return {
    holders: new Set(),
    registrations: [],
    deposits: [],
    tokenDeposits: [],
    closed: new Set(),
    views: new Set(),
    signed: new Set(),
    acts: [],
    written: new Set(),
    turnedAway: [],
    forOthers: new Set(),
    seller: undefined,
    gains: { playsLeft: MAX_GAINS_PLAYS },
    fitting: { questions: 0, most: MAX_FITTING },
  }
}

/** Refusals of victims that are asked for what they want. */
const MAX_FITTING = 96
const ECRECOVER: Address = `0x${'1'.padStart(40, '0')}`
/** Acts that are remembered; owners have a dozen setters. */
const MAX_ACTS = 24

/** Whether the function used up all gas, so that nothing can be said of it. */
interface Probed {
  isSpent: boolean
  /** The function, or an attack by it, was refused. */
  refused?: Call[]
}

const DONE: Probed = { isSpent: false }

/**
 * Tries one function as any address, as the ones that its guards name, and as one that was put on
 * its lists.
 */
export function probeAsOthers(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle = {}): Probed {
  const { marks, outsider } = stage
  const values = marks.valuesFor(entry.template, style)
  const call: Call = { entry, marks: values, caller: outsider, by: 'anyone' }
  const asOutsider = tryNoted(stage, call, notes)
  if (isOutOfGas(asOutsider.outcome.trace)) return { isSpent: true }
  if (asOutsider.isHarmful) return DONE
  if (!asOutsider.outcome.success && tryUnsigned(stage, call, asOutsider)) return DONE
  const askWhy = (each: Call) => probeRefused(stage, each, notes)
  if (style.first === undefined && tryWrappedSignature(stage, entry, askWhy)) return DONE
  const { holders, obfuscated } = findGuards(stage.fork, asOutsider.attempt, ownAccounts(stage))
  const refused = refusedBy(call, asOutsider)
  let isUnderstood = asOutsider.outcome.success && !asOutsider.leads.pulls.some((pull) => isUnknown(call, pull))
  for (const holder of holders) {
    notes.holders.add(holder)
    const asHolder: Call = { ...call, caller: holder, by: 'holder' }
    const tried = tryNoted(stage, asHolder, notes)
    if (tried.isHarmful) return DONE
    refused.push(...refusedBy(asHolder, tried))
    if (tried.outcome.success) isUnderstood = !tried.leads.pulls.some((pull) => isUnknown(asHolder, pull))
  }
  const mayHide = stage.callsOthers && style.first === undefined && isWide(entry.template)
  if (mayHide && !isUnderstood && tryDense(stage, call, holders)) return DONE
  if (isBareFallback(entry) && stage.callsOthers && style.first === undefined) {
    const openTo = asOutsider.outcome.success ? [outsider] : []
    if (openTo.some((caller) => tryPackedCalls(stage, caller, 'anyone'))) return DONE
    if (holders.some((caller) => tryPackedCalls(stage, caller, 'holder'))) return DONE
  }
  if (asOutsider.outcome.success) return { isSpent: false, refused }
  const { selector } = entry
  const isClosed = style.first === undefined && refused.length > holders.length
  if (isClosed && selector !== undefined) notes.closed.add(selector)
  const given = { ...call, by: 'holder' as const }
  const ask = (each: Call) => void askWhy(each)
  if (tryAsObfuscated(stage, given, obfuscated, ask) || tryAsSigner(stage, given)) return DONE
  tryAsUnsetSigner(stage, call, asOutsider)
  tryAsListed(stage, call, asOutsider.outcome)
  return { isSpent: false, refused: refused.slice(-MAX_REFUSED) }
}

const isBareFallback = ({ selector, template }: EntryPoint) => selector === undefined && template.leaves.length === 0

/** Whether something was asked for whose owner or token no argument of the call names. */
const isUnknown = ({ marks, caller }: Call, { words, form, token }: PullLead) =>
  [words[form.from] ?? 0n, token].some((word) => word !== BigInt(caller) && (word === 0n || !marks.includes(word)))

/** The last callers of a function are its masters, if it has any. */
const MAX_REFUSED = 2

/** The call, or the attack that came of it, where it was refused. */
function refusedBy(call: Call, { outcome, refused }: Tried): Call[] {
  if (!outcome.success) return [call]
  if (refused === undefined) return []
  const template = { leaves: [], encode: () => `0x${refused.data.slice(call.entry.selector?.length ?? 2)}` as const }
  return [{ ...call, entry: { ...call.entry, template }, marks: [] }]
}

/** Once more with numbers that have something in all their bytes. Whether that does harm. */
function tryDense(stage: Stage, call: Call, holders: readonly Address[]): boolean {
  const marks = stage.marks.valuesFor(call.entry.template, { isDense: true })
  const callers = [
    { caller: call.caller, by: 'anyone' as By },
    ...holders.map((caller) => ({ caller, by: 'holder' as By })),
  ]
  return callers.some((who) => tryCall(stage, { ...call, ...who, marks }).isHarmful)
}

function tryNoted(stage: Stage, call: Call, notes: EntryNotes): Tried {
  const tried = tryCall(stage, call)
  const { attempt, outcome } = tried
  if (framesOf(outcome.trace).some(({ to }) => to === ECRECOVER)) notes.signed.add(call.entry)
  if (!outcome.success) return tried
  for (const [account, slots] of outcome.storage.writes)
    for (const slot of slots.keys()) notes.written.add(wordName(account, slot))
  if (call.entry.isReadOnly && isView(outcome)) notes.views.add(call.entry)
  if (outcome.storage.writes.size > 0 && notes.acts.length < MAX_ACTS) notes.acts.push({ attempt, outcome })
  return tried
}

/**
 * Tries a function that refused every caller again, with what it asked for: other arguments, time,
 * a richer victim, another setting, a secret. First as its marks name it, then with a victim and
 * its token named outright.
 */
export function probeRefused(stage: Stage, { marks: values, ...call }: Call, notes: EntryNotes): boolean {
  const { written } = notes
  for (const marks of ownNamings(stage, { ...call, marks: values }))
    if (tryCall(stage, { ...call, marks }).isHarmful) return true
  for (const marks of [values, ...namings(stage, call.entry)]) {
    const passed = passRefusals(stage, { ...call, marks, written })
    if (passed === undefined) continue
    const { way, asksForCaller } = passed
    if (!asksForCaller && doesAnything(way) && tryWay(stage, { ...call, marks }, way)) return true
    if (!asksForCaller) continue
    if (!doesAnything(way)) return false
    if (tryAsAsked(stage, { ...call, marks }, way, notes)) return true
  }
  return false
}

/** Tries as the masters that a call asks for after other things. */
function tryAsAsked(stage: Stage, call: Call, way: Way, { holders, written }: EntryNotes): boolean {
  const { entry, marks, caller } = call
  const attempt = {
    from: caller,
    to: entry.at ?? stage.target,
    data: dataOf(entry, marks, way.edits),
    value: way.value,
  }
  const guards = branch(stage.fork, () => {
    prepareWay(stage, way)
    return findGuards(stage.fork, attempt, ownAccounts(stage))
  })
  return guards.holders.some((holder) => {
    holders.add(holder)
    const passed = passRefusals(stage, { entry, marks, caller: holder, written, begun: way })
    return passed?.asksForCaller === false && tryWay(stage, { ...call, caller: holder, by: 'holder' }, passed.way)
  })
}

/** The same for a caller that is put on the lists it is looked for in, and is refused there too. */
export function probeListed(stage: Stage, call: Call, notes: EntryNotes): boolean {
  if (call.by !== 'anyone' || !mayAsk(stage)) return false
  const { entry, marks, caller, edits } = call
  const outcome = stage.play({ from: caller, to: entry.at ?? stage.target, data: dataOf(entry, marks, edits) })
  return tryAsListed(stage, call, outcome, (listed) => void probeRefused(stage, listed, notes))
}

function tryWay(stage: Stage, call: Call, way: Way): boolean {
  const before = stage.findings.length
  const isHarmful = branch(stage.fork, () => {
    prepareWay(stage, way)
    return tryCall(stage, { ...call, edits: way.edits, value: way.value }).isHarmful
  })
  if (way.secrets.length === 0) return isHarmful
  const found = stage.findings.splice(before).filter(isHarm)
  stage.findings.push(...found.map(asSecret))
  return found.length > 0
}

const asSecret = (finding: PhishingFinding): PhishingFinding => ({ ...finding, id: 'secret-puller', caller: undefined })

/**
 * Values that name what the victim has: its token in the place of the first address and itself in
 * the others, and the other way round.
 */
export function namings({ marks, victim }: Stage, { template }: EntryPoint): Values[] {
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  if (places.length === 0) return []
  const token = BigInt(victim.holdings[0]?.token ?? 0n)
  const own = BigInt(victim.address)
  const values = marks.valuesFor(template)
  const fill = (order: readonly bigint[]) =>
    values.map((value, i) => (places.includes(i) ? (order[places.indexOf(i)] ?? value) : value))
  return places.length === 1 ? [fill([own])] : [fill([token, own]), fill([own, token])]
}

/**
 * The victim in one place and the caller in the others: an account may do for itself what it may
 * not do for others.
 */
function ownNamings({ victim }: Stage, { entry: { template }, marks, caller }: Call): Values[] {
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  // Bytes are a signature mostly, of which one more is no use.
  if (places.length < 2 || template.leaves.some(({ type }) => type === 'bytes')) return []
  return places
    .slice(0, MAX_NAMINGS)
    .map((own) => marks.map((value, i) => (places.includes(i) ? BigInt(i === own ? victim.address : caller) : value)))
}

const MAX_NAMINGS = 3

/** Accounts that a call named itself are no holders of anything. */
export function ownAccounts({ marks, target, victim, outsider, secondOutsider, thief }: Stage): Set<Address> {
  return new Set([...marks.addresses, target, victim.address, outsider, secondOutsider, thief])
}
