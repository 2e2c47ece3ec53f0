import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEvm } from '../evm/create-evm.js'
import { ADDRESS_MASK, type Address, EMPTY_CODE_HASH, WORD_MASK, ZERO_ADDRESS } from '../hex.js'
import { foldTerm } from './fold.js'
import { argumentSource } from './source.js'
import { createTermStore } from './terms.js'

const BINARY: Record<string, number> = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
}
const TARGET: Address = '0x00000000000000000000000000000000deadc0de'
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const evm = createEvm({
  // One copy for all properties, on a machine that others use too.
  limits: { wallClockMs: 60_000 },
  state: {
    account: () => ({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH }),
    code: () => new Uint8Array(),
    storage: () => 0n,
    blockHash: () => '0x00',
  },
  block: {
    chainId: 1,
    number: 1n,
    timestamp: 1n,
    coinbase: ZERO_ADDRESS,
    gasLimit: 30_000_000n,
    baseFeePerGas: 0n,
    blobBaseFee: 1n,
    prevRandao: '0x00',
  },
  hardfork: 'cancun',
})

/** What the EVM answers for `a op b`. */
function runOnEvm(opcode: number, a: bigint, b: bigint): bigint {
  const code = `7f${word(b)}7f${word(a)}${opcode.toString(16).padStart(2, '0')}5f5260205ff3`
  evm.setCode(TARGET, new Uint8Array(Buffer.from(code, 'hex')))
  return BigInt(evm.read({ to: TARGET, data: '0x' }).output)
}

const interesting = fc.oneof(
  fc.bigInt({ min: 0n, max: WORD_MASK }),
  fc.constantFrom(0n, 1n, 2n, 31n, 32n, 160n, 255n, 256n, 1n << 255n, WORD_MASK, ADDRESS_MASK, 1n << 160n),
)

test.each(Object.entries(BINARY))('%s of constants is what the EVM makes of it', (op, opcode) => {
  const store = createTermStore()
  fc.assert(
    fc.property(interesting, interesting, (a, b) => {
      const term = foldTerm(store, op, [store.constant(a), store.constant(b)])
      expect(term.op).toBe('const')
      expect(term.value).toBe(runOnEvm(opcode, a, b))
    }),
    { numRuns: 60 },
  )
})

test('what is put beside a selector falls off when it is read', () => {
  const store = createTermStore()
  const rest = foldTerm(store, 'AND', [store.unknown(store.noTaint), store.constant((1n << 224n) - 1n)])
  const word = foldTerm(store, 'OR', [rest, store.constant(0x88a7ca5cn << 224n)])
  expect(foldTerm(store, 'SHR', [store.constant(224n), word]).value).toBe(0x88a7ca5cn)
  expect(foldTerm(store, 'SHR', [store.constant(200n), word]).op).toBe('SHR')
})

test('a simplified term has the value of the plain one, whatever the unknown is', () => {
  const names = Object.keys(BINARY)
  fc.assert(
    fc.property(
      interesting,
      fc.array(fc.tuple(fc.constantFrom(...names), interesting, fc.boolean()), { maxLength: 5 }),
      (unknown, steps) => {
        const store = createTermStore()
        const x = store.makeTainted('calldata', [], 4n, 256, store.taint(argumentSource(4)))
        let term = x
        let value = unknown
        for (const [op, constant, first] of steps) {
          const c = store.constant(constant)
          term = foldTerm(store, op, first ? [c, term] : [term, c])
          const [a, b] = first ? [constant, value] : [value, constant]
          value = runOnEvm(BINARY[op] ?? 0, a, b)
        }
        // The address cut is kept by name only; everything else can be computed again.
        const evaluate = (t: typeof term): bigint => {
          if (t.op === 'const') return t.value
          if (t.op === 'calldata') return t.width === 256 ? unknown : unknown & ((1n << BigInt(t.width)) - 1n)
          const args = t.args.map(evaluate)
          const [a = 0n, b = 0n] = args
          return t.op === 'ISZERO' ? (a === 0n ? 1n : 0n) : runOnEvm(BINARY[t.op] ?? 0, a, b)
        }
        expect(evaluate(term)).toBe(value)
      },
    ),
    { numRuns: 300 },
  )
})
