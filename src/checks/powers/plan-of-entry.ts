import { readArguments } from '../../bytecode/function-arguments.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { listChoices, readParameters } from './choices.js'
import { fingerprintOf } from './fingerprint.js'
import type { CodeEntry } from './hidden-entries.js'
import type { Plan } from './plans.js'
import { keysOfWord } from './writers.js'

/** Entries of mappings that one function is tried with. */
const MAX_KEYS = 3

/** The plan of a function that its writes alone make worth trying; `words` are what it writes. */
export function planOf(
  { code, fn, contract, selector, writes }: CodeEntry,
  words: readonly Slot[],
  { holders, kinds }: Pick<Plan, 'holders' | 'kinds'>,
): Plan | undefined {
  const facts = readArguments(code.facts.store, fn)
  const parameters = readParameters(code.types.get(selector), facts)
  if (parameters === undefined) return undefined
  const keys = words.map(keysOfWord).filter(({ length }) => length > 0)
  return {
    ...{ contract, selector, argumentTypes: parameters.map(({ type }) => type).join(), parameters, writes },
    ...{ arguments: facts, isConventional: false, holders, kinds },
    choices: listChoices(parameters, facts, keys.slice(0, MAX_KEYS)),
    contractHash: code.facts.normalisedHash,
    fingerprint: fingerprintOf(code.subject, { fn }),
  }
}
