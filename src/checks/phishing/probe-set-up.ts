import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { dataOf, selectorIn } from './call-data.js'
import { inMonths } from './customs.js'
import { dependsOn, mastersOf, SPARE_PLAYS } from './deposit-acts.js'
import { judgeDeposits } from './deposits.js'
import type { MarkStyle } from './marks.js'
import type { Stage } from './phishing-stage.js'
import { probeAgreements } from './probe-agreements.js'
import type { EntryNotes } from './probe-as-others.js'
import { probeAsVictim } from './probe-as-victim.js'
import { type EntryPoint, TOKEN_CALLS } from './read-functions.js'
import { isHarm } from './try-call.js'

/** Settings behind which victims come again, and what such a setting takes. */
const MAX_SETTINGS = 3
const SETTING_GAS = 400_000n

/**
 * Victims come when a master has set things up, or any account has opened something for them (a
 * market, a plan, a service): what turned them away before and reads what that writes is tried
 * behind it, with all that may come of it. The account that opened it is a master of it.
 */
export function probeSetUp(stage: Stage, notes: EntryNotes): void {
  const { fork, outsider } = stage
  const masters = new Set(mastersOf(stage, notes))
  const ofMasters = notes.acts.filter(({ attempt }) => masters.has(attempt.from))
  const ofOthers = notes.acts
    // What an account lets others spend opens nothing.
    .filter(({ attempt: { from, data } }) => from === outsider && !TOKEN_CALLS.has(selectorIn(data)))
    .flatMap((act) => [...withPeriods(stage, act), act])
  for (const settings of [ofMasters, ofOthers])
    for (const { attempt, visits } of settings
      .flatMap((act) => visitsBehind(stage, act, notes))
      .slice(0, MAX_SETTINGS)) {
      if (stage.left < SPARE_PLAYS) return
      const { from } = attempt
      const isHarmful = branch(fork, () => {
        if (sendAs(fork, { ...attempt, gasLimit: SETTING_GAS }).status !== 'success') return false
        const holders = new Set([from, ...notes.holders])
        const behind: EntryNotes = {
          ...notes,
          holders,
          seller: from === outsider ? from : undefined,
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

interface Visit {
  entry: EntryPoint
  style: MarkStyle
}

/** What turned victims away, and reads what the act wrote: as it was, or naming who did it. */
function visitsBehind(stage: Stage, { attempt, outcome }: Opening, notes: EntryNotes) {
  const { marks, victim, target } = stage
  const visits = notes.turnedAway.flatMap(({ entry, reads }): Visit[] => {
    if (notes.signed.has(entry)) return []
    if (dependsOn(reads, outcome)) return [{ entry, style: {} }]
    if (!entry.template.leaves.some(({ type }) => type === 'address') || stage.left < SPARE_PLAYS) return []
    const style = { first: attempt.from }
    const data = dataOf(entry, marks.valuesFor(entry.template, style))
    const named = stage.play({ from: victim.address, to: entry.at ?? target, data })
    return dependsOn(named.storage.reads, outcome) ? [{ entry, style }] : []
  })
  return visits.length > 0 ? [{ attempt, visits }] : []
}
