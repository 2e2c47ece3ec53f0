import fc from 'fast-check'
import type { Address } from '../../../src/hex.js'
import { opcodeByName } from '../../../src/instructions/opcodes.js'

/** A generated world: code for each of these accounts. The first is called. */
export const CONTRACTS: readonly Address[] = [
  '0x00000000000000000000000000000000000c0de1',
  '0x00000000000000000000000000000000000c0de2',
  '0x00000000000000000000000000000000000c0de3',
]
const EMPTY_ACCOUNT = 0xdead
export const CALLER: Address = '0x5e4de90000000000000000000000000000005e4d'

/**
 * A piece of a program. Whatever it takes from the stack that is not there is pushed first, so that
 * most programs run to their end.
 */
type Piece =
  | { kind: 'push'; value: bigint }
  | { kind: 'op'; name: string }
  | { kind: 'memory'; name: string; offsets: number[] }
  | { kind: 'storage'; name: string; key: number }
  | { kind: 'mapping'; slot: number; key: number; isChecked: boolean }
  | { kind: 'require' }
  | { kind: 'branch'; body: Piece[] }
  | { kind: 'loop'; times: number; body: Piece[] }
  | { kind: 'call'; name: string; target: number; value: number; gas: number; input: number; output: number }
  | { kind: 'create'; name: string; value: number; deploys: number }
  | { kind: 'end'; name: string }

export type Program = Piece[]

const EDGES = [
  0n,
  1n,
  2n,
  31n,
  32n,
  255n,
  256n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 64n - 1n,
  2n ** 128n,
]
const HIGH_EDGES = [2n ** 160n - 1n, 2n ** 255n - 1n, 2n ** 255n, 2n ** 256n - 2n, 2n ** 256n - 1n]

const value = fc.oneof(
  fc.constantFrom(...EDGES, ...HIGH_EDGES),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.bigInt({ min: 0n, max: 1_000n }),
)

const PLAIN =
  `ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ
  ADDRESS ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CODESIZE GASPRICE RETURNDATASIZE COINBASE TIMESTAMP NUMBER PREVRANDAO
  GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE PC MSIZE GAS POP BALANCE EXTCODESIZE EXTCODEHASH
  DUP1 DUP2 DUP5 DUP16 SWAP1 SWAP3 SWAP16`.split(/\s+/)

const offset = fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constantFrom(0, 31, 32, 33, 64, 1_000, 70_000))
const small = fc.integer({ min: 0, max: 3 })
const target = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map((index) => 0xc0de1 + index),
  fc.integer({ min: 0, max: 18 }),
  fc.constantFrom(EMPTY_ACCOUNT, 0x100),
)

const memory = (name: string, count: number) =>
  fc.array(offset, { minLength: count, maxLength: count }).map((offsets): Piece => ({ kind: 'memory', name, offsets }))

const simple: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 8, arbitrary: value.map((pushed): Piece => ({ kind: 'push', value: pushed })) },
  { weight: 16, arbitrary: fc.constantFrom(...PLAIN).map((name): Piece => ({ kind: 'op', name })) },
  { weight: 3, arbitrary: memory('MSTORE', 1) },
  { weight: 2, arbitrary: memory('MLOAD', 1) },
  { weight: 1, arbitrary: memory('MSTORE8', 1) },
  { weight: 2, arbitrary: memory('KECCAK256', 2) },
  {
    weight: 1,
    arbitrary: fc.oneof(...['CALLDATACOPY', 'CODECOPY', 'RETURNDATACOPY', 'MCOPY'].map((name) => memory(name, 3))),
  },
  { weight: 1, arbitrary: fc.oneof(...['LOG0', 'LOG1', 'LOG2', 'LOG3', 'LOG4'].map((name) => memory(name, 2))) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('storage' as const),
      name: fc.constantFrom('SLOAD', 'SSTORE', 'SSTORE', 'TLOAD', 'TSTORE'),
      key: small,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('mapping' as const), slot: small, key: small, isChecked: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant<Piece>({ kind: 'require' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('CALL', 'CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'),
      target,
      value: fc.constantFrom(0, 0, 0, 1, 7),
      gas: fc.constantFrom(0, 100, 2_300, 30_000, 200_000, 2 ** 40),
      input: fc.constantFrom(0, 4, 36, 64, 128, 192, 213, 384),
      output: fc.constantFrom(0, 32, 64),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      name: fc.constantFrom('CREATE', 'CREATE2'),
      value: fc.constantFrom(0, 1),
      deploys: fc.nat(4),
    }),
  },
)

