import { arithmetic } from '../../instructions/arithmetic.js'
import { type Opcode, opcodes } from '../../instructions/opcodes.js'

/** What an opcode means for values that are followed. */
const IGNORED = 0
export const PUSH = 1
export const DUP = 2
export const SWAP = 3
export const ARITHMETIC = 4
export const ENVIRONMENT = 5
export const BRANCH = 6
export const STORE = 7
export const LOAD = 8
export const OTHER = 9
/** DUPN, SWAPN and EXCHANGE, whose places stand in the code. */
export const DEEP = 10

/** By opcode. */
export const DECISION_HANDLING = new Uint8Array(256)

const ENVIRONMENT_NAMES = new Set(
  'TIMESTAMP NUMBER COINBASE BASEFEE GASPRICE ORIGIN CALLER PREVRANDAO GASLIMIT GAS BLOCKHASH BALANCE EXTCODESIZE EXTCODEHASH CHAINID SELFBALANCE BLOBBASEFEE SLOTNUM CALLVALUE'.split(
    ' ',
  ),
)
const NAMED: Record<string, number> = { JUMPI: BRANCH, MSTORE: STORE, MLOAD: LOAD, JUMP: IGNORED, JUMPDEST: IGNORED }

function handlingOf({ name, pops, pushes }: Opcode): number {
  const named = NAMED[name]
  if (named !== undefined) return named
  if (arithmetic.has(name)) return ARITHMETIC
  if (ENVIRONMENT_NAMES.has(name)) return ENVIRONMENT
  if (['DUPN', 'SWAPN', 'EXCHANGE'].includes(name)) return DEEP
  if (name.startsWith('DUP')) return DUP
  if (name.startsWith('SWAP')) return SWAP
  return pops === 0 && pushes === 1 && name !== 'CALLDATASIZE' ? PUSH : OTHER
}

for (const opcode of opcodes) DECISION_HANDLING[opcode.code] = handlingOf(opcode)

/**
 * Without jumps, which leave all other places of the stack as they are, and are among the most
 * frequent opcodes.
 */
export const DECISION_OPCODES = opcodes.map(({ code }) => code).filter((code) => DECISION_HANDLING[code] !== IGNORED)

export const [DUP1, SWAP1] = [0x80, 0x90]
