import { contractInfo } from 'evmole'
import type { Hex } from '../../hex.js'
import { bytesToHex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { type ArgumentTemplate, parseArguments } from './call-arguments.js'

/** A way into a contract that can be tried. */
export interface EntryPoint {
  /** Four bytes, or empty for the fallback. */
  selector: Hex | undefined
  template: ArgumentTemplate
}

export interface EntryPoints {
  entries: readonly EntryPoint[]
  /** There are more, or some could not be read: what they do stays unseen. */
  isCut: boolean
}

/** Code beyond this is no contract (EIP-170). */
const MAX_CODE_BYTES = 64 * 1_024
/** The largest routers have about 90. */
const MAX_ENTRIES = 128
/** Contracts seen last in this thread, by code hash: the rounds of one job ask again. */
const MAX_CACHED = 32
const cache = createCountedLru<string, EntryPoints>(MAX_CACHED)

/** What the fallback is tried with besides nothing: words as hand-written code reads them. */
const FALLBACK_WORDS = 'address,address,address,uint256'

/**
 * Functions of the code with the types of their arguments, then the fallback. For worker threads:
 * the finder has no budget of its own.
 */
export function readEntryPoints(code: Uint8Array, codeHash: string): EntryPoints {
  return cache.getOrMake(codeHash, () => find(code))
}

function find(code: Uint8Array): EntryPoints {
  const functions = code.length > MAX_CODE_BYTES ? undefined : readFunctions(code)
  if (functions === undefined) return { entries: FALLBACKS, isCut: true }
  const entries = functions.slice(0, MAX_ENTRIES).map(({ selector, arguments: types = '' }): EntryPoint => {
    return { selector: `0x${selector}`, template: parseArguments(types) ?? NO_ARGUMENTS }
  })
  return { entries: [...entries, ...FALLBACKS], isCut: functions.length > MAX_ENTRIES }
}

const NO_ARGUMENTS = parseArguments('') as ArgumentTemplate
const FALLBACKS: readonly EntryPoint[] = [
  { selector: undefined, template: { leaves: [], encode: () => '0x' } },
  { selector: undefined, template: parseArguments(FALLBACK_WORDS) as ArgumentTemplate },
]

function readFunctions(code: Uint8Array) {
  try {
    return contractInfo(bytesToHex(code), { selectors: true, arguments: true }).functions ?? []
  } catch {
    // Hostile code may break the finder.
    return undefined
  }
}
