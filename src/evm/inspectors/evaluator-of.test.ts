import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluatorOf } from './evaluator-of.js'
import { hashed, type Leaf, operation, type Term, valueIf } from './term.js'

const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const leafOf = (offset: number, value: bigint): Leaf => ({ kind: 'argument', offset, value })
const NAMES = ['ADD', 'SUB', 'MUL', 'DIV', 'MOD', 'AND', 'SHR', 'LT', 'EQ', 'ISZERO', 'NOT', 'ADDMOD', 'KECCAK256']
const OPERANDS: Record<string, number> = { ISZERO: 1, NOT: 1, ADDMOD: 3 }

/** A formula of two leaves whose parts are shared: an operation takes from all that came before. */
function formulaOf(a: bigint, b: bigint, choices: readonly (readonly [number, number, number])[]): Term {
  const terms: Term[] = [leafOf(0, a), leafOf(32, b), { kind: 'constant', value: 7n }]
  const at = (index: number) => terms[index % terms.length] as Term
  for (const [name, first, second] of choices) {
    const chosen = NAMES[name % NAMES.length] as string
    const operands = [at(first), at(second), at(first + 1)]
    const words = [[0, at(first)] as const, [32, at(second)] as const]
    terms.push(
      chosen === 'KECCAK256' ? hashed(words, 64, 1n) : operation(chosen, operands.slice(0, OPERANDS[chosen] ?? 2)),
    )
  }
  return terms.at(-1) as Term
}

test('one value after the other comes to what a walk through the whole formula comes to', () => {
  const choice = fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100))
  const values = fc.array(word, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(word, word, fc.array(choice, { maxLength: 12 }), values, (a, b, choices, tried) => {
      const formula = formulaOf(a, b, choices)
      const isSupposed = (leaf: Leaf) => leaf.kind === 'argument' && leaf.offset === 0
      const valueAt = evaluatorOf(formula, isSupposed)
      for (const value of tried)
        expect(valueAt(value)).toBe(valueIf(formula, (leaf) => (isSupposed(leaf) ? value : undefined)))
    }),
  )
})

test('a formula that asks for no such leaf has one value', () => {
  const valueAt = evaluatorOf(leafOf(0, 5n), () => false)
  expect([valueAt(1n), valueAt(2n)]).toEqual([5n, 5n])
})
