import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { isAgreed } from './agreed-charges.js'
import { PAYMENT_GAS } from './books.js'
import { dataOf, selectorIn, type Values } from './call-data.js'
import { type Act, actsUpon, dependsOn, mastersOf, SPARE_PLAYS } from './deposit-acts.js'
import { doAnd } from './deposit-takers.js'
import { type Deposit, numbersIn } from './exits.js'
import { type GivenNames, givenBy } from './given-names.js'
import { lossesOf } from './losses.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { type EntryPoint, TOKEN_CALLS, takesSignature } from './read-functions.js'
import { type By, type Call, findingOf, tryCall } from './try-call.js'

const MAX_AGREEMENTS = 3
/** Settings of masters that are made behind an agreement, and calls that are tried for all. */
const MAX_ACTS = 12
const MAX_TRIES = 120
/** A rate that was agreed to has come to something by then. */
const HOUR_MS = 3_600_000
/** At once, and when what is due each month or each year is due again. */
const DUE_MS = [0, 31, 370].map((days) => days * 24 * HOUR_MS)

/**
 * What is taken of those who have agreed to something (a subscription, a rate, a name): functions
 * are called by what the contract knows it by, at once, an hour later, and behind one or two
 * settings of a master's.
 */
export function probeAgreements(stage: Stage, notes: EntryNotes): void {
  const { fork } = stage
  // What a token lets others spend of it is its own affair.
  const agreements = notes.registrations.filter(({ attempt: { data } }) => !TOKEN_CALLS.has(selectorIn(data)))
  for (const { attempt, agreed: amount } of agreements.slice(0, MAX_AGREEMENTS)) {
    const outcome = stage.play(attempt)
    if (!outcome.success) continue
    const agreed = { outcome, names: givenBy(stage, attempt, outcome) }
    const isHarmful = branch(fork, () => {
      sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
      stage.agreement = { amount, since: fork.evm.block }
      const search = { stage, own: ownCalls(stage, notes, agreed), charges: chargesOf(stage, notes, agreed), tries: 0 }
      if (chargeAtTimes(search)) return true
      if (search.charges.length === 0) return false
      // More than was agreed to is what a setting has to come to.
      const made = { attempt, ...agreed.names, amount: 2n * amount, holding: undefined }
      return chargeBehind(search, settingsOf(stage, notes, made))
    })
    stage.agreement = undefined
    if (isHarmful || stage.left < SPARE_PLAYS) return
  }
}

interface Agreed {
  outcome: Outcome
  names: GivenNames
}

/** A call by which something may be taken, with what it read right after the agreement. */
interface Charge {
  call: Call
  reads: Outcome['storage']['reads']
}

interface Search {
  stage: Stage
  /** Calls of the victim's own. */
  own: readonly { entry: EntryPoint; attempt: Attempt }[]
  charges: readonly Charge[]
  tries: number
}

/** Calls of any address and of masters that read what the agreement wrote. */
function chargesOf(stage: Stage, notes: EntryNotes, { outcome, names }: Agreed): Charge[] {
  const callers: { caller: Address; by: By }[] = [
    { caller: stage.outsider, by: 'anyone' },
    ...mastersOf(stage, notes).map((caller) => ({ caller, by: 'holder' as const })),
  ]
  return functionsOf(stage, notes).flatMap((entry) =>
    valuesBy(stage, entry, names).flatMap((marks) =>
      callers.flatMap((who): Charge[] => {
        if (stage.left < SPARE_PLAYS) return []
        const attempt = { from: who.caller, to: entry.at ?? stage.target, data: dataOf(entry, marks) }
        const played = stage.play(attempt)
        if (!dependsOn(played.storage.reads, outcome)) return []
        // What is not due yet has not asked for all that it will.
        const reads = played.success ? played.storage.reads : readsWhenDue(stage, attempt)
        return [{ call: { entry, marks, ...who }, reads }]
      }),
    ),
  )
}

const readsWhenDue = (stage: Stage, attempt: Attempt): Outcome['storage']['reads'] =>
  branch(stage.fork, () => {
    wait(stage.fork, DUE_MS.at(-1) ?? 0)
    return stage.play(attempt).storage.reads
  })

const functionsOf = ({ entries }: Stage, { views, signed }: EntryNotes) =>
  entries.filter(
    (entry) => entry.selector !== undefined && !views.has(entry) && !signed.has(entry) && !takesSignature(entry),
  )

