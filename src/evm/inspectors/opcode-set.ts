import type { Address } from '../../hex.js'
import { opcodes } from '../../instructions/opcodes.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'

/** Which opcodes each contract's code has executed, as bytes. */
export type OpcodeSet = Map<Address, Set<number>>

/**
 * The opcodes of one contract, and the same by byte: nearly every step repeats one, and an array
 * says so sooner than a set.
 */
interface Seen {
  readonly set: Set<number>
  readonly isSeen: Uint8Array
}

/** Records the opcodes that ran, by the account whose code they stand in. */
export function createOpcodeSetInspector(): Inspector<OpcodeSet> {
  const contracts = new Map<Address, Seen>()
  /** By depth, of the frames that are open. */
  const open: Seen[] = []
  let current: Seen = { set: new Set(), isSeen: new Uint8Array(256) }
  return keepCompiled('opcode set', {
    opcodes: opcodes.map(({ code }) => code),
    onCall({ kind, depth, codeAddress }) {
      if (kind === 'SELFDESTRUCT') return
      current = contracts.get(codeAddress) ?? { set: new Set(), isSeen: new Uint8Array(256) }
      contracts.set(codeAddress, current)
      open[depth] = current
    },
    onCallEnd({ kind, depth }) {
      if (kind !== 'SELFDESTRUCT') current = open[depth - 1] ?? current
    },
    onStep({ opcode }) {
      if (current.isSeen[opcode] === 1) return
      current.isSeen[opcode] = 1
      current.set.add(opcode)
    },
    finish: () =>
      new Map([...contracts].flatMap(([address, { set }]) => (set.size > 0 ? [[address, set] as const] : []))),
  })
}
