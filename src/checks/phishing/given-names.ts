import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { ADDRESS_MASK } from '../../hex.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** By what a contract knows what a call has made. */
export interface GivenNames {
  /** Its number: the first of a list, or what a counter of the contract stood at. */
  ids: readonly bigint[]
  /** Keys under which it was written: hashes, no accounts. */
  keys: readonly bigint[]
}

/** Counters of one call, and keys, that are taken for names of what it made. */
const MAX_NAMES = 2

/** Of a call that was played, and went through. */
export function givenBy({ fork, target }: Stage, attempt: Attempt, { storage }: Outcome): GivenNames {
  const words = [...(storage.writes.get(target)?.values() ?? [])]
  const counted = words.filter(({ before, after }) => after === before + 1n).slice(0, MAX_NAMES)
  const decisions = createDecisionsInspector()
  fork.evm.read(attempt, [decisions])
  const keys = decisions
    .finish()
    .stores.flatMap(({ address, entry }) =>
      address === target && entry !== undefined && entry.key > ADDRESS_MASK ? [entry.key] : [],
    )
  return {
    ids: [...new Set([0n, ...counted.flatMap(({ before, after }) => [before, after])])],
    keys: [...new Set(keys)].slice(0, MAX_NAMES),
  }
}
