import type { Address, Hex } from '../../hex.js'
import { attack } from './attack.js'
import { bytesIn, dataOf, renamedFrom, type Values } from './call-data.js'
import { readLeads } from './leads.js'
import { type Loss, lossesOf } from './losses.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { digitsOf, isSignedExchange, paidWith } from './signed-exchange.js'
import { findingOf } from './try-call.js'

/** Functions that recover a signer, and places in which it may be named. */
const MAX_ENTRIES = 6
const MAX_PLACES = 3
/** Left for what else is to be tried. */
const SPARE_PLAYS = 300

/**
 * Orders that a victim signs for this contract alone, filled by any address: what the signature
 * does not bind (the token of the price, its amount, who gets it) is filled in by a thief.
 */
export function probeOrders(stage: Stage, notes: EntryNotes): void {
  for (const entry of [...notes.signed].slice(0, MAX_ENTRIES))
    for (const marks of signersIn(stage, entry)) {
      if (stage.left < SPARE_PLAYS) return
      if (fillOrder(stage, entry, marks)) return
    }
}

/** The victim as one of the accounts that the call names. */
function signersIn({ marks, victim }: Stage, { template }: EntryPoint): Values[] {
  const values = marks.valuesFor(template)
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : [])).slice(0, MAX_PLACES)
  return places.map((place) => values.map((value, i) => (i === place ? BigInt(victim.address) : value)))
}

/** Whether the victim loses by its signature what it did not sign for. */
function fillOrder(stage: Stage, entry: EntryPoint, marks: Values): boolean {
  const { fork, target, outsider: caller, victim, thief, reached } = stage
  const asked = stage.play({ from: caller, to: entry.at ?? target, data: dataOf(entry, marks) })
  const leads = readLeads(asked.trace, target, bytesIn(marks))
  if (leads.signatures.length === 0) return false
  const { isMark } = stage.marks
  const filled = attack(fork, {
    ...{ target, entry, marks, isMark, caller, victim, thief, leads, reached },
    signer: victim.key,
  })
  if (filled === undefined || filled.losses.length === 0) return false
  const { attempt } = filled
  const outcome = stage.play(attempt)
  const [loss] = lossesOf(outcome, victim.holdings, [])
  if (loss === undefined || loss.to === target || isBound(stage, attempt, outcome, loss)) return false
  stage.findings.push({
    ...findingOf(stage, entry, { caller, by: 'anyone', outcome, loss }),
    ...{ id: 'permit-puller', check: 'permit', grantedTo: target },
  })
  return true
}

/** Whether the signature holds for what the victim has for it, or for who gets it, and no other. */
function isBound(stage: Stage, attempt: Attempt, outcome: Outcome, loss: Loss): boolean {
  const { victim } = stage
  if (paidWith(stage, outcome.trace) !== undefined) return isSignedExchange(stage, attempt, outcome)
  const price = outcome.native.get(victim.address) ?? 0n
  // What the call does not name of a price cannot be made less.
  const cheaper = attempt.data.replaceAll(digitsOf(price), digitsOf(1n)) as Hex
  if (price > 0n) return cheaper === attempt.data || !takes(stage, { ...attempt, data: cheaper, value: 1n }, loss)
  const other = otherThan(stage, attempt)
  const isNamed = attempt.data.includes(loss.to.slice(2))
  if (isNamed) return !takes(stage, { ...attempt, data: renamedFrom(attempt.data, loss.to, other) }, loss)
  return !takes(stage, { ...attempt, from: stage.secondOutsider }, loss)
}

const takes = (stage: Stage, attempt: Attempt, { holding }: Loss) =>
  lossesOf(stage.play(attempt), [holding], []).length > 0

const otherThan = ({ marks, secondOutsider }: Stage, { data }: Attempt): Address =>
  [...marks.addresses].find((mark) => !data.includes(mark.slice(2))) ?? secondOutsider
