import { contractInfo } from 'evmole'
import { type Address, bytesToHex, type Hex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { type ArgumentTemplate, parseArguments } from './call-arguments.js'

/** A way into a contract that can be tried. */
export interface EntryPoint {
  /** Four bytes, or empty for the fallback. */
  selector: Hex | undefined
  /** The contract that is called, where that is not the target itself. */
  at?: Address
  template: ArgumentTemplate
  /** The code has nothing in it that writes, as far as that could be read. */
  isReadOnly?: boolean
}

/** `transfer`, `transferFrom` and `approve` of EIP-20. */
export const TOKEN_CALLS: ReadonlySet<string> = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3'])

/** Whether a signature is among the arguments: each try recovers a signer, or asks one. */
export const takesSignature = ({ template: { leaves } }: EntryPoint): boolean =>
  leaves.some(({ type }) => type === 'bytes') ||
  (leaves.some(({ type }) => type === 'uint8') && leaves.filter(({ type }) => type === 'bytes32').length > 1)

export interface EntryPoints {
  entries: readonly EntryPoint[]
  /** There are more, or some could not be read: what they do stays unseen. */
  isCut: boolean
  /** The code calls others, or runs their code: what does neither takes nothing from them. */
  callsOthers: boolean
}

/** Code beyond this is no contract (EIP-170). */
const MAX_CODE_BYTES = 64 * 1_024
/** The largest routers have about 90. */
const MAX_ENTRIES = 128
/** Contracts seen last in this thread, by code hash: the rounds of one job ask again. */
const MAX_CACHED = 32
const cache = createCountedLru<string, EntryPoints>(MAX_CACHED)

/**
 * What the fallback is tried with besides nothing: words as hand-written code reads them, and bytes
 * of which none is zero, for code that reads parts of words.
 */
const FALLBACK_WORDS = ['address,address,address,uint256', 'bytes32,bytes32,bytes32,bytes32']

/**
 * Functions of the code with the types of their arguments, then the fallback. For worker threads:
 * the finder has no budget of its own.
 */
export function readEntryPoints(code: Uint8Array, codeHash: string): EntryPoints {
  return cache.getOrMake(codeHash, () => find(code))
}

function find(code: Uint8Array): EntryPoints {
  const functions = code.length > MAX_CODE_BYTES ? undefined : readFunctions(code)
  if (functions === undefined) return { entries: FALLBACKS, isCut: true, callsOthers: true }
  const mayTake = callsOthers(code)
  let isCut = functions.length > MAX_ENTRIES
  const entries = functions
    .slice(0, MAX_ENTRIES)
    .map(({ selector, arguments: types = '', stateMutability }): EntryPoint => {
      const template = parseArguments(types)
      const isReadOnly = stateMutability === 'view' || stateMutability === 'pure'
      // More arguments than are tried are a place to hide in.
      if (template === undefined && mayTake && !isReadOnly) isCut = true
      return { selector: `0x${selector}`, template: template ?? NO_ARGUMENTS, isReadOnly }
    })
  return { entries: [...entries, ...FALLBACKS], isCut, callsOthers: mayTake }
}

const [PUSH1, PUSH32, CALL, CALLCODE, DELEGATECALL] = [0x60, 0x7f, 0xf1, 0xf2, 0xf4]

/** Opcodes are counted from the start: a jump into the data of another is not valid. */
function callsOthers(code: Uint8Array): boolean {
  for (let at = 0; at < code.length; at += 1) {
    const opcode = code[at] ?? 0
    if (opcode === CALL || opcode === CALLCODE || opcode === DELEGATECALL) return true
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1
  }
  return false
}

const NO_ARGUMENTS = parseArguments('') as ArgumentTemplate
const FALLBACKS: readonly EntryPoint[] = [
  { selector: undefined, template: { leaves: [], encode: () => '0x' } },
  ...FALLBACK_WORDS.map((words) => ({ selector: undefined, template: parseArguments(words) as ArgumentTemplate })),
]

function readFunctions(code: Uint8Array) {
  try {
    return contractInfo(bytesToHex(code), { selectors: true, arguments: true, stateMutability: true }).functions ?? []
  } catch {
    // Hostile code may break the finder.
    return undefined
  }
}
