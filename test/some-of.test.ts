import { expect, test } from 'vitest'
import { rowsOfTurn } from './some-of.js'

const rows = Array.from({ length: 97 }, (_, i) => i)

test.each([1, 2, 4, 7, 97, 200])('where one row in %d has its turn, each has it once in as many days', (of) => {
  const days = Array.from({ length: Math.min(of, rows.length) }, (_, day) => rowsOfTurn(rows, of, 20_000 + day))
  expect(days.flat().toSorted((a, b) => a - b)).toEqual(rows)
  expect(Math.min(...days.map(({ length }) => length))).toBeGreaterThan(0)
})

test('where two kinds of rows alternate, both have a turn each day', () => {
  expect(new Set(rowsOfTurn(rows, 4, 20_000).map((row) => row % 2))).toEqual(new Set([0, 1]))
})
