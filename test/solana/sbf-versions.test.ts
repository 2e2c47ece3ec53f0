import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { viewOf } from '../../src/solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { readonly } from '../../src/solana/instruction.js'
import { compileTransaction } from '../../src/solana/message.js'
import { SYSTEM_PROGRAM } from '../../src/solana/programs.js'
import { followProgram } from '../../src/solana/sbf/follow-program.js'
import { serialiseCall } from '../../src/solana/sbf/program-input.js'
import { readElf } from '../../src/solana/sbf/read-elf.js'
import { loadLiteSvm } from '../../src/solana/svm/load-litesvm.js'
import { assemble, type Slot } from './sbf-assembler.js'

/**
 * Versions 0 to 3 of the format: what the follower makes of a program is what the virtual machine
 * makes of it, on programs that are drawn at random, each of all instructions that its version has.
 */
const native = loadLiteSvm()
const clock = { slot: 1n, epochStart: 0n, epoch: 0n, leaderEpoch: 0n, unixTime: 1_700_000_000n }
const VERSIONS = [0, 1, 2, 3]
const PROGRAMS = 60
const LENGTH = 40
const FAILED = -1

/** One for all: to make one takes longer than to run a program. */
const svm = new native.LiteSvm()
svm.setSigverify(false)
svm.setBlockhashCheck(false)

/** What the virtual machine says of a program that gives back a number. */
function execute(elf: Uint8Array, data: Uint8Array): number {
  const [program, payer] = [addressAt(randomBytes(32)), addressAt(randomBytes(32))]
  svm.addProgram(addressBytes(program), elf)
  const coins = new native.Account(10n ** 10n, new Uint8Array(), addressBytes(SYSTEM_PROGRAM), false, 0n)
  svm.setAccount(addressBytes(payer), coins)
  const { bytes } = compileTransaction(payer, [{ program, accounts: [], data }])
  const outcome = svm.simulateLegacyTransaction(bytes)
  if (!(outcome instanceof native.FailedTransactionMetadata)) return 0
  const error = outcome.err()
  if (!(error instanceof native.TransactionErrorInstructionError)) return FAILED
  const inner = error.err()
  return inner instanceof native.InstructionErrorCustom ? inner.code : FAILED
}

function follow(elf: Uint8Array, data: Uint8Array) {
  const input = serialiseCall({ program: SYSTEM_PROGRAM, accounts: [], data, clock })
  const followed = followProgram(readElf(elf), input)
  return { ...followed, code: followed.result === undefined ? FAILED : Number(followed.result) }
}

/** Numbers that look random, the same in each run. */
function createDraw(seed: string) {
  let turn = 0
  return (below: number): number => {
    turn += 1
    return createHash('sha256').update(`${seed} ${turn}`).digest().readUInt32LE(0) % below
  }
}

const ALU = ['add', 'sub', 'mul', 'div', 'or', 'and', 'lsh', 'rsh', 'neg', 'mod', 'xor', 'mov', 'arsh'] as const
/** By the high half of the code; version 2 has other forms of some. */
const GONE_IN_2 = new Set([2, 3, 8, 9])
const REGISTER = 8
const EXIT: Slot = { code: 0x95 }
const load = (version: number): Record<1 | 2 | 4 | 8, number> =>
  version === 2 ? { 1: 0x2c, 2: 0x3c, 4: 0x8c, 8: 0x9c } : { 1: 0x71, 2: 0x69, 4: 0x61, 8: 0x79 }
const store = (version: number): Record<1 | 2 | 4 | 8, number> =>
  version === 2 ? { 1: 0x2f, 2: 0x3f, 4: 0x8f, 8: 0x9f } : { 1: 0x73, 2: 0x6b, 4: 0x63, 8: 0x7b }
const SIZES = [1, 2, 4, 8] as const
const INSTRUCTION_AT = 16
const PROGRAM_BYTES = 36
/** Of the instruction's data, behind the count and the account of a program. */
const KEY_AT = 8 + 88 + PROGRAM_BYTES + 4 + 10_240 + 8 + 8