const nested: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ kind: fc.constant('branch' as const), body: fc.array(simple, { minLength: 1, maxLength: 8 }) }),
  fc.record({
    kind: fc.constant('loop' as const),
    times: fc.integer({ min: 1, max: 4 }),
    body: fc.array(simple, { minLength: 1, maxLength: 6 }),
  }),
)

const end: fc.Arbitrary<Piece> = fc
  .constantFrom('RETURN', 'RETURN', 'RETURN', 'RETURN', 'REVERT', 'STOP', 'INVALID', 'SELFDESTRUCT')
  .map((name) => ({ kind: 'end', name }))

export const program: fc.Arbitrary<Program> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 8, arbitrary: simple }, { weight: 1, arbitrary: nested }), {
      minLength: 1,
      maxLength: 30,
    }),
    end,
  )
  .map(([pieces, last]) => [...pieces, last])

/** The world of one case: a program for each contract, and the calldata of the outermost call. */
export interface World {
  programs: Program[]
  calldata: Uint8Array
  gas: number
}

export const world: fc.Arbitrary<World> = fc.record({
  programs: fc.array(program, { minLength: CONTRACTS.length, maxLength: CONTRACTS.length }),
  calldata: fc.uint8Array({ maxLength: 100 }),
  gas: fc.constantFrom(60_000, 300_000, 1_000_000, 1_000_000, 1_000_000),
})

/**
 * Init code by number: deploys nothing, one byte, a small contract, a forbidden first byte, or
 * reverts.
 */
const INIT_CODES = ['00', '60fe5f5360015ff3', '6960015f5260205ff300005f52600a6016f3', '60ef5f5360015ff3', '60205ffd']

