import type { Hex } from '../hex.js'
import { OP } from '../instructions/opcodes.js'
import { keccak256 } from '../keccak.js'
import { immediateAt, type Program } from './disassemble.js'

/**
 * Hash of the code without what differs between deployments of one source: the metadata, immutables
 * (PUSH32) and addresses (PUSH20). Two contracts with the same hash behave alike but for those
 * constants.
 */
export function hashNormalised(program: Program): Hex {
  const end = program.metadataStart
  const code = program.code.slice(0, end)
  for (let pc = 0; pc < end; ) {
    const opcode = program.code[pc]
    const next = pc + 1 + immediateAt(program.code, pc)
    if (opcode === OP.PUSH20 || opcode === OP.PUSH32) for (let at = pc + 1; at < next && at < end; at += 1) code[at] = 0
    pc = next
  }
  return keccak256(code)
}
