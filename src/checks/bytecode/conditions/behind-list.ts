import type { WriteEffect } from '../../../bytecode/effects.js'
import type { Located } from '../../../bytecode/facts.js'
import { findReachable, findReachableFrom } from '../../../bytecode/graph.js'
import type { Run } from '../../../bytecode/interpret.js'
import { type Source, storageSource } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { type Term, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { isOwnAffair } from '../detectors/blacklist.js'
import { readControls } from '../field-control.js'
import { type AccountRecord, askWithout, recordAt, recordOf } from '../transfer-gates.js'
import type { Question } from './explain.js'

/** What tells of lists whose accounts are refused. */
const OF_LISTS = 'blacklist'

/**
 * Whether the branch refuses only accounts of which a record is kept, and each function that keeps
 * such a record of others is told of as one that blocks them: until when, or how much of what they
 * have, is then a matter of the same list. One that moves another amount is not.
 */
export function isBehindToldList(question: Question, source: Source): boolean {
  const { subject, branch } = question
  if (branch.outcome !== 'refuses') return false
  const record = recordsOfSender(question).find(({ name }) => isWordOf(name, source))
  if (record === undefined) return false
  const { reached, read } = askWithout(subject.facts.store, branch.fn, record)
  const asked = read(branch.term)
  const passes = asked.op === 'const' && branch.hostile !== undefined && (asked.value !== 0n) !== branch.hostile
  return (passes || !reached.has(branch.node)) && isTold(question, record)
}

function recordsOfSender({ branch: { fn, term } }: Question): AccountRecord[] {
  const { from } = transferParties(fn)
  const found: AccountRecord[] = []
  walkTerm(term, (part) => {
    const record = recordOf(part)
    if (record !== undefined && from(record.account)) found.push(record)
    return record === undefined
  })
  return found
}

/** Whether a source is a word of records with that name, or some bits of one. */
const isWordOf = (name: string, source: Source): boolean =>
  [storageSource(name), `${storageSource(name)}+`, `${storageSource(name)}.`].some((start, exact) =>
    exact === 0 ? source === start : source.startsWith(start),
  )

/** Whether all that is noted of others comes with a word whose writing is told of as a list. */
function isTold({ subjects, toldAt }: Question, { name }: AccountRecord): boolean {
  const all = subjects.map(({ facts }) => facts)
  const ids = new Set(all.flatMap(({ functions }) => functions.flatMap(({ effects }) => idsOf(effects, name))))
  let isAny = false
  for (const source of [...ids].map((id) => storageSource(id))) {
    if (all.some((facts) => readTokenFacts(facts).isKept(source))) return false
    for (const of of subjects)
      for (const { power, write } of readControls(of, source)) {
        if (power.kind === 'renounced' || isOwnAffair(of, write, all)) continue
        const told = write.fn.effects.filter(
          (effect): effect is Located<WriteEffect> =>
            effect.kind === 'write' &&
            isSameRecord(effect.key, write.effect.key) &&
            toldAt(of.address, effect.pc).includes(OF_LISTS),
        )
        if (!told.some((effect) => goTogether(write.fn.run, write.effect, effect))) return false
        isAny = true
      }
  }
  return isAny
}

const idsOf = (effects: readonly Located[], name: string): string[] =>
  effects.flatMap((effect) =>
    effect.kind === 'write' && recordAt(effect.key)?.name === name ? [classifyKey(effect.key).id] : [],
  )

function isSameRecord(a: Term, b: Term): boolean {
  const [one, other] = [recordAt(a), recordAt(b)]
  return one !== undefined && one.name === other?.name && one.account === other.account
}

/** Whether no call writes the one and ends well without writing the other. */
function goTogether(run: Run, one: Located<WriteEffect>, other: Located<WriteEffect>): boolean {
  if (one.node === other.node) return true
  if (!findReachable(run, ({ to }) => to !== other.node).has(one.node)) return true
  return ![...findReachableFrom(one.node, ({ to }) => to !== other.node)].some(({ end }) => end === 'success')
}
