import { expect, test } from 'vitest'
import type { CodeConditions } from '../../checks/bytecode/code-conditions.js'
import type { SaleConditions } from '../../checks/honeypot/condition-facts.js'
import { findInCodeConditions } from './unexplained-code.js'

const code = (fields: object): CodeConditions =>
  ({
    ordinary: 2,
    others: [
      {
        address: '0x01',
        pc: 7,
        movers: [],
        leaves: ['call'],
        asks: [],
        unexplained: 'another contract can make it fail',
        ...fields,
      },
    ],
    isTruncated: false,
  }) as unknown as CodeConditions
const sale = (others: object[], isTruncated = false) =>
  ({ ordinary: 3, others, isTruncated }) as unknown as SaleConditions
const scoresOf = (conditions: CodeConditions, of: SaleConditions | undefined) =>
  findInCodeConditions(conditions, { powers: [], conditions: of }).map(({ score }) => score)

test('what reading leaves open is Medium Risk, whatever sales met elsewhere', () => {
  expect(scoresOf(code({}), undefined)).toEqual([40])
  expect(scoresOf(code({}), sale([], true))).toEqual([40])
  expect(scoresOf(code({}), sale([{ address: '0x02', pc: 1, unexplained: 'its formula is too deep' }]))).toEqual([40])
  expect(scoresOf(code({}), sale([]))).toEqual([40])
})

const met = (fields: object) =>
  sale([{ address: '0x01', pc: 7, unexplained: undefined, leaves: ['storage'], asked: [], ...fields }])

test('a branch that a sale met without being asked who sells is open where the code asks that', () => {
  const hashed = code({
    leaves: ['seller'],
    asks: ['seller'],
    unexplained: 'it computes with the digits of an account',
  })
  expect(scoresOf(hashed, met({ leaves: ['amount'] }))).toEqual([40])
  expect(scoresOf(hashed, met({ leaves: ['seller'] }))).toEqual([])
})

test('what is kept of the seller has to be asked for; a balance in units of an index is no question who sells', () => {
  const marked = code({
    leaves: ['seller', 'storage'],
    asks: ['0x3[]', '0x5[]'],
    unexplained: 'a function can change it',
  })
  const units = code({ leaves: ['seller', 'storage'], asks: ['0x1', '0x3[]'], unexplained: 'a function can change it' })
  const sold = met({ asked: ['0x1', '0x3[]'] })
  expect(scoresOf(marked, sold)).toEqual([40])
  expect(scoresOf(units, sold)).toEqual([])
})

test('what a sale met and explained is not open, and neither is what a rule explains', () => {
  expect(scoresOf(code({}), sale([{ address: '0x01', pc: 7, unexplained: undefined, leaves: [], asked: [] }]))).toEqual(
    [],
  )
  expect(scoresOf(code({ unexplained: undefined }), undefined)).toEqual([])
})
