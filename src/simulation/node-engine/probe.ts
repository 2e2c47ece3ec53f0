import { createHash, randomBytes } from 'node:crypto'
import { type Address, bytesToHex, type Hex } from '../../hex.js'
import { assemble } from '../../state/assemble.js'

/**
 * A little program that stands beside the trade, at an address that no contract can know, and tells
 * where it ran: nodes are known to accept overrides and ignore them.
 */
export interface Probe {
  address: Address
  code: Hex
  /** Who asks it, and all others that are asked. */
  reader: Address
  /** Calldata that makes it tell the native balance of `address` too. */
  asking(address: Address): Hex
  /** `undefined` when the program did not run. */
  read(answer: Hex): ProbeReading | undefined
}

export interface ProbeReading {
  timestamp: bigint
  number: bigint
  /** Of the block before the one it ran in. */
  parentHash: Hex
  balance: bigint
}

const WORD_DIGITS = 64
const ANSWER_WORDS = 5

/**
 * Calldata: an address in a word. Answer: secret, TIMESTAMP, the hash of NUMBER - 1, BALANCE,
 * NUMBER.
 */
export function createProbe(): Probe {
  const secret = bytesToHex(randomBytes(32))
  const address = bytesToHex(createHash('sha256').update(secret).digest().subarray(12))
  const code = assemble(`
    ${secret} 0x00 MSTORE
    TIMESTAMP 0x20 MSTORE
    0x01 NUMBER SUB BLOCKHASH 0x40 MSTORE
    0x00 CALLDATALOAD BALANCE 0x60 MSTORE
    NUMBER 0x80 MSTORE
    0xa0 0x00 RETURN`)
  return {
    address,
    code,
    reader: bytesToHex(createHash('sha256').update(address).digest().subarray(12)),
    asking: (of) => `0x${of.slice(2).padStart(WORD_DIGITS, '0')}`,
    read(answer) {
      const word = (index: number): Hex => `0x${answer.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`
      if (answer.length !== 2 + ANSWER_WORDS * WORD_DIGITS || word(0) !== secret) return undefined
      return { timestamp: BigInt(word(1)), parentHash: word(2), balance: BigInt(word(3)), number: BigInt(word(4)) }
    },
  }
}
