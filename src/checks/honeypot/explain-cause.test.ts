import { expect, test } from 'vitest'
import { operation, type Term } from '../../evm/inspectors/term.js'
import { type Address, WORD_MASK } from '../../hex.js'
import { explainCause, type Names, placeOfWord } from './explain-cause.js'

const TOKEN: Address = '0x00000000000000000000000000000000000000aa'
const HELD = 307_919_030_103_673_542_911n

const word = (slot: bigint, value: bigint): Term => ({ kind: 'slot', address: TOKEN, slot, value, entry: undefined })
const isLess = (first: Term, second: Term): Term => operation('LT', [first, second])

function say(condition: Term, names: Partial<Names> = {}): string {
  const place = { address: TOKEN, codeAddress: TOKEN, selector: '0x23b872dd', pc: 1, occurrence: 0 } as const
  return explainCause({ ...place, condition }, { values: new Map(), words: new Map(), ...names }).reason
}

test('names balances and the amount that is sold', () => {
  const names: Names = {
    values: new Map([[HELD, 'the amount that is sold']]),
    words: new Map([[placeOfWord(TOKEN, 4n), 'the balance of the seller']]),
  }
  const sold: Term = { kind: 'argument', offset: 68, value: HELD }
  expect(say(isLess(word(4n, 2n * HELD), sold), names)).toBe(
    'the balance of the seller (615.838 × 10^18) is not less than the amount that is sold',
  )
  // The same slot of no known meaning.
  expect(say(isLess(word(5n, 7n), word(6n, 9n)), names)).toBe('slot 5 (7) is less than slot 6 (9)')
})

test.each([
  [0n, 'zero', 'slot 3 (0) is zero'],
  [999_999_999_999_999n, 'a small number', 'slot 3 (999999999999999) is set'],
  [10n ** 15n, 'a thousandth', 'slot 3 (0.001 × 10^18) is set'],
  [250n * 10n ** 18n, 'a whole amount', 'slot 3 (250 × 10^18) is set'],
  [1_234_567n * 10n ** 18n, 'a large amount', 'slot 3 (1,234,567 × 10^18) is set'],
  [BigInt(TOKEN) + (1n << 150n), 'an address', `slot 3 (0x${(BigInt(TOKEN) + (1n << 150n)).toString(16)}) is set`],
  [WORD_MASK, 'the largest number', 'slot 3 (no limit) is set'],
])('%s is told as %s', (value, _, told) => {
  expect(say(word(3n, value))).toBe(told)
})