export function assemble(pieces: Program): Uint8Array {
  const bytes: number[] = []
  let height = 0
  const emit = (name: string, data: number[] = []) => bytes.push(opcodeByName(name), ...data)
  const push = (pushed: bigint) => {
    const digits = pushed.toString(16)
    const data = pushed === 0n ? [] : [...Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')]
    emit(`PUSH${data.length}`, data)
    height += 1
  }
  const need = (count: number) => {
    while (height < count) push(BigInt(height + 1))
  }
  const apply = (name: string, pops: number, pushes: number) => {
    emit(name)
    height += pushes - pops
  }
  const write = (piece: Piece): void => {
    switch (piece.kind) {
      case 'push':
        if (height < 900) push(piece.value)
        return
      case 'op': {
        const { pops, pushes } = effectOf(piece.name)
        need(pops)
        if (height < 900) apply(piece.name, pops, pushes)
        return
      }
      case 'memory': {
        const { pops, pushes } = effectOf(piece.name)
        need(pops - piece.offsets.length)
        for (const at of [...piece.offsets].reverse()) push(BigInt(at))
        apply(piece.name, pops, pushes)
        return
      }
      case 'storage': {
        const { pops, pushes } = effectOf(piece.name)
        need(pops - 1)
        push(BigInt(piece.key))
        apply(piece.name, pops, pushes)
        return
      }
      case 'mapping': {
        // mapping[key] += top of the stack, with Solidity's overflow check
        need(1)
        for (const [at, word] of [
          [0, piece.key],
          [32, piece.slot],
        ] as const) {
          push(BigInt(word))
          push(BigInt(at))
          apply('MSTORE', 2, 0)
        }
        push(64n)
        push(0n)
        apply('KECCAK256', 2, 1)
        emit('DUP1')
        emit('SLOAD')
        emit('DUP3')
        emit('ADD')
        height += 1
        if (piece.isChecked) {
          emit('DUP1')
          emit('DUP4')
          emit('GT')
          emit('ISZERO')
          guard()
        }
        emit('SWAP1')
        emit('SSTORE')
        height -= 2
        return
      }
      case 'require':
        need(1)
        emit('DUP1')
        guard()
        return
      case 'branch': {
        need(1)
        const before = height
        const at = jumpTarget()
        emit('JUMPI')
        height -= 1
        inBody(piece.body, before - 1)
        land(at)
        return
      }
      case 'loop': {
        push(BigInt(piece.times))
        const floor = height
        const start = bytes.length
        emit('JUMPDEST')
        inBody(piece.body, floor)
        push(1n)
        emit('SWAP1')
        emit('SUB')
        height -= 1
        emit('DUP1')
        emit('PUSH2', [start >> 8, start & 0xff])
        emit('JUMPI')
        emit('POP')
        height -= 1
        return
      }
      case 'call': {
        const takesValue = piece.name === 'CALL' || piece.name === 'CALLCODE'
        for (const word of [piece.output, 0, piece.input, 0]) push(BigInt(word))
        if (takesValue) push(BigInt(piece.value))
        push(BigInt(piece.target))
        push(BigInt(piece.gas))
        const pops = takesValue ? 7 : 6
        apply(piece.name, pops, 1)
        return
      }
      case 'create': {
        const code = Buffer.from(INIT_CODES[piece.deploys] ?? '00', 'hex')
        push(BigInt(`0x${code.toString('hex')}`))
        push(0n)
        apply('MSTORE', 2, 0)
        if (piece.name === 'CREATE2') push(BigInt(piece.deploys))
        push(BigInt(code.length))
        push(BigInt(32 - code.length))
        push(BigInt(piece.value))
        apply(piece.name, piece.name === 'CREATE2' ? 4 : 3, 1)
        return
      }
      case 'end':
        finish(piece.name)
    }
  }
  /** Reverts unless the top of the stack is true; takes it. */
  const guard = () => {
    const at = jumpTarget()
    emit('JUMPI')
    for (const name of ['PUSH0', 'PUSH0', 'REVERT']) emit(name)
    land(at)
  }
  /** Pushes a place that `land` will fill in. */
  const jumpTarget = () => {
    emit('PUSH2', [0, 0])
    return bytes.length - 2
  }
  const land = (at: number) => {
    bytes[at] = bytes.length >> 8
    bytes[at + 1] = bytes.length & 0xff
    emit('JUMPDEST')
  }
  /** The body leaves the stack as high as it was, and does not reach below. */
  const inBody = (body: Piece[], floor: number) => {
    const outer = height
    height = 0
    for (const piece of body) write(piece)
    while (height > 0) {
      emit('POP')
      height -= 1
    }
    height = floor >= 0 ? outer : 0
  }
  const finish = (name: string) => {
    if (name === 'SELFDESTRUCT') {
      push(BigInt(EMPTY_ACCOUNT))
      emit(name)
      return
    }
    // Everything left on the stack goes into the answer.
    const shown = Math.min(height, 12)
    for (let index = 0; index < shown; index += 1) {
      push(BigInt(0x200 + index * 32))
      apply('MSTORE', 2, 0)
    }
    push(BigInt(0x400))
    push(0n)
    emit(name)
  }
  for (const piece of pieces) write(piece)
  return Uint8Array.from(bytes)
}

function effectOf(name: string): { pops: number; pushes: number } {
  const known = EFFECTS.get(name)
  if (known === undefined) throw new RangeError(`no opcode is called ${name}`)
  return known
}

import { opcodes } from '../../../src/instructions/opcodes.js'

const EFFECTS = new Map(opcodes.map(({ name, pops, pushes }) => [name, { pops, pushes }]))
