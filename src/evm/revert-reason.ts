import type { Hex } from '../hex.js'

const ERROR_SELECTOR = '0x08c379a0'
const PANIC_SELECTOR = '0x4e487b71'
const SELECTOR_CHARS = 10
const WORD_CHARS = 64
/** A reason longer than this is an attack on the program that shows it. */
const MAX_REASON_BYTES = 4_096

/** What Solidity's compiler means by the number of a `Panic`; the words are geth's. */
const PANICS: Record<number, string> = {
  0: 'generic panic',
  1: 'assert(false)',
  17: 'arithmetic underflow or overflow',
  18: 'division or modulo by zero',
  33: 'enum overflow',
  34: 'invalid encoded storage byte array accessed',
  49: 'out-of-bounds array access; popping on an empty array',
  50: 'out-of-bounds access of an array or bytesN',
  65: 'out of memory',
  81: 'uninitialized function',
}

/**
 * Reads `Error(string)` or `Panic(uint256)` from revert data, as geth does; `undefined` where it is
 * neither.
 */
export function decodeRevertReason(output: Hex): string | undefined {
  const selector = output.slice(0, SELECTOR_CHARS)
  const body = output.slice(SELECTOR_CHARS)
  if (selector === ERROR_SELECTOR) return decodeString(body)
  if (selector !== PANIC_SELECTOR || body.length < WORD_CHARS) return undefined
  const code = BigInt(`0x${body.slice(0, WORD_CHARS)}`)
  return PANICS[Number(code)] ?? `unknown panic code: 0x${code.toString(16)}`
}

function decodeString(body: string): string | undefined {
  const offset = readNumber(body, 0)
  if (offset === undefined) return undefined
  const length = readNumber(body, offset * 2)
  if (length === undefined) return undefined
  const start = offset * 2 + WORD_CHARS
  if (body.length < start + length * 2) return undefined
  return Buffer.from(body.slice(start, start + Math.min(length, MAX_REASON_BYTES) * 2), 'hex').toString('utf8')
}

/** The word at a character offset, if it is there and small enough to be a position in the data. */
function readNumber(body: string, start: number): number | undefined {
  const digits = body.slice(start, start + WORD_CHARS)
  if (digits.length < WORD_CHARS) return undefined
  const value = BigInt(`0x${digits}`)
  return value <= BigInt(body.length) ? Number(value) : undefined
}
