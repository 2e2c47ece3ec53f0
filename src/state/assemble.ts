import type { Hex } from '../hex.js'

/**
 * Writes EVM code from words: opcode names, `0x…` for the shortest PUSH of that value, `name:` for
 * a jump destination `@name` to push its place, `#…` for bytes as they are, and `;` for a comment.
 * For the few small programs that this project runs on a node; they use nothing newer than Shanghai
 * (PUSH0).
 */
export function assemble(source: string): Hex {
  const words = source
    .replaceAll(/;.*/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const places = new Map<string, number>()
  let size = 0
  const codes = words.map((word) => {
    if (word.endsWith(':')) places.set(word.slice(0, -1), size)
    const code = encode(word)
    size += code.length / 2
    return code
  })
  const placed = words.map((word, i) => (word.startsWith('@') ? pushPlace(places.get(word.slice(1))) : codes[i]))
  return `0x${placed.join('')}`
}

function encode(word: string): string {
  if (word.endsWith(':')) return OPCODES.JUMPDEST
  if (word.startsWith('#')) return word.slice(1)
  // Its place is not known yet, its size is.
  if (word.startsWith('@')) return pushPlace(0)
  if (word.startsWith('0x')) return push(word.slice(2))
  const opcode = OPCODES[word as keyof typeof OPCODES]
  if (opcode === undefined) throw new RangeError(`no such opcode: ${word}`)
  return opcode
}

function pushPlace(place = 0): string {
  return `61${place.toString(16).padStart(4, '0')}`
}

function push(digits: string): string {
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  if (/^0+$/.test(even)) return OPCODES.PUSH0
  return (0x5f + even.length / 2).toString(16) + even
}

const OPCODES = {
  ADD: '01',
  MUL: '02',
  SUB: '03',
  LT: '10',
  EQ: '14',
  ISZERO: '15',
  AND: '16',
  OR: '17',
  XOR: '18',
  SHR: '1c',
  KECCAK256: '20',
  ADDRESS: '30',
  BALANCE: '31',
  ORIGIN: '32',
  CALLER: '33',
  CALLDATALOAD: '35',
  CALLDATASIZE: '36',
  CALLDATACOPY: '37',
  CODECOPY: '39',
  EXTCODESIZE: '3b',
  EXTCODECOPY: '3c',
  RETURNDATASIZE: '3d',
  EXTCODEHASH: '3f',
  BLOCKHASH: '40',
  TIMESTAMP: '42',
  NUMBER: '43',
  CHAINID: '46',
  STOP: '00',
  POP: '50',
  MLOAD: '51',
  MSTORE: '52',
  SLOAD: '54',
  SSTORE: '55',
  JUMP: '56',
  JUMPI: '57',
  GAS: '5a',
  JUMPDEST: '5b',
  PUSH0: '5f',
  DUP1: '80',
  DUP2: '81',
  DUP3: '82',
  DUP4: '83',
  DUP5: '84',
  DUP6: '85',
  DUP7: '86',
  SWAP1: '90',
  SWAP2: '91',
  SWAP3: '92',
  CALL: 'f1',
  RETURN: 'f3',
  DELEGATECALL: 'f4',
  STATICCALL: 'fa',
  REVERT: 'fd',
} as const
