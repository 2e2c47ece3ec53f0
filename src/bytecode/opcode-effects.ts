/**
 * What an opcode takes from and puts on the stack. `immediate` counts the bytes of push data that
 * follow it.
 */
export interface Opcode {
  name: string
  pops: number
  pushes: number
  immediate: number
}

/**
 * `first opcode, pops, pushes, names…`: consecutive opcodes of one arity. Source: the Yellow Paper
 * and the EIPs named beside.
 */
const GROUPS: readonly (readonly [first: number, pops: number, pushes: number, names: string])[] = [
  [0x00, 0, 0, 'STOP'],
  [0x01, 2, 1, 'ADD MUL SUB DIV SDIV MOD SMOD'],
  [0x08, 3, 1, 'ADDMOD MULMOD'],
  [0x0a, 2, 1, 'EXP SIGNEXTEND'],
  [0x10, 2, 1, 'LT GT SLT SGT EQ'],
  [0x15, 1, 1, 'ISZERO'],
  [0x16, 2, 1, 'AND OR XOR'],
  [0x19, 1, 1, 'NOT'],
  [0x1a, 2, 1, 'BYTE SHL SHR SAR'],
  [0x1e, 1, 1, 'CLZ'], // EIP-7939
  [0x20, 2, 1, 'KECCAK256'],
  [0x30, 0, 1, 'ADDRESS'],
  [0x31, 1, 1, 'BALANCE'],
  [0x32, 0, 1, 'ORIGIN CALLER CALLVALUE'],
  [0x35, 1, 1, 'CALLDATALOAD'],
  [0x36, 0, 1, 'CALLDATASIZE'],
  [0x37, 3, 0, 'CALLDATACOPY'],
  [0x38, 0, 1, 'CODESIZE'],
  [0x39, 3, 0, 'CODECOPY'],
  [0x3a, 0, 1, 'GASPRICE'],
  [0x3b, 1, 1, 'EXTCODESIZE'],
  [0x3c, 4, 0, 'EXTCODECOPY'],
  [0x3d, 0, 1, 'RETURNDATASIZE'],
  [0x3e, 3, 0, 'RETURNDATACOPY'],
  [0x3f, 1, 1, 'EXTCODEHASH BLOCKHASH'],
  [0x41, 0, 1, 'COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE'],
  [0x49, 1, 1, 'BLOBHASH'], // EIP-4844
  [0x4a, 0, 1, 'BLOBBASEFEE'], // EIP-7516
  [0x50, 1, 0, 'POP'],
  [0x51, 1, 1, 'MLOAD'],
  [0x52, 2, 0, 'MSTORE MSTORE8'],
  [0x54, 1, 1, 'SLOAD'],
  [0x55, 2, 0, 'SSTORE'],
  [0x56, 1, 0, 'JUMP'],
  [0x57, 2, 0, 'JUMPI'],
  [0x58, 0, 1, 'PC MSIZE GAS'],
  [0x5b, 0, 0, 'JUMPDEST'],
  [0x5c, 1, 1, 'TLOAD'], // EIP-1153
  [0x5d, 2, 0, 'TSTORE'],
  [0x5e, 3, 0, 'MCOPY'], // EIP-5656
  [0xa0, 2, 0, 'LOG0'],
  [0xa1, 3, 0, 'LOG1'],
  [0xa2, 4, 0, 'LOG2'],
  [0xa3, 5, 0, 'LOG3'],
  [0xa4, 6, 0, 'LOG4'],
  [0xf0, 3, 1, 'CREATE'],
  [0xf1, 7, 1, 'CALL CALLCODE'],
  [0xf3, 2, 0, 'RETURN'],
  [0xf4, 6, 1, 'DELEGATECALL'],
  [0xf5, 4, 1, 'CREATE2'],
  [0xfa, 6, 1, 'STATICCALL'],
  [0xfd, 2, 0, 'REVERT'],
  [0xfe, 0, 0, 'INVALID'],
  [0xff, 1, 0, 'SELFDESTRUCT'],
]

function buildTable(): readonly (Opcode | undefined)[] {
  const table: (Opcode | undefined)[] = new Array(256).fill(undefined)
  for (const [first, pops, pushes, names] of GROUPS) {
    names.split(' ').forEach((name, index) => {
      table[first + index] = { name, pops, pushes, immediate: 0 }
    })
  }
  for (let size = 0; size <= 32; size += 1) {
    table[0x5f + size] = { name: `PUSH${size}`, pops: 0, pushes: 1, immediate: size }
  }
  for (let n = 1; n <= 16; n += 1) {
    table[0x7f + n] = { name: `DUP${n}`, pops: n, pushes: n + 1, immediate: 0 }
    table[0x8f + n] = { name: `SWAP${n}`, pops: n + 1, pushes: n + 1, immediate: 0 }
  }
  return table
}

/** All 256 opcodes; `undefined` where the byte means nothing and execution halts. */
export const opcodes: readonly (Opcode | undefined)[] = buildTable()

export const OP = {
  STOP: 0x00,
  KECCAK256: 0x20,
  SLOAD: 0x54,
  JUMP: 0x56,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  PUSH0: 0x5f,
  PUSH20: 0x73,
  PUSH32: 0x7f,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const
