import type { Inspector } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'

/** Which clocks some code has looked at. */
export interface ClockReads {
  timestamp: boolean
  number: boolean
}

const TIMESTAMP = 0x42
const NUMBER = 0x43

/**
 * Whether code at the addresses of interest has asked for the time or the height, whatever it did
 * with the answer.
 */
export function createClockReadsInspector(isOfInterest: (codeAddress: Address) => boolean): Inspector<ClockReads> {
  const reads = { timestamp: false, number: false }
  return keepCompiled('clock reads', {
    opcodes: [TIMESTAMP, NUMBER],
    onStep({ opcode, codeAddress }) {
      if (!isOfInterest(codeAddress)) return
      if (opcode === TIMESTAMP) reads.timestamp = true
      else reads.number = true
    },
    finish: () => reads,
  })
}

/** GASPRICE, and everything that a block says of itself. */
const BLOCK_VALUES = [0x3a, 0x40, 0x41, TIMESTAMP, NUMBER, 0x44, 0x45, 0x48, 0x4a, 0x4b]

/** Whether code at the addresses of interest has asked for what another block has other. */
export function createBlockReadsInspector(isOfInterest: (codeAddress: Address) => boolean): Inspector<boolean> {
  let hasAsked = false
  return keepCompiled('block reads', {
    opcodes: BLOCK_VALUES,
    onStep({ codeAddress }) {
      hasAsked ||= isOfInterest(codeAddress)
    },
    finish: () => hasAsked,
  })
}
