import type { Inspector } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'

/** A comparison of two words that were not equal. */
export interface Unequal {
  codeAddress: Address
  /** Of the comparison. */
  pc: number
}

const [SUB, EQ, XOR] = [0x03, 0x14, 0x18]
/** Smaller words are no hashes. */
const LEAST_HASH = 1n << 192n

/** The last comparison of two hashes that were not equal: what refuses a wrong secret or proof. */
export function createUnequalInspector(): Inspector<Unequal | undefined> {
  let found: Unequal | undefined
  return keepCompiled('unequal hashes', {
    opcodes: [SUB, EQ, XOR],
    onStep(event) {
      const [a, b] = [event.stack(0), event.stack(1)]
      if (a >= LEAST_HASH && b >= LEAST_HASH && a !== b && !isNegative(a) && !isNegative(b))
        found = { codeAddress: event.codeAddress, pc: event.pc }
    },
    finish: () => found,
  })
}

/** Masks and small negative numbers. */
const isNegative = (word: bigint) => word >> 224n === (1n << 32n) - 1n
