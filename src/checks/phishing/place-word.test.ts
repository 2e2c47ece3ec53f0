import { expect, test } from 'vitest'
import { operation, type Term } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK } from '../../hex.js'
import { dataOf } from './call-data.js'
import { placeWord } from './place-word.js'

const argument = (offset: number, value: bigint): Term => ({ kind: 'argument', offset, value })
const constant = (value: bigint): Term => ({ kind: 'constant', value })
const VICTIM = 0x1111111111222222222233333333334444444444n
const MASK = 0x9f3a_77bb_0123_4567_89ab_cdefn

/** What the formula comes to when the call data is written as it was placed. */
function placed(make: (leaf: Term) => Term, value: bigint, wanted: bigint): bigint | undefined {
  const edit = placeWord(make(argument(4, value)), wanted)
  if (edit === undefined) return undefined
  const template = { leaves: [], encode: () => `0x${value.toString(16).padStart(64, '0')}` as const }
  const data = dataOf({ selector: '0x12345678', template }, [], [edit])
  return make(argument(4, BigInt(`0x${data.slice(10, 74)}`))).value
}

const SHAPES: [name: string, make: (leaf: Term) => Term][] = [
  ['the word itself', (leaf) => leaf],
  ['its low bits', (leaf) => operation('AND', [leaf, constant(ADDRESS_MASK)])],
  ['its high bits', (leaf) => operation('SHR', [constant(96n), leaf])],
  ['a quotient', (leaf) => operation('DIV', [leaf, constant(1n << 96n)])],
  ['an exclusive or', (leaf) => operation('AND', [operation('XOR', [leaf, constant(MASK)]), constant(ADDRESS_MASK)])],
  ['a sum', (leaf) => operation('ADD', [constant(MASK), leaf])],
  ['a difference', (leaf) => operation('SUB', [constant(MASK), leaf])],
  ['a complement', (leaf) => operation('NOT', [leaf])],
]

test.each(SHAPES)('%s comes to the wanted address', (_, make) => {
  expect(placed(make, 77n << 96n, VICTIM)).toBe(VICTIM)
})

test('bits that the code does not look at stay as they were', () => {
  const edit = placeWord(operation('SHR', [constant(96n), argument(4, 5n)]), VICTIM)
  expect(edit?.mask).toBe(ADDRESS_MASK << 96n)
})

test('no way leads back through a hash, or from a word that is fixed', () => {
  const hash: Term = {
    kind: 'operation',
    name: 'KECCAK256',
    value: 1n,
    operands: [argument(4, 5n)],
    sources: 16,
    depth: 1,
  }
  expect(placeWord(hash, VICTIM)).toBeUndefined()
  expect(placeWord(constant(VICTIM), VICTIM)).toBeUndefined()
  expect(placeWord(operation('AND', [argument(4, 0n), constant(0xffn)]), VICTIM)).toBeUndefined()
})
