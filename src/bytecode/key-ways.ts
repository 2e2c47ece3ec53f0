import type { Run } from './interpret.js'
import { inputsOf } from './join.js'
import { replaceTerm } from './replace-term.js'
import { UNKNOWN_VARIABLE } from './source.js'
import { classifyKey } from './storage-key.js'
import type { Term, TermStore } from './terms.js'

/** Places that one write may be of: functions share what writes a list for two or three callers. */
const MAX_PLACES = 8
/** Steps from calls within calls. */
const MAX_STEPS = 32

/**
 * The keys that a key stands for which ways bring together, as in a function that is given a list
 * of storage to write to; the key itself where one of them has no place either.
 */
export function keysOf(store: TermStore, run: Run, key: Term): readonly Term[] {
  if (!isUnknown(key)) return [key]
  const [open, places] = [new Set([key]), new Set<Term>()]
  for (const each of open) {
    const joined = isUnknown(each) ? baseOf(each) : undefined
    const inputs = joined?.op === 'choice' ? joined.args : joined === undefined ? [] : [...inputsOf(run, joined)]
    if (inputs.length === 0) places.add(each)
    // Earlier states of the same join are among its inputs.
    else
      for (const input of inputs)
        if (input !== joined) open.add(replaceTerm(store, each, (part) => (part === joined ? input : undefined)))
    if (open.size > MAX_STEPS || places.size > MAX_PLACES) return [key]
  }
  return places.size === 0 || [...places].some(isUnknown) ? [key] : [...places]
}

const isUnknown = (key: Term) => classifyKey(key).id === UNKNOWN_VARIABLE

/** What ways bring together where the slot of a variable, or the hash of one, is looked for. */
function baseOf(key: Term): Term | undefined {
  if (isJoined(key)) return key
  if (key.op !== 'keccak' && key.op !== 'ADD') return undefined
  const [within, joined] = [key.args.find(isKeccak), key.args.findLast(isJoined)]
  return within === undefined ? joined : baseOf(within)
}

const isJoined = ({ op }: Term) => op === 'phi' || op === 'choice'
const isKeccak = ({ op }: Term) => op === 'keccak'
