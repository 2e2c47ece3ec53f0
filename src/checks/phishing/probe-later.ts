import { largerOf } from '../../bigints.js'
import { type Address, wordToAddress } from '../../hex.js'
import { branch, mark, sendAs, wait } from '../../simulation/fork-verbs.js'
import { delegatesOf } from './delegates-of.js'
import { renamed } from './marks.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import { type EntryNotes, namings, probeRefused } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { tryCall } from './try-call.js'

const MAX_REGISTRATIONS = 6
/** Settings of a master's that name an account. */
const MAX_SETTINGS = 6
/** What a registration or a setter takes. */
const CALL_GAS = 400_000n
const MONTH_MS = 30 * 86_400_000

/**
 * Tries functions again after the victim has put itself on record wherever that is possible, and
 * after the masters have named accounts of theirs wherever they can, or `name` in their place; at
 * once, and a month later.
 */
export function probeLater(
  stage: Stage,
  notes: EntryNotes,
  { entries: tried = stage.entries, name }: { entries?: readonly EntryPoint[]; name?: Address | undefined } = {},
): void {
  const { fork } = stage
  const named = (attempt: Attempt) => (name === undefined ? attempt : renamed(stage, attempt, name))
  const settings = notes.acts
    .filter(({ attempt, outcome }) => fork.evm.code(attempt.from).length === 0 && namesMark(stage, outcome))
    .slice(0, MAX_SETTINGS)
  if (notes.registrations.length === 0 && settings.length === 0) return
  branch(fork, () => {
    for (const { attempt } of settings) keepUnlessUpgrade(stage, named(attempt))
    for (const { attempt, agreed } of notes.registrations.slice(0, MAX_REGISTRATIONS)) {
      const amount = largerOf(stage.agreement?.amount ?? 0n, agreed)
      stage.agreement = { amount, since: fork.evm.block }
      sendAs(fork, { ...attempt, value: 0n, gasLimit: CALL_GAS })
    }
    // Where a word is open to all, the last one to name an account is the one who wants it.
    if (name !== undefined) for (const { attempt } of settings) keepUnlessUpgrade(stage, named(attempt))
    const callers = [
      { caller: stage.outsider, by: 'anyone' as const },
      ...[...notes.holders].map((caller) => ({ caller, by: 'holder' as const })),
    ]
    const entries = tried.filter((entry) => !notes.views.has(entry))
    const calls = entries.flatMap((entry) => callers.map((who) => ({ ...who, entry, values: namings(stage, entry) })))
    const isHarmful = calls.some(({ entry, ...who }) => {
      const call = { ...who, entry, marks: stage.marks.valuesFor(entry.template) }
      const { isHarmful, outcome } = tryCall(stage, call)
      return isHarmful || (!outcome.success && probeRefused(stage, call, notes))
    })
    if (isHarmful || notes.registrations.length === 0) return
    wait(fork, MONTH_MS)
    calls.some(({ values, ...call }) => values.some((marks) => tryCall(stage, { ...call, marks }).isHarmful))
  })
  stage.agreement = undefined
}

/** Whether a call stored one of the made-up accounts in a word that held no account. */
export function namesMark({ marks }: Stage, { storage }: EntryNotes['acts'][number]['outcome']): boolean {
  return [...storage.writes.values()].some((slots) =>
    [...slots.values()].some(({ after }) => marks.isMark(wordToAddress(after))),
  )
}

/**
 * Who may exchange the code behind a proxy may have it do anything: that is a power of its own,
 * which the analysis of the code tells, and no theft.
 */
function keepUnlessUpgrade({ fork, target }: Stage, attempt: Attempt): void {
  const back = mark(fork)
  const before = delegatesOf(fork, target).join()
  sendAs(fork, { ...attempt, gasLimit: CALL_GAS })
  if (delegatesOf(fork, target).join() !== before) back()
}
