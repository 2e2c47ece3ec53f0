import { hexToBytes, toPaddedHex } from '../hex.js'
import type { CreateEffect } from './effects.js'
import { readFacts } from './facts.js'

/**
 * Longer creation code is a compiler's, whose runtime lies in it. What fetches its runtime fits in
 * a word or two.
 */
const MAX_BYTES = 512
/** Straight code of that length; what loops is no such thing. */
const STEPS = 4_096
const EXTCODECOPY = 0x3c

/**
 * The creation code of a deployment, where the deployer's code fixes all of it; `undefined`
 * otherwise.
 */
export function readCreationCode({ words, size }: CreateEffect): Uint8Array | undefined {
  const length = size.place
  if (length <= 0 || length > MAX_BYTES || words.length === 0 || words.length !== Math.ceil(length / 32))
    return undefined
  if (words.some(({ op }) => op !== 'const')) return undefined
  return hexToBytes(words.map(({ value }) => toPaddedHex(value, 32).slice(2)).join('')).slice(0, length)
}

/**
 * Whether creation code copies another account's code to make it the new contract's: what appears
 * at the address is then decided by that account when the deployment runs, not by the creation
 * code, so that the address of CREATE2 says nothing about it.
 */
export function fetchesRuntime(creationCode: Uint8Array): boolean {
  return readFacts(creationCode, { steps: STEPS }).reachable.some(({ opcode }) => opcode === EXTCODECOPY)
}
