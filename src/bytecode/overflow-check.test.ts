import { expect, test } from 'vitest'
import { isOverflowCheck } from './overflow-check.js'
import { createTermStore } from './terms.js'

const { constant, make } = createTermStore()
const [whole, part] = [make('sload', [constant(5n)]), make('sload', [constant(6n)])]
const [sum, rest] = [make('ADD', [whole, part]), make('SUB', [whole, part])]
const isNegative = make('SLT', [part, constant(0n)])
const isPositive = make('ISZERO', [isNegative])
const not = (term: typeof sum) => make('ISZERO', [term])
const either = (up: typeof sum, down: typeof sum) =>
  make('OR', [make('AND', [isPositive, up]), make('AND', [isNegative, down])])

test.each([
  ['a sum', make('LT', [sum, whole])],
  ['a signed sum', either(make('SLT', [sum, whole]), not(make('SLT', [sum, whole])))],
  ['a signed sum that fits', not(either(make('SLT', [sum, whole]), not(make('SLT', [sum, whole]))))],
  ['a signed difference', either(make('SGT', [rest, whole]), make('SLT', [rest, whole]))],
  ['the same, with the sides in another order', either(make('SLT', [whole, rest]), make('SGT', [whole, rest]))],
])('%s is asked whether it fits', (_, term) => {
  expect(isOverflowCheck(term)).toBe(true)
})

test.each([
  ['the sign alone', either(isPositive, isPositive)],
  ['a sum that has grown as it should', either(make('SGT', [sum, whole]), make('SLT', [sum, whole]))],
  ['a difference that has shrunk', either(make('SLT', [rest, whole]), make('SGT', [rest, whole]))],
  ['a sum that is the same', either(not(make('SGT', [sum, whole])), not(make('SLT', [sum, whole])))],
  ['another sum', either(make('SLT', [make('ADD', [whole, constant(9n)]), whole]), make('SGT', [sum, whole]))],
  ['numbers without a sign', either(make('LT', [sum, whole]), not(make('LT', [sum, whole])))],
  ['one side', make('AND', [isPositive, make('SLT', [sum, whole])])],
])('%s is no such question', (_, term) => {
  expect(isOverflowCheck(term)).toBe(false)
})
