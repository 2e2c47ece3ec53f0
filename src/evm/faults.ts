import { opcodeName } from '../instructions/opcodes.js'
import type { Word } from '../instructions/word.js'
import { NOT_AN_INSTRUCTION } from './rules.js'

/** Why a frame failed, in geth's words (core/vm/errors.go): clients compare these texts. */
export const faults = {
  reverted: 'execution reverted',
  outOfGas: 'out of gas',
  depositOutOfGas: 'contract creation code storage out of gas',
  depth: 'max call depth exceeded',
  balance: 'insufficient balance for transfer',
  collision: 'contract address collision',
  codeTooLarge: 'max code size exceeded',
  jump: 'invalid jump destination',
  writeProtection: 'write protection',
  returnDataBounds: 'return data out of bounds',
  gasOverflow: 'gas uint64 overflow',
  efCode: 'invalid code: must not begin with 0xef',
  nonceOverflow: 'nonce uint64 overflow',
  /** Geth has a text per precompile and reason; no client compares those. */
  precompile: 'invalid precompile input',
  sentry: 'out of gas: not enough gas for reentrancy sentry',
} as const

const TWO_64 = 1n << 64n

/** Geth tells a region beyond 64 bits from one that is merely too dear. */
export function memoryFault(offset: Word, length: Word): string {
  const beyond = (word: Word) => typeof word === 'bigint' && word >= TWO_64
  if (beyond(offset) || beyond(length) || BigInt(offset) + BigInt(length) >= TWO_64) return faults.gasOverflow
  return Number(offset) + Number(length) > MAX_MEMORY ? `${faults.outOfGas}: ${faults.gasOverflow}` : faults.outOfGas
}

/** Above this, geth's memory price would overflow. */
const MAX_MEMORY = 0x1f_ffff_ffe0

export function initCodeFault(size: number): string {
  return `${faults.outOfGas}: max initcode size exceeded: size ${size}`
}

/**
 * Why an opcode met a stack that is too low or too high for it, or is no opcode at all;
 * `instruction` as in {@link Rules}.
 */
export function stackFault(op: number, height: number, instruction: number): string {
  if (instruction === NOT_AN_INSTRUCTION) return invalidOpcodeFault(op)
  const need = (instruction >>> 16) & 31
  return height < need
    ? `stack underflow (${height} <=> ${need})`
    : `stack limit reached ${height} (${instruction >>> 21})`
}

/** The same for an opcode whose operand names the place that it `needs`; 0 where it is refused. */
export function deepStackFault(op: number, height: number, needs: number): string {
  return needs === 0 ? invalidOpcodeFault(op) : `stack underflow (${height} <=> ${needs})`
}

export function invalidOpcodeFault(op: number): string {
  return `invalid opcode: ${opcodeText(op)}`
}

function opcodeText(op: number): string {
  return opcodeName(op) ?? `opcode 0x${op.toString(16)} not defined`
}
