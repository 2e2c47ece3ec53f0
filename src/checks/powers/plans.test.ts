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
const KNOWN = new Map([
  [stored(6n), SUPPLY],
  [stored(8n), 1_000n],
  [stored(9n), ALL_COINS + 1n],
])
/** Slot 6 has the supply, 8 what was left of coins, and 9 more than there are. */
const subject = {
  value: (term) => KNOWN.get(term) ?? (term.op === 'const' ? term.value : undefined),
} satisfies Pick<Subject, 'value'> as Subject

const key = constant(5n)
const scaled = make('MUL', [coins, constant(2n ** 128n)])

test.each([
  ['what is paid', coins, ALL_COINS],
  ['what is paid for each token', make('DIV', [scaled, stored(6n)]), (ALL_COINS * 2n ** 128n) / SUPPLY],
  ['what is paid, shifted up', make('SHL', [constant(64n), coins]), ALL_COINS << 64n],
  ['what is paid and was left over', make('ADD', [coins, stored(8n)]), ALL_COINS + 1_000n],
  ['what is paid and was left over, by name', make('ADD', [stored(8n), coins]), ALL_COINS + 1_000n],
  ['what is paid beside a number that is no coins', make('ADD', [coins, stored(9n)]), undefined],
  ['what is paid beside what is not known', make('ADD', [coins, stored(7n)]), undefined],
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
