import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { SPARE_PLAYS } from './deposit-acts.js'
import { renamed } from './marks.js'
import type { Stage } from './phishing-stage.js'
import { type EntryNotes, namings } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { tryCall } from './try-call.js'

/** What any address can note, and what such a call takes. */
const MAX_PREPARATIONS = 6
const PREPARATION_GAS = 400_000n

/**
 * Tries functions again after an attacker has noted of itself what any address can: the victim as
 * one that it may act for, and itself as who gets it.
 */
export function probePrepared(stage: Stage, notes: EntryNotes): void {
  const { fork, outsider, victim, marks } = stage
  const acts = notes.acts.filter(({ attempt }) => attempt.from === outsider).slice(0, MAX_PREPARATIONS)
  const isClosed = ({ selector }: EntryPoint) => selector !== undefined && notes.closed.has(selector)
  const closed = stage.entries.filter((entry) => isClosed(entry) && !notes.signed.has(entry))
  if (acts.length === 0 || closed.length === 0) return
  branch(fork, () => {
    for (const name of [victim.address, outsider])
      for (const { attempt } of acts) sendAs(fork, { ...renamed(stage, attempt, name), gasLimit: PREPARATION_GAS })
    return closed.some((entry) =>
      [marks.valuesFor(entry.template), ...namings(stage, entry)].some((values) => {
        if (stage.left < SPARE_PLAYS) return false
        return tryCall(stage, { entry, marks: values, caller: outsider, by: 'anyone' }).isHarmful
      }),
    )
  })
}
