import type { Hardfork } from '../chains/chain.js'

/**
 * What an opcode takes from the stack, puts there, and costs before anything depends on its
 * operands.
 */
export interface Opcode {
  code: number
  name: string
  pops: number
  pushes: number
  gas: number
  /** Bytes that follow it as its operand: push data, or the places of DUPN, SWAPN and EXCHANGE. */
  immediate: number
  /** The rules that brought it. */
  since: Hardfork
}

/** When an instruction appeared; those not listed have always been there. */
const INTRODUCED: Record<string, Hardfork> = {
  DELEGATECALL: 'homestead', // EIP-7
  REVERT: 'byzantium', // EIP-140
  RETURNDATASIZE: 'byzantium', // EIP-211
  RETURNDATACOPY: 'byzantium',
  STATICCALL: 'byzantium', // EIP-214
  SHL: 'constantinople', // EIP-145
  SHR: 'constantinople',
  SAR: 'constantinople',
  CREATE2: 'constantinople', // EIP-1014
  EXTCODEHASH: 'constantinople', // EIP-1052
  CHAINID: 'istanbul', // EIP-1344
  SELFBALANCE: 'istanbul', // EIP-1884
  BASEFEE: 'london', // EIP-3198
  PUSH0: 'shanghai', // EIP-3855
  TLOAD: 'cancun', // EIP-1153
  TSTORE: 'cancun',
  MCOPY: 'cancun', // EIP-5656
  BLOBHASH: 'cancun', // EIP-4844
  BLOBBASEFEE: 'cancun', // EIP-7516
  CLZ: 'osaka', // EIP-7939
  SLOTNUM: 'amsterdam', // EIP-7843
  DUPN: 'amsterdam', // EIP-8024
  SWAPN: 'amsterdam',
  EXCHANGE: 'amsterdam',
}

/** An opcode without what follows from its name. */
type Row = Omit<Opcode, 'immediate' | 'since'>

/**
 * The instruction set as of the newest rules, Yellow Paper appendix H and the EIPs named above.
 * Where the price depends on warmth (EIP-2929), `gas` is the warm price. DUPN, SWAPN and EXCHANGE
 * stand with the least that they can reach.
 */
