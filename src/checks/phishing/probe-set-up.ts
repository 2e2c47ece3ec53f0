import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { dependsOn, mastersOf, SPARE_PLAYS } from './deposit-acts.js'
import { judgeDeposits } from './deposits.js'
import type { Stage } from './phishing-stage.js'
import { probeAgreements } from './probe-agreements.js'
import type { EntryNotes } from './probe-as-others.js'
import { probeAsVictim } from './probe-as-victim.js'
import { isHarm } from './try-call.js'

/** Settings behind which victims come again, and what such a setting takes. */
const MAX_SETTINGS = 3
const SETTING_GAS = 400_000n

/**
 * Victims come when a master has set things up: what turned them away before and reads what a
 * setting writes is tried behind it, with all that may come of it.
 */
export function probeSetUp(stage: Stage, notes: EntryNotes): void {
  const { fork } = stage
  const masters = new Set(mastersOf(stage, notes))
  const settings = notes.acts.filter(({ attempt }) => masters.has(attempt.from))
  const waiting = settings.flatMap(({ attempt, outcome }) => {
    const entries = notes.turnedAway
      .filter(({ entry, reads }) => !notes.signed.has(entry) && dependsOn(reads, outcome))
      .map(({ entry }) => entry)
    return entries.length > 0 ? [{ attempt, entries }] : []
  })
  for (const { attempt, entries } of waiting.slice(0, MAX_SETTINGS)) {
    if (stage.left < SPARE_PLAYS) return
    const isHarmful = branch(fork, () => {
      if (sendAs(fork, { ...attempt, gasLimit: SETTING_GAS }).status !== 'success') return false
      const behind: EntryNotes = { ...notes, registrations: [], deposits: [], tokenDeposits: [], turnedAway: [] }
      for (const entry of entries) probeAsVictim(stage, entry, behind)
      probeAgreements(stage, behind)
      judgeDeposits(stage, behind)
      return stage.findings.some(isHarm)
    })
    if (isHarmful) return
  }
}
