import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { ADDRESS_MASK } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { SPARE_WORDS } from './call-arguments.js'
import { numberIn, wordsOf } from './call-data.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** By what a contract knows what a call has made. */
export interface GivenNames {
  /** Its number: the first of a list, what a counter stood at, or what the call named. */
  ids: readonly bigint[]
  /** Keys under which it was written: hashes, no accounts. */
  keys: readonly bigint[]
  /** Amounts that it noted besides what was paid: shares, tokens of a sale. */
  parts: readonly bigint[]
}

/** Counters of one call, and keys, that are taken for names of what it made. */
const MAX_NAMES = 2

/** The largest number that the arguments of a call name, without the words behind them. */
export const namedBy = ({ marks }: Stage, { template }: EntryPoint, attempt: Attempt): bigint =>
  numberIn(attempt, marks.valuesFor(template).slice(-SPARE_WORDS))

/** Each is tried in every function that takes numbers. */
const MAX_IDS = 4
/** Beyond, a number is an amount. */
const MOST_THINGS = 1_000n
/** Beyond, a word is no amount. */
const MOST_UNITS = 1n << 128n

/** Whether a word that a contract keeps can be how much of something there is. */
export const isAmount = (word: bigint) => word >= MOST_THINGS && word < MOST_UNITS

/** Of a call that was played, and went through. */
export function givenBy({ fork, target }: Stage, attempt: Attempt, { storage }: Outcome): GivenNames {
  const words = [...(storage.writes.get(target)?.values() ?? [])]
  const counted = words.filter(({ before, after }) => after === before + 1n).slice(0, MAX_NAMES)
  const decisions = createDecisionsInspector()
  branch(fork, () => {
    if (attempt.value !== undefined) fork.evm.setBalance(attempt.from, attempt.value)
    fork.evm.read(attempt, [decisions])
  })
  const keys = decisions
    .finish()
    .stores.flatMap(({ address, entry }) =>
      address === target && entry !== undefined && entry.key > ADDRESS_MASK ? [entry.key] : [],
    )
  const named = wordsOf(attempt.data)
  const small = named.filter((word) => word > 0n && word < MOST_THINGS).slice(0, MAX_NAMES)
  const noted = words.map(({ before, after }) => after - before)
  const parts = noted.filter((change) => isAmount(change) && !named.includes(change))
  const ids = new Set([0n, ...counted.flatMap(({ before, after }) => [after, before]), ...small])
  return {
    ids: [...ids].slice(0, MAX_IDS),
    keys: [...new Set(keys)].slice(0, MAX_NAMES),
    parts: [...new Set(parts)].filter((part) => part !== attempt.value).slice(0, MAX_NAMES),
  }
}
