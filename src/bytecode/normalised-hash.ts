import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, type Hex } from '../hex.js'
import { type Program, sweep } from './disassemble.js'
import { OP } from './opcodes.js'

/**
 * Hash of the code without what differs between deployments of one source: the metadata, immutables (PUSH32) and addresses (PUSH20).
 * Two contracts with the same hash behave alike but for those constants.
 */
export function hashNormalised(program: Program): Hex {
  const end = program.metadataStart
  const code = Uint8Array.from(program.code.subarray(0, end))
  for (const { pc, opcode } of sweep(program)) {
    if (opcode === OP.PUSH20) code.fill(0, pc + 1, Math.min(pc + 21, end))
    if (opcode === OP.PUSH32) code.fill(0, pc + 1, Math.min(pc + 33, end))
  }
  return bytesToHex(keccak_256(code))
}