const rows: readonly Row[] = [
  ...parse(`
    00 STOP 0 0 0        01 ADD 2 1 3         02 MUL 2 1 5         03 SUB 2 1 3         04 DIV 2 1 5
    05 SDIV 2 1 5        06 MOD 2 1 5         07 SMOD 2 1 5        08 ADDMOD 3 1 8      09 MULMOD 3 1 8
    0a EXP 2 1 10        0b SIGNEXTEND 2 1 5  10 LT 2 1 3          11 GT 2 1 3          12 SLT 2 1 3
    13 SGT 2 1 3         14 EQ 2 1 3          15 ISZERO 1 1 3      16 AND 2 1 3         17 OR 2 1 3
    18 XOR 2 1 3         19 NOT 1 1 3         1a BYTE 2 1 3        1b SHL 2 1 3         1c SHR 2 1 3
    1d SAR 2 1 3         1e CLZ 1 1 5         20 KECCAK256 2 1 30  30 ADDRESS 0 1 2     31 BALANCE 1 1 100
    32 ORIGIN 0 1 2      33 CALLER 0 1 2      34 CALLVALUE 0 1 2   35 CALLDATALOAD 1 1 3
    36 CALLDATASIZE 0 1 2                     37 CALLDATACOPY 3 0 3                     38 CODESIZE 0 1 2
    39 CODECOPY 3 0 3    3a GASPRICE 0 1 2    3b EXTCODESIZE 1 1 100                    3c EXTCODECOPY 4 0 100
    3d RETURNDATASIZE 0 1 2                   3e RETURNDATACOPY 3 0 3                   3f EXTCODEHASH 1 1 100
    40 BLOCKHASH 1 1 20  41 COINBASE 0 1 2    42 TIMESTAMP 0 1 2   43 NUMBER 0 1 2      44 PREVRANDAO 0 1 2
    45 GASLIMIT 0 1 2    46 CHAINID 0 1 2     47 SELFBALANCE 0 1 5 48 BASEFEE 0 1 2     49 BLOBHASH 1 1 3
    4a BLOBBASEFEE 0 1 2 4b SLOTNUM 0 1 2     50 POP 1 0 2         51 MLOAD 1 1 3       52 MSTORE 2 0 3      53 MSTORE8 2 0 3
    54 SLOAD 1 1 100     55 SSTORE 2 0 0      56 JUMP 1 0 8        57 JUMPI 2 0 10      58 PC 0 1 2
    59 MSIZE 0 1 2       5a GAS 0 1 2         5b JUMPDEST 0 0 1    5c TLOAD 1 1 100     5d TSTORE 2 0 100
    5e MCOPY 3 0 3       5f PUSH0 0 1 2       f0 CREATE 3 1 32000  f1 CALL 7 1 100      f2 CALLCODE 7 1 100
    f3 RETURN 2 0 0      f4 DELEGATECALL 6 1 100                   f5 CREATE2 4 1 32000 fa STATICCALL 6 1 100
    fd REVERT 2 0 0      fe INVALID 0 0 0     ff SELFDESTRUCT 1 0 5000
    e6 DUPN 17 18 3      e7 SWAPN 18 18 3     e8 EXCHANGE 3 3 3`),
  ...range(32, (index) => ({ code: 0x60 + index, name: `PUSH${index + 1}`, pops: 0, pushes: 1, gas: 3 })),
  ...range(16, (index) => ({
    code: 0x80 + index,
    name: `DUP${index + 1}`,
    pops: index + 1,
    pushes: index + 2,
    gas: 3,
  })),
  ...range(16, (index) => ({
    code: 0x90 + index,
    name: `SWAP${index + 1}`,
    pops: index + 2,
    pushes: index + 2,
    gas: 3,
  })),
  ...range(5, (index) => ({
    code: 0xa0 + index,
    name: `LOG${index}`,
    pops: index + 2,
    pushes: 0,
    gas: 375 * (index + 1),
  })),
]

/** All that have a meaning, in no order. What every engine here knows of the instructions. */
export const opcodes: readonly Opcode[] = rows.map((row) => ({
  ...row,
  immediate: immediateBytes(row.name),
  since: INTRODUCED[row.name] ?? 'frontier',
}))

/** The same by byte; `undefined` where it means nothing and execution halts. */
export const opcodeTable: readonly (Opcode | undefined)[] = Array.from({ length: 256 }, (_, code) =>
  opcodes.find((each) => each.code === code),
)

function immediateBytes(name: string): number {
  if (name.startsWith('PUSH')) return Number(name.slice(4))
  return name === 'DUPN' || name === 'SWAPN' || name === 'EXCHANGE' ? 1 : 0
}

const names = new Map(opcodes.map(({ code, name }) => [code, name]))
const codes = new Map(opcodes.map(({ code, name }) => [name, code]))

/** The opcode's name, or `undefined` for a byte that no rule set gives a meaning. */
export function opcodeName(code: number): string | undefined {
  return names.get(code)
}

/** The byte of an opcode by its name. Throws on a name that does not exist. */
export function opcodeByName(name: string): number {
  const code = codes.get(name)
  if (code === undefined) throw new RangeError(`no opcode is called ${name}`)
  return code
}

/** Bytes that code about code asks for. */
export const OP = {
  STOP: opcodeByName('STOP'),
  JUMPDEST: opcodeByName('JUMPDEST'),
  PUSH0: opcodeByName('PUSH0'),
  PUSH20: opcodeByName('PUSH20'),
  PUSH32: opcodeByName('PUSH32'),
}

function parse(table: string): Row[] {
  const fields = table.trim().split(/\s+/)
  return range(fields.length / 5, (row) => {
    const [code = '', name = '', pops, pushes, gas] = fields.slice(row * 5, row * 5 + 5)
    return { code: Number.parseInt(code, 16), name, pops: Number(pops), pushes: Number(pushes), gas: Number(gas) }
  })
}

function range<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}
