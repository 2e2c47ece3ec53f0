import { hash } from 'node:crypto'
import { ripemd160 as ripemd } from '@noble/hashes/legacy.js'
import { type Precompile, wordsIn } from './precompile.js'

/** 0x02 */
export const sha256: Precompile = {
  microsPerGas: 0.005,
  gas: (input) => 60 + 12 * wordsIn(input),
  run: (input) => hash('sha256', input, 'buffer'),
}

/** 0x03: the 20 bytes stand at the end of a word. */
export const ripemd160: Precompile = {
  microsPerGas: 0.005,
  gas: (input) => 600 + 120 * wordsIn(input),
  run(input) {
    const word = new Uint8Array(32)
    word.set(ripemd(input), 12)
    return word
  },
}

/** 0x04 */
export const identity: Precompile = {
  microsPerGas: 0.005,
  gas: (input) => 15 + 3 * wordsIn(input),
  run: (input) => input.slice(),
}