/** Reads nine registers from the instruction, does things to them, and tells them all in one. */
function draw(version: number, seed: string): Slot[] {
  const next = createDraw(seed)
  const slots: Slot[] = Array.from({ length: 9 }, (_, i) => ({
    code: load(version)[8],
    to: (i + 2) % 10,
    from: 1,
    offset: INSTRUCTION_AT + 8 * i,
  }))
  const registers = [0, 2, 3, 4, 5, 6, 7, 8, 9]
  for (let i = 0; i < LENGTH; i += 1) {
    const [to, from] = [registers[next(9)] ?? 0, registers[next(9)] ?? 0]
    const isWide = next(2) === 0
    const byRegister = next(2) === 0
    const immediate = next(2) === 0 ? next(2 ** 31) - 2 ** 30 : next(31) + 1
    const kind = next(8)
    const place = -8 * (next(8) + 1)
    if (kind === 0) {
      const size = SIZES[next(4)] ?? 8
      slots.push({ code: store(version)[size], to: 10, from, offset: place })
      slots.push({ code: load(version)[size], to, from: 10, offset: place })
    } else if (kind === 1) {
      // A jump over one instruction; since version 3 also of 32 bits.
      const high = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13][next(11)] ?? 1
      const jumpClass = version === 3 && next(2) === 0 ? 6 : 5
      slots.push({
        code: (high << 4) | (byRegister ? REGISTER : 0) | jumpClass,
        to,
        from: byRegister ? from : 0,
        offset: 1,
        immediate: byRegister ? 0 : immediate,
      })
      slots.push({ code: 0x07, to, immediate: next(1_000) })
    } else if (kind === 2 && version === 2) {
      const high = [3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15][next(12)] ?? 3
      slots.push({ code: 0x47, to: from, immediate: 1 })
      slots.push({
        code: (high << 4) | (byRegister ? REGISTER : 0) | 6,
        to,
        from: byRegister ? from : 0,
        immediate: byRegister ? 0 : immediate || 1,
      })
    } else if (kind === 3 && version === 2) {
      slots.push({ code: 0xf7, to, immediate })
    } else {
      const high = next(ALU.length)
      if (version === 2 && GONE_IN_2.has(high)) continue
      const isShift = [6, 7, 12].includes(high)
      const isDivision = [3, 9].includes(high)
      const code = (high === 12 ? 0xc0 : high << 4) | (isWide ? 7 : 4)
      if (high === 8) slots.push({ code, to })
      else if (byRegister) {
        if (isDivision) slots.push({ code: 0x47, to: from, immediate: 1 })
        slots.push({ code: code | REGISTER, to, from })
      } else
        slots.push({
          code,
          to,
          immediate: isShift ? Math.abs(immediate) % 32 : isDivision ? immediate || 1 : immediate,
        })
    }
  }
  const folded = registers.slice(1).map((from): Slot => ({ code: 0xaf, to: 0, from }))
  return [
    ...slots,
    ...folded,
    { code: 0xbf, to: 2, from: 0 },
    { code: 0x77, to: 2, immediate: 32 },
    { code: 0xaf, to: 0, from: 2 },
    { code: 0x57, to: 0, immediate: 0x7fff_ffff },
    { code: 0x47, to: 0, immediate: 1 },
    ...(version === 2
      ? []
      : [
          { code: 0x67, to: 0, immediate: 32 },
          { code: 0x77, to: 0, immediate: 32 },
        ]),
    EXIT,
  ]
}

describe.each(VERSIONS)('version %i', (version) => {
  test('programs that are drawn at random', () => {
    const outcomes = new Set<number>()
    for (let i = 0; i < PROGRAMS; i += 1) {
      const elf = assemble(version, draw(version, `${version}:${i}`))
      const data = createHash('shake256', { outputLength: 72 }).update(`${i}`).digest()
      const executed = execute(elf, data)
      const { code, lostAt } = follow(elf, data)
      expect([i, code, lostAt]).toEqual([i, executed, ''])
      outcomes.add(executed)
    }
    // They say different things, and not only that they failed.
    expect(outcomes.size).toBeGreaterThan(PROGRAMS / 2)
  })

  test('the clock is asked for, and decided by', () => {
    // Its time lies 32 bytes into what is written below the frame's end.
    const unixTime = -16
    const isSmall = version === 1 || version === 2
    const elf = assemble(version, [
      ...(isSmall ? [{ code: 0x07, to: 10, immediate: -64 }] : []),
      { code: 0xbf, to: 1, from: 10 },
      { code: 0x07, to: 1, immediate: isSmall ? 16 : -48 },
      { code: 0x85, call: 'sol_get_clock_sysvar' },
      { code: load(version)[8], to: 3, from: 10, offset: isSmall ? 48 : unixTime },
      { code: 0xb7, to: 0, immediate: 0 },
      // 2^31 seconds lie in 2038.
      { code: 0x25, to: 3, immediate: 0x7fff_ffff, offset: 1 },
      EXIT,
      { code: 0xb7, to: 0, immediate: 7 },
      EXIT,
    ])
    const { code, decisions, lostAt } = follow(elf, new Uint8Array(8))
    expect([code, lostAt, decisions.length]).toEqual([0, '', 1])
    expect(decisions[0]?.taken).toBe(false)
    expect(execute(elf, new Uint8Array(8))).toBe(0)
  })
})

