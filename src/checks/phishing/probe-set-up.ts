import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { dataOf, selectorIn, type Values } from './call-data.js'
import { inMonths } from './customs.js'
import { dependsOn, givesUpPlace, mastersOf, SPARE_PLAYS, VISIT_PLAYS } from './deposit-acts.js'
import { judgeDeposits } from './deposits.js'
import { numbersIn, takesThing } from './exits.js'
import { fitArguments, OTHER_CALLER } from './fit-arguments.js'
import { givenBy } from './given-names.js'
import type { MarkStyle } from './marks.js'
import type { Budget } from './pass-refusals.js'
import type { Stage } from './phishing-stage.js'
import { probeAgreements } from './probe-agreements.js'
import type { EntryNotes } from './probe-as-others.js'
import { probeAsVictim } from './probe-as-victim.js'
import { type EntryPoint, TOKEN_CALLS } from './read-functions.js'
import { isHarm } from './try-call.js'

/** Settings behind which victims come again, and what such a setting takes. */
const MAX_SETTINGS = 3
const SETTING_GAS = 400_000n
/** Refusals of openings that are asked for their terms. */
const MAX_QUESTIONS = 48

/**
 * Victims come when a master has set things up, or any account has opened something for them (a
 * market, a plan, a service): what turned them away before and reads what that writes is tried
 * behind it, with all that may come of it. The account that opened it is a master of it.
 */
export function probeSetUp(stage: Stage, notes: EntryNotes): void {
  const { fork, outsider } = stage
  if (notes.turnedAway.length === 0) return
  const masters = new Set(mastersOf(stage, notes))
  const ofMasters = notes.acts.filter(
    ({ attempt: { from }, outcome }) => masters.has(from) && !givesUpPlace(from, outcome),
  )
  const ofOthers = notes.acts
    // What an account lets others spend opens nothing.
    .filter(({ attempt: { from, data } }) => from === outsider && !TOKEN_CALLS.has(selectorIn(data)))
    .flatMap((act) => [...withPeriods(stage, act), act])
  for (const settingsOf of [() => ofMasters, () => ofOthers, () => fittedOpenings(stage, notes)])
    for (const { attempt, visits } of settingsOf()
      .flatMap((act) => visitsBehind(stage, act, notes))
      .slice(0, MAX_SETTINGS)) {
      if (stage.left < VISIT_PLAYS) {
        stage.isCut = true
        return
      }
      const { from } = attempt
      const isHarmful = branch(fork, () => {
        if (sendAs(fork, { ...attempt, gasLimit: SETTING_GAS }).status !== 'success') return false
        const holders = new Set([from, ...notes.holders])
        const behind: EntryNotes = {
          ...notes,
          holders,
          seller: masters.has(from) ? undefined : from,
          registrations: [],
          deposits: [],
          tokenDeposits: [],
          turnedAway: [],
        }
        for (const { entry, style } of visits) probeAsVictim(stage, entry, behind, style)
        probeAgreements(stage, behind)
        judgeDeposits(stage, behind)
        return stage.findings.some(isHarm)
      })
      if (isHarmful) return
    }
}

type Opening = EntryNotes['acts'][number]

/** The same with a month for each number that is too narrow for an amount: a period, no moment. */
function withPeriods(stage: Stage, { attempt }: Opening): Opening[] {
  const entry = stage.entries.find(({ selector }) => selector === selectorIn(attempt.data))
  if (entry === undefined || stage.left < SPARE_PLAYS) return []
  const { leaves } = entry.template
  const values = stage.marks.valuesFor(entry.template)
  const data = dataOf(entry, inMonths(values, leaves))
  if (data === attempt.data || dataOf(entry, values) !== attempt.data) return []
  const made = { ...attempt, data }
  const outcome = stage.play(made)
  return outcome.success ? [{ attempt: made, outcome }] : []
}

/**
 * What was refused a stranger, and takes it with the terms that it asks for: by an account that has
 * things to offer, and has approved.
 */
function fittedOpenings(stage: Stage, notes: EntryNotes): Opening[] {
  const { outsider, target } = stage
  const opener = stage.twin()
  const nft = opener.holdings.find(({ kind }) => kind === 'nft')
  const budget: Budget = { questions: 0, most: MAX_QUESTIONS }
  const isOpen = new Set(
    notes.acts.filter(({ attempt }) => attempt.from === outsider).map(({ attempt }) => selectorIn(attempt.data)),
  )
  return stage.entries.flatMap((entry): Opening[] => {
    const { selector } = entry
    if (selector === undefined || isOpen.has(selector) || TOKEN_CALLS.has(selector)) return []
    if (notes.views.has(entry) || notes.signed.has(entry)) return []
    for (const style of [{}, ...(nft && takesThing(entry) ? [{ first: nft.token, id: opener.nftId }] : [])]) {
      if (stage.left < SPARE_PLAYS) return []
      const fitted = fitArguments(stage, entry, budget, { caller: opener.address, style })
      if (fitted === OTHER_CALLER) return []
      if (fitted === undefined) continue
      const { values, edits, value } = fitted
      const data = dataOf(entry, values, edits)
      const attempt = { from: opener.address, to: target, data, ...(value > 0n && { value }) }
      const outcome = stage.play(attempt)
      if (outcome.success && outcome.storage.writes.size > 0) return [{ attempt, outcome }]
    }
    return []
  })
}

interface Visit {
  entry: EntryPoint
  style: MarkStyle
}

/** What turned victims away, and reads what the act wrote: as it was, or by its number or maker. */
function visitsBehind(stage: Stage, { attempt, outcome }: Opening, notes: EntryNotes) {
  const { marks, victim, target } = stage
  const { ids } = givenBy(stage, attempt, outcome)
  const readsIt = ({ template, ...entry }: EntryPoint, values: Values): boolean => {
    const data = dataOf({ ...entry, template }, values)
    return dependsOn(stage.play({ from: victim.address, to: entry.at ?? target, data }).storage.reads, outcome)
  }
  const visits = notes.turnedAway.flatMap(({ entry, reads }): Visit[] => {
    if (notes.signed.has(entry) || notes.forOthers.has(entry)) return []
    // Who did the same before is another customer.
    if (entry.selector === selectorIn(attempt.data)) return []
    if (dependsOn(reads, outcome)) return [{ entry, style: {} }]
    if (stage.left < SPARE_PLAYS) return []
    const values = marks.valuesFor(entry.template)
    const [number] = numbersIn(entry.template)
    const numbered = number === undefined ? [] : ids.slice(0, MAX_IDS).map((id) => values.with(number, id))
    // What is there under a number is found by it (`fit-arguments.ts`).
    if (numbered.some((each) => readsIt(entry, each))) return [{ entry, style: {} }]
    if (!entry.template.leaves.some(({ type }) => type === 'address')) return []
    const style = { first: attempt.from }
    return readsIt(entry, marks.valuesFor(entry.template, style)) ? [{ entry, style }] : []
  })
  return visits.length > 0 ? [{ attempt, visits }] : []
}

/** Numbers of what was made that are tried. */
const MAX_IDS = 2
