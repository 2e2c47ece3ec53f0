import type { Address } from '../../hex.js'
import type { Inspector } from '../inspector.js'
import { opcodes } from '../opcodes.js'

/** Which opcodes each contract's code has executed, as bytes. */
export type OpcodeSet = Map<Address, Set<number>>

/** Records the opcodes that ran, by the account whose code they stand in. */
export function createOpcodeSetInspector(): Inspector<OpcodeSet> {
  const seen: OpcodeSet = new Map()
  let codeAddress: Address | undefined
  let current = new Set<number>()
  return {
    opcodes: opcodes.map(({ code }) => code),
    onStep(event) {
      if (event.codeAddress !== codeAddress) {
        codeAddress = event.codeAddress
        current = seen.get(codeAddress) ?? new Set()
        seen.set(codeAddress, current)
      }
      current.add(event.opcode)
    },
    finish: () => seen,
  }
}
