import { expect, test } from 'vitest'
import { createTermStore } from '../../bytecode/terms.js'
import type { Subject } from '../bytecode/subject.js'
import { toWrite } from './plans.js'

const SUPPLY = 10n ** 24n
const ALL_COINS = 10n ** 28n
const store = createTermStore()
const { constant, make } = store
const coins = make('CALLVALUE', [])
const stored = (slot: bigint) => make('sload', [constant(slot)])
/** Slot 6 has the supply; nothing else is known. */
const subject = {
  value: (term) => (term === stored(6n) ? SUPPLY : term.op === 'const' ? term.value : undefined),
} satisfies Pick<Subject, 'value'> as Subject

const key = constant(5n)
const scaled = make('MUL', [coins, constant(2n ** 128n)])

test.each([
  ['what is paid', coins, ALL_COINS],
  ['what is paid for each token', make('DIV', [scaled, stored(6n)]), (ALL_COINS * 2n ** 128n) / SUPPLY],
  ['what is paid, shifted up', make('SHL', [constant(64n), coins]), ALL_COINS << 64n],
  ['a product that does not fit', make('MUL', [coins, constant(2n ** 200n)]), undefined],
  ['a remainder, which few coins make larger', make('MOD', [coins, constant(2n)]), undefined],
  ['a comparison', make('EQ', [coins, constant(1n)]), undefined],
  ['a product with what a call may change', make('MUL', [coins, stored(6n)]), undefined],
  ['a part by what is not known', make('DIV', [coins, stored(7n)]), undefined],
  ['an amount of the caller', stored(7n), undefined],
])('%s is bounded by all coins, or by nothing', (_, added, adds) => {
  const value = make('ADD', [stored(5n), added])
  const effect = { kind: 'write', pc: 0, key, value, shift: 0, width: 256, node: undefined } as never
  expect(toWrite({ subject }, { effect, variable: '0x5' })[0]?.adds).toBe(adds)
})
