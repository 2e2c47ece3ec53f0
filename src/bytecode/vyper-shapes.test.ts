import { expect, test } from 'vitest'
import { detectors } from '../checks/bytecode/detectors/index.js'
import { findFlags } from '../checks/bytecode/find-flags.js'
import { createUnknownSubject } from '../checks/bytecode/unknown-storage.conformance.js'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'
import { readProxy } from './proxy.js'

/**
 * Hex with places: `:name` marks one (a JUMPDEST), `.name` one of data, `@name` pushes it with two
 * bytes, `=name` writes it as two bytes.
 */
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
const ALLOWANCE = 0xdd62ed3e

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

/**
 * A table by `selector % 2`, whose buckets compare the selectors one after another. Both selectors
 * are odd.
 */
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

test('without a source that names the selectors, something is left unseen', () => {
  expect(readFacts(code).gaps).toEqual(['dispatch'])
})

/**
 * `__default__` of a forwarder: everything that is no function goes to the code whose address is in
 * slot 7.
 */
const FORWARD = `:default 36 5f 5f 37 5f 5f 36 5f 6007 54 5a f4 00`

test.each([
  ['behind a table of buckets', sparse(`${FORWARD} :fail 5f 5f fd`, '@default')],
  ['behind two tables', dense()],
])('`__default__` %s is found, although only unknown selectors lead there', (_, bytes) => {
  const found = readFacts(bytes, { candidates: [BALANCE_OF, TRANSFER, ALLOWANCE] })
  expect(found.gaps).toEqual([])
  expect(readProxy(found, (slot) => (slot === 7n ? 0x1234n : 0n))).toMatchObject([
    { kind: 'slot', slot: 7n, target: `0x${'1234'.padStart(40, '0')}`, selector: undefined },
  ])
})

test('the functions of a dense table are followed, each with what it does', () => {
  const { functions, roles, gaps } = readFacts(dense(), { candidates: [BALANCE_OF, TRANSFER, ALLOWANCE] })
  const writes = functions.map(({ selector, effects }) => [
    selector,
    effects.filter(({ kind }) => kind === 'write').length,
  ])
  expect(gaps).toEqual([])
  expect(Object.fromEntries(writes)).toMatchObject({ '0x70a08231': 0, '0xa9059cbb': 4, '0xdd62ed3e': 0 })
  expect([...roles.balances]).toEqual(['0x1[]'])
})

test('a table without `__default__` has one way for what it does not know: back', () => {
  const open = readFacts(code, { candidates: [BALANCE_OF, TRANSFER] }).functions.filter(({ selector }) => !selector)
  expect(open.flatMap(({ effects }) => effects)).toEqual([])
})

/** The table by `selector % 2` with other bodies; what no bucket knows goes to `unknown`. */
function sparse(bodies: string, unknown: string): Uint8Array {
  return assemble(`5f 35 60e0 1c
  6002 81 06 6001 1b @table 01 6002 90 601e 39 5f 51 56
:even ${unknown} 56
:odd
  80 63a9059cbb 14 @transfer 57
  80 6370a08231 14 @balanceOf 57
  ${unknown} 56
${BODIES.replace(':fail 5f 5f fd', '')} ${bodies}
.table =even =odd`)
}

/**
 * The dense tables of Vyper since 0.3.10: `selector % 2` names a bucket (magic number, place and
 * size, five bytes), the magic number a function in it (selector, label, least call data and
 * whether it takes coins, seven bytes).
 */
function dense(): Uint8Array {
  const functions = [
    { id: BALANCE_OF, label: 'balanceOf', metadata: 0x25 },
    { id: TRANSFER, label: 'transfer', metadata: 0x45 },
    { id: ALLOWANCE, label: 'allowance', metadata: 0x45 },
  ]
  const buckets = [0, 1].map((rest) => functions.filter(({ id }) => id % 2 === rest))
  const magics = buckets.map((bucket) => {
    const place = (magic: number, id: number) => Number(((BigInt(magic) * BigInt(id)) >> 24n) % BigInt(bucket.length))
    const fits = (magic: number) => new Set(bucket.map(({ id }) => place(magic, id))).size === bucket.length
    const magic = Array.from({ length: 1 << 16 }, (_, n) => n).find((n) => n > 0 && fits(n)) ?? 0
    return { magic, bucket: bucket.toSorted((a, b) => place(magic, a.id) - place(magic, b.id)) }
  })
  const byte = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
  return assemble(`5f 35 60e0 1c
  6002 81 06 6005 02 @headers 01 6005 90 601b 39 5f 51
  81 81 6018 1c 02 6018 1c 81 60ff 16 90 06 6007 02 90 6008 1c 61ffff 16 01 6007 90 6019 39
  5f 51 80 6018 1c 82 18 @default 57
  80 6001 16 34 02 @fail 57
  80 60fe 16 36 10 @fail 57
  6008 1c 61ffff 16 56
${BODIES} :allowance 5f 5f 52 6020 5f f3 ${FORWARD}
.headers ${magics.map(({ magic, bucket }, n) => `${byte(magic, 2)} =bucket${n} ${byte(bucket.length, 1)}`).join(' ')}
${magics
  .map(
    ({ bucket }, n) =>
      `.bucket${n} ${bucket.map(({ id, label, metadata }) => `${byte(id, 4)} =${label} ${byte(metadata, 1)}`).join(' ')}`,
  )
  .join('\n')}`)
}
