import { expect, test } from 'vitest'
import { detectors } from '../checks/bytecode/detectors/index.js'
import { findFlags } from '../checks/bytecode/find-flags.js'
import { createUnknownSubject } from '../checks/bytecode/unknown-storage.conformance.js'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'

/** Hex with places: `:name` marks one (a JUMPDEST), `.name` one of data, `@name` pushes it with two bytes, `=name` writes it as two bytes. */
function assemble(text: string): Uint8Array {
  const tokens = text.split(/\s+/).filter((token) => token !== '')
  const places = new Map<string, number>()
  let at = 0
  for (const token of tokens) {
    if (/^[:.]/.test(token)) places.set(token.slice(1), at)
    at += token.startsWith('.')
      ? 0
      : token.startsWith(':')
        ? 1
        : token.startsWith('@')
          ? 3
          : token.startsWith('=')
            ? 2
            : token.length / 2
  }
  const place = (name: string) => (places.get(name) ?? 0).toString(16).padStart(4, '0')
  const hex = tokens.map((token) =>
    /^[:.]/.test(token)
      ? token.startsWith(':')
        ? '5b'
        : ''
      : token.startsWith('@')
        ? `61${place(token.slice(1))}`
        : token.startsWith('=')
          ? place(token.slice(1))
          : token,
  )
  return hexToBytes(`0x${hex.join('')}`)
}

const BALANCE_OF = 0x70a08231
const TRANSFER = 0xa9059cbb

/** Vyper hashes (slot, key); balances are in slot 1. Leaves the key on the stack. */
const keyOf = (account: string) => `6001 5f 52 ${account} 6020 52 6040 5f 20`
/** `nonreentrant`: slot 0 is 2 while inside and 3 outside. */
const LOCK = '5f 54 6002 14 @fail 57 6002 5f 55'
const UNLOCK = '6003 5f 55'
const RETURN_TRUE = '6001 5f 52 6020 5f f3'

const BODIES = `
:balanceOf ${keyOf('6004 35')} 54 5f 52 6020 5f f3
:transfer ${LOCK}
  ${keyOf('33')} 80 54 80 6024 35 11 @fail 57 6024 35 90 03 90 55
  ${keyOf('6004 35')} 80 54 6024 35 01 90 55
  ${UNLOCK} ${RETURN_TRUE}
:fail 5f 5f fd`

/** A table by `selector % 2`, whose buckets compare the selectors one after another. Both selectors are odd. */
const code = assemble(`5f 35 60e0 1c
  6002 81 06 6001 1b @table 01 6002 90 601e 39 5f 51 56
:even @fail 56
:odd
  80 63a9059cbb 14 @transfer 57
  80 6370a08231 14 @balanceOf 57
  @fail 56
${BODIES}
.table =even =odd`)
const facts = () => readFacts(code, { candidates: [BALANCE_OF, TRANSFER] })

test('a jump table of Vyper is followed for each selector', () => {
  const { gaps, functions } = facts()
  expect(gaps).toEqual([])
  const find = (selector: number) =>
    functions.find(({ entry }) => entry.kind === 'function' && entry.selector === selector)
  expect(find(BALANCE_OF)?.effects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['read', 'return']))
  expect(find(TRANSFER)?.effects.filter(({ kind }) => kind === 'write')).toHaveLength(4)
})

test('balances are found where Vyper keeps them', () => {
  expect([...facts().roles.balances]).toEqual(['0x1[]'])
})

test('a reentrancy key is no switch on the transfer, and nothing else is found either', () => {
  const { flags, failed } = findFlags(detectors, [createUnknownSubject(code, facts())], () => false)
  expect(failed).toEqual([])
  expect(flags.map(({ id, evidence }) => ({ id, evidence }))).toEqual([])
})

test('without anybody to name the selectors, something is left unseen', () => {
  expect(readFacts(code).gaps).toEqual(['dispatch'])
})
