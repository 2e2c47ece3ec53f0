import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Leaf, operation, type Term, valueIf } from '../evm/inspectors/term.js'
import { solveLeaf } from './solve-leaf.js'

const constant = (value: bigint): Term => ({ kind: 'constant', value })
const leaf = (value: bigint): Term => ({ kind: 'environment', name: 'GAS', value })
const other: Term = { kind: 'environment', name: 'NUMBER', value: 12n }
const isGas = (each: Leaf) => each.kind === 'environment' && each.name === 'GAS'
const solve = (condition: Term, current: bigint) => solveLeaf(condition, isGas, current)
const word = fc.oneof(fc.bigInt(0n, 2n ** 256n - 1n), fc.bigInt(0n, 1_000_000n))

describe('solveLeaf', () => {
  test.each<[string, (x: Term) => Term, bigint, bigint]>([
    ['a threshold', (x) => operation('LT', [x, constant(400_000n)]), 550_000n, 399_999n],
    ['a sum', (x) => operation('GT', [operation('ADD', [x, constant(10n)]), constant(100n)]), 5n, 91n],
    ['a product', (x) => operation('GT', [operation('MUL', [x, constant(70n)]), constant(7_000n)]), 5n, 101n],
    ['a remainder', (x) => operation('ISZERO', [operation('MOD', [x, constant(50n)])]), 7n, 0n],
    ['a bit', (x) => operation('AND', [x, constant(1n << 200n)]), 0n, 1n << 200n],
    ['a magic word', (x) => operation('EQ', [x, constant(0xdeadbeefcafen)]), 3n, 0xdeadbeefcafen],
    [
      'a disguised word',
      (x) => operation('EQ', [operation('SUB', [x, other]), constant(77_777_777n)]),
      3n,
      77_777_789n,
    ],
  ])('finds the nearest other side of %s', (_, condition, current, nearest) => {
    expect(solve(condition(leaf(current)), current)[0]).toBe(nearest)
  })

  test('whatever it answers takes the other side', () => {
    const names = fc.constantFrom('LT', 'GT', 'EQ', 'SLT', 'AND', 'SUB', 'XOR', 'MOD', 'DIV')
    const inner = fc.constantFrom('ADD', 'SUB', 'MUL', 'DIV', 'MOD', 'AND', 'OR', 'XOR', 'SHR', 'SHL')
    fc.assert(
      fc.property(names, inner, word, word, word, (name, nested, current, a, b) => {
        const condition = operation(name, [operation(nested, [leaf(current), constant(a)]), constant(b)])
        for (const value of solve(condition, current)) {
          const flipped = valueIf(condition, (each) => (isGas(each) ? value : undefined))
          expect(flipped !== 0n).toBe(condition.value === 0n)
        }
      }),
    )
  })

  test('leaves the lower bits of a word as they are where the upper ones are asked for', () => {
    const packed = operation('SHR', [constant(160n), leaf(0x77n)])
    expect(solve(operation('EQ', [packed, constant(0xabcdefn)]), 0x77n)).toContain((0xabcdefn << 160n) | 0x77n)
  })

  test('leaves alone a formula that hostile code made large out of shared parts', () => {
    let large: Term = leaf(5n)
    const pairs = Array.from({ length: 600 }, (_, i) => operation('ADD', [leaf(5n), constant(BigInt(i))]))
    for (let rest = pairs; rest.length > 1; large = rest[0] as Term)
      rest = rest.flatMap((each, i) => (i % 2 ? [] : [operation('OR', [each, rest[i + 1] ?? each])]))
    expect(solve(operation('LT', [large, constant(9n)]), 5n)).toEqual([])
  })

  test('finds nothing where nothing decides, and where the formula is not what the machine computed', () => {
    expect(solve(operation('LT', [operation('AND', [leaf(5n), constant(0n)]), constant(9n)]), 5n)).toEqual([])
    const untrue = { ...operation('LT', [leaf(5n), constant(9n)]), value: 0n } as Term
    expect(solve(untrue, 5n)).toEqual([])
  })
})
