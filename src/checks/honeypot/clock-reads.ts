import type { Inspector } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'

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
  return {
    opcodes: [TIMESTAMP, NUMBER],
    onStep({ opcode, codeAddress }) {
      if (!isOfInterest(codeAddress)) return
      if (opcode === TIMESTAMP) reads.timestamp = true
      else reads.number = true
    },
    finish: () => reads,
  }
}
