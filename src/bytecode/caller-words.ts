import type { Hex } from '../hex.js'
import type { CallEffect } from './effects.js'
import type { ContractFacts, Located } from './facts.js'
import { toSelectorHex } from './selectors.js'
import { isNumber, type Term } from './terms.js'

/** How a contract calls one function of others. */
export interface CallerWords {
  /** Words that always name its own caller, or itself; the first after the selector is 0. */
  places: ReadonlySet<number>
  /** Its own functions that make the call; `undefined` for the fallback. */
  within: ReadonlySet<Hex | undefined>
}

const known = new WeakMap<ContractFacts, ReadonlyMap<Hex, CallerWords>>()

/**
 * What a contract says of its own caller where it calls others, by the function that it calls, as
 * a bridge that burns the tokens of who withdraws. Empty where anything that it may call is in
 * doubt: it was not read to its end, runs or becomes other code, or is told what to call.
 */
export function readCallerWords(facts: ContractFacts): ReadonlyMap<Hex, CallerWords> {
  const found = known.get(facts) ?? read(facts)
  known.set(facts, found)
  return found
}

function read({ functions, gaps }: ContractFacts): ReadonlyMap<Hex, CallerWords> {
  const found = new Map<Hex, CallerWords>()
  if (gaps.length > 0) return found
  for (const { selector, effects } of functions)
    for (const effect of effects) {
      if (effect.kind === 'destruct') return NONE
      // Coins alone are no call of a function.
      if (effect.kind !== 'call' || effect.op === 'STATICCALL' || isNumber(effect.inputSize, 0n)) continue
      if (effect.op !== 'CALL' || effect.selector.op !== 'const') return NONE
      const called = toSelectorHex(Number(effect.selector.value))
      const before = found.get(called)
      const places = placesOf(effect).filter((place) => before?.places.has(place) ?? true)
      found.set(called, { places: new Set(places), within: new Set([...(before?.within ?? []), selector]) })
    }
  return found
}

const NONE: ReadonlyMap<Hex, CallerWords> = new Map()

const placesOf = ({ args }: Located<CallEffect>): number[] =>
  args.flatMap((word, place) => (isOwn(word) ? [place] : []))

const isOwn = ({ op }: Term) => op === 'CALLER' || op === 'ADDRESS'
