import { type Address, wordToAddress } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { dataOf } from './call-data.js'
import { dependsOn, mastersOf, SPARE_PLAYS } from './deposit-acts.js'
import type { MarkStyle } from './marks.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import { probeAsVictim } from './probe-as-victim.js'
import { answering } from './probe-code.js'
import { namesMark } from './probe-later.js'
import type { EntryPoint } from './read-functions.js'
import { isHarm } from './try-call.js'

/** Settings that name a contract, functions that ask it, and what such a setting takes. */
const MAX_SETTINGS = 3
const MAX_FUNCTIONS = 24
const SETTING_GAS = 400_000n

/**
 * Contracts of a master's choice that say how much is taken: a fee, a rate, a share. Where masters
 * can name one, it answers with half of what the victim has, and the victim calls what asks it.
 */
export function probeAdvisers(stage: Stage, notes: EntryNotes): void {
  const { fork, marks, victim } = stage
  const [holding] = victim.holdings
  const masters = new Set(mastersOf(stage, notes))
  const settings = notes.acts.filter(({ attempt, outcome }) => masters.has(attempt.from) && namesMark(stage, outcome))
  if (holding === undefined) return
  for (const { attempt, outcome } of settings.slice(0, MAX_SETTINGS)) {
    const advisers = [...outcome.storage.writes.values()]
      .flatMap((slots) => [...slots.values()].map(({ after }): Address => wordToAddress(after)))
      .filter(marks.isMark)
    const isHarmful = branch(fork, () => {
      if (sendAs(fork, { ...attempt, gasLimit: SETTING_GAS }).status !== 'success') return false
      for (const adviser of advisers) fork.evm.setCode(adviser, answering(holding.amount / 2n))
      const behind: EntryNotes = { ...notes, registrations: [], deposits: [], tokenDeposits: [], turnedAway: [] }
      return entriesOf(stage, notes).some((entry) =>
        [{}, { first: holding.token }].some((style: MarkStyle) => {
          if (stage.left < SPARE_PLAYS || !asks(stage, entry, style, outcome)) return false
          probeAsVictim(stage, entry, behind, style)
          return stage.findings.some(isHarm)
        }),
      )
    })
    if (isHarmful) return
  }
}

const entriesOf = ({ entries }: Stage, { views, signed }: EntryNotes): EntryPoint[] =>
  entries
    .filter((entry) => entry.selector !== undefined && !views.has(entry) && !signed.has(entry))
    .slice(0, MAX_FUNCTIONS)

/** Whether the victim's call reads what the setting wrote. */
function asks(
  stage: Stage,
  entry: EntryPoint,
  style: MarkStyle,
  setting: EntryNotes['acts'][number]['outcome'],
): boolean {
  const { victim, target, marks } = stage
  const data = dataOf(entry, marks.valuesFor(entry.template, style))
  return dependsOn(stage.play({ from: victim.address, to: entry.at ?? target, data }).storage.reads, setting)
}