/** Asks the program whose key is the instruction's data, as compilers of Rust lay it out. */
const asker: Slot[] = [
  { code: 0xbf, to: 7, from: 1 },
  { code: 0x18, to: 6 },
  { code: 0x00, immediate: 3 },
  // Lists of nothing, which have an address all the same.
  { code: 0x7b, to: 6, from: 6 },
  { code: 0x7b, to: 6, from: 6, offset: 24 },
  // The count of accounts, that of the data, and then the data: one account lies before them.
  ...[0, 8, 16, 24].flatMap((at): Slot[] => [
    { code: 0x79, to: 3, from: 7, offset: KEY_AT + at },
    { code: 0x7b, to: 6, from: 3, offset: 48 + at },
  ]),
  { code: 0xbf, to: 1, from: 6 },
  { code: 0xbf, to: 2, from: 6 },
  ...[3, 4, 5].map((to): Slot => ({ code: 0xb7, to })),
  { code: 0x85, call: 'sol_invoke_signed_rust' },
  { code: 0xb7, to: 0, immediate: 3 },
  EXIT,
]

test.each([
  ['agrees', 0, 3],
  ['refuses', 9, 9],
])('a program that asks another, which %s', (_, answer, told) => {
  const [program, asked, payer] = Array.from({ length: 3 }, () => addressAt(randomBytes(32))) as [
    SolanaAddress,
    SolanaAddress,
    SolanaAddress,
  ]
  const [elf, inner] = [assemble(0, asker), assemble(0, [{ code: 0xb7, to: 0, immediate: answer }, EXIT])]
  svm.addProgram(addressBytes(program), elf)
  svm.addProgram(addressBytes(asked), inner)
  svm.setAccount(
    addressBytes(payer),
    new native.Account(10n ** 10n, new Uint8Array(), addressBytes(SYSTEM_PROGRAM), false, 0n),
  )
  const accounts = [readonly(asked)]
  const outcome = svm.simulateLegacyTransaction(
    compileTransaction(payer, [{ program, accounts, data: addressBytes(asked) }]).bytes,
  )
  const error = outcome instanceof native.FailedTransactionMetadata ? outcome.err() : undefined
  const custom = error instanceof native.TransactionErrorInstructionError ? error.err() : undefined
  expect(custom instanceof native.InstructionErrorCustom && custom.code).toBe(told)

  const account = { lamports: 1n, owner: SYSTEM_PROGRAM, executable: true, data: new Uint8Array(PROGRAM_BYTES) }
  const input = serialiseCall({
    ...{ program, clock, data: addressBytes(asked), programs: (each) => (each === asked ? readElf(inner) : undefined) },
    accounts: [{ address: asked, account, isSigner: false, isWritable: false }],
  })
  expect(input.dataAt).toBe(KEY_AT)
  const followed = followProgram(readElf(elf), input)
  expect([followed.lostAt, followed.result]).toEqual(['', answer === 0 ? 3n : undefined])
  const without = followProgram(readElf(elf), { ...input, programs: () => undefined })
  expect(without.lostAt).toBe(`it asks ${asked}, which cannot be followed`)
})

test('version 3: functions are called, by place and by register, each with a frame of its own', () => {
  const inner = 8
  const elf = assemble(3, [
    { code: 0xb7, to: 6, immediate: 5 },
    { code: 0x7b, to: 10, from: 6, offset: -8 },
    { code: 0x85, from: 1, immediate: inner - 3 },
    // To the same place by its address.
    { code: 0x18, to: 7, immediate: inner * 8 },
    { code: 0x00, immediate: 1 },
    { code: 0x8d, to: 7 },
    { code: 0x79, to: 0, from: 10, offset: -8 },
    EXIT,
    { code: 0xb7, to: 6, immediate: 9 },
    { code: 0x7b, to: 10, from: 6, offset: -8 },
    EXIT,
  ])
  expect([execute(elf, new Uint8Array(8)), follow(elf, new Uint8Array(8)).code]).toEqual([5, 5])
})

test('version 3: data is read at nil, and the code is not', () => {
  const data = Buffer.alloc(16)
  viewOf(data).setUint32(8, 77, true)
  const read = (at: number, high: number) =>
    assemble(
      3,
      [{ code: 0x18, to: 1, immediate: at }, { code: 0x00, immediate: high }, { code: 0x61, to: 0, from: 1 }, EXIT],
      { data },
    )
  const [own, code] = [read(8, 0), read(0, 1)]
  expect([execute(own, new Uint8Array(8)), follow(own, new Uint8Array(8)).code]).toEqual([77, 77])
  expect([execute(code, new Uint8Array(8)), follow(code, new Uint8Array(8)).code]).toEqual([FAILED, FAILED])
})

test('what the runtime calls by a hash that is not known is named', () => {
  const elf = assemble(3, [{ code: 0x85, call: 'sol_curve_group_op' }, EXIT])
  expect(follow(elf, new Uint8Array(8)).lostAt).toBe('it asks the runtime for sol_curve_group_op')
})

test('a version that is not known is not read', () => {
  const elf = Buffer.from(assemble(0, [EXIT]))
  elf.writeUInt32LE(4, 48)
  expect(() => readElf(elf)).toThrow('cannot be followed')
})
