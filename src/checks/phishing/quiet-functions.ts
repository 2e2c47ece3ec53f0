import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { type ContractFacts, readFacts } from '../../bytecode/facts.js'
import type { Address, Hex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { Fork } from '../../simulation/scenario.js'

/** Codes seen last in this thread, by hash: the rounds of one job ask again. */
const MAX_CACHED = 32
const cache = createCountedLru<string, ReadonlySet<Hex>>(MAX_CACHED)

/**
 * Functions that call no other contract, whatever they are given: those take nothing that others
 * keep, so that a refusal of theirs need not be understood. Empty where some code could not be read
 * to its end.
 */
export function readQuietFunctions({ evm }: Fork, codes: readonly Address[]): ReadonlySet<Hex> {
  return new Set(
    codes.flatMap((address) => [...cache.getOrMake(evm.account(address).codeHash, () => quietIn(evm.code(address)))]),
  )
}

function quietIn(code: Uint8Array): ReadonlySet<Hex> {
  const { functions, gaps } = readFacts(code, { candidates: findCandidateSelectors(code) })
  if (gaps.length > 0) return new Set()
  return new Set(functions.flatMap((fn) => (fn.selector !== undefined && isQuiet(fn) ? [fn.selector] : [])))
}

const isQuiet = ({ effects }: ContractFacts['functions'][number]) =>
  effects.every((effect) => effect.kind !== 'create' && (effect.kind !== 'call' || effect.op === 'STATICCALL'))