/** By what it signs itself as well: once each. */
const ownCalls = (stage: Stage, { views }: EntryNotes, { names }: Agreed) =>
  stage.entries
    .filter((entry) => entry.selector !== undefined && !views.has(entry))
    .flatMap((entry) =>
      valuesBy(stage, entry, names).map((marks) => {
        const attempt = { from: stage.victim.address, to: entry.at ?? stage.target, data: dataOf(entry, marks) }
        return { entry, attempt }
      }),
    )

/** Arguments that name the victim, and what it agreed to. */
function valuesBy({ marks, victim }: Stage, { template }: EntryPoint, { ids, keys }: GivenNames): Values[] {
  const { leaves } = template
  const [number] = numbersIn(template)
  const own = marks
    .valuesFor(template)
    .map((value, i) => (leaves[i]?.type === 'address' ? BigInt(victim.address) : value))
    .map((value, i) => (leaves[i]?.type === 'bytes32' ? (keys[0] ?? value) : value))
  return number === undefined ? [own] : [own, ...ids.map((id) => own.map((value, i) => (i === number ? id : value)))]
}

/** What masters set besides what they have signed for. */
function settingsOf(stage: Stage, notes: EntryNotes, made: Deposit): Act[] {
  const views = new Set([...notes.views, ...notes.signed, ...stage.entries.filter(takesSignature)])
  return actsUpon(stage, made, { ...notes, views })
}

const chargeAtTimes = (search: Search): boolean =>
  chargeAll(search, search.charges) ||
  branch(search.stage.fork, () => {
    wait(search.stage.fork, HOUR_MS)
    return leavesAtLoss(search) || chargeAll(search, search.charges)
  })

/** What the victim owes by then it pays itself. Whether it pays more than it has agreed to. */
function leavesAtLoss({ stage, own }: Search): boolean {
  return own.some(({ entry, attempt }) => {
    if (stage.left < SPARE_PLAYS) return false
    const outcome = stage.play(attempt)
    const loss = lossesOf(outcome, stage.victim.holdings, []).find(({ to }) => !isHeldBy(stage, to))
    if (loss === undefined || loss.amount < loss.holding.amount || isAgreed(stage, attempt, loss)) return false
    const seen = { caller: attempt.from, by: 'victim', outcome, loss } as const
    stage.findings.push({ ...findingOf(stage, entry, seen), id: 'approve-first-claim', check: 'allowance' })
    return true
  })
}

/** What lies there can be given back, and what the victim has named it has given away. */
const isHeldBy = ({ target, victim, marks }: Stage, to: Address) =>
  to === target || to === victim.address || marks.isMark(to)

/** Whether one of the calls does harm. */
function chargeAll(search: Search, charges: readonly Charge[], waitMs = 0): boolean {
  if (waitMs > 0 && charges.length > 0)
    return branch(search.stage.fork, () => {
      wait(search.stage.fork, waitMs)
      return chargeAll(search, charges)
    })
  return charges.some(({ call }) => {
    search.tries += 1
    if (search.tries > MAX_TRIES || search.stage.left < SPARE_PLAYS) return false
    return tryCall(search.stage, call).isHarmful
  })
}

/** The same behind a setting, and behind another that reads what the first one wrote. */
function chargeBehind(search: Search, acts: readonly Act[]): boolean {
  const { stage, charges } = search
  const behind = (act: Act, outcome: Outcome) => {
    const moved = charges.filter(({ reads }) => dependsOn(reads, outcome))
    return doAnd(stage, act, () => DUE_MS.some((ms) => chargeAll(search, moved, ms))) === true
  }
  const isCharged = ({ outcome }: Act) => charges.some(({ reads }) => dependsOn(reads, outcome))
  const set = acts.filter(
    ({ outcome, attempt: { data } }) =>
      outcome.success && outcome.storage.writes.size > 0 && !TOKEN_CALLS.has(selectorIn(data)),
  )
  // First what a charge asks for: the length of a period, a price.
  const made = [...set.filter(isCharged), ...set.filter((act) => !isCharged(act))].slice(0, MAX_ACTS)
  return made.some((first) => {
    if (behind(first, first.outcome)) return true
    const next = acts.filter((act) => act !== first && dependsOn(act.outcome.storage.reads, first.outcome))
    return (
      doAnd(stage, first, () =>
        next.slice(0, MAX_ACTS).some((second) => {
          if (stage.left < SPARE_PLAYS) return false
          const outcome = stage.play(second.attempt)
          return outcome.success && behind(second, outcome)
        }),
      ) === true
    )
  })
}
