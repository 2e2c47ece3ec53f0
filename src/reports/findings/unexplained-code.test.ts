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

test('a branch that a sale met without being asked who sells is open where the code asks that', () => {
  const hashed = code({ leaves: ['seller'], unexplained: 'it computes with the digits of an account' })
  const met = (leaves: string[]) => sale([{ address: '0x01', pc: 7, unexplained: undefined, leaves }])
  expect(scoresOf(hashed, met(['amount']))).toEqual([40])
  expect(scoresOf(hashed, met(['seller']))).toEqual([])
})

test('what a sale met and explained is not open, and neither is what a rule explains', () => {
  expect(scoresOf(code({}), sale([{ address: '0x01', pc: 7, unexplained: undefined }]))).toEqual([])
  expect(scoresOf(code({ unexplained: undefined }), undefined)).toEqual([])
})
