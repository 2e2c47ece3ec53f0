import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSigningKey, readPublicKey } from '../reports/signing-key.js'
import { FamilyFileError, readFamilyFile, writeFamilyFile } from './family-file.js'
import { memberOf } from './family-store.conformance.js'
import { behaviourOf } from './to-member.js'

const NOW = 1_767_225_700_000
const newKey = () =>
  createSigningKey(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const KEY = newKey()
const trusted = [readPublicKey(KEY.publicKey)]
const member = (number: number) => memberOf(number, { behaviour: behaviourOf(['sell tax none']) })

const fileOf = (...members: ReturnType<typeof member>[]) => writeFamilyFile(members, { key: KEY, now: NOW })
const read = (text: string, options: Partial<Parameters<typeof readFamilyFile>[1]> = {}) =>
  readFamilyFile(text, { trusted, now: NOW, ...options })

test('what one installation writes, another reads', () => {
  const members = [member(1), { ...member(2), isHostile: true, isTurned: true, creator: undefined, traits: [] }]
  const [first, second] = read(fileOf(...members)).members
  expect(read(fileOf(...members))).toMatchObject({ keyId: KEY.keyId, madeAt: NOW })
  expect(first).toEqual(members[0])
  expect(second).toEqual({ ...members[1], behaviour: behaviourOf([]) })
})

describe('refuses', () => {
  test('a file that no trusted key signed, or that was changed since', () => {
    const other = newKey()
    expect(() => read(fileOf(member(1)), { trusted: [readPublicKey(other.publicKey)] })).toThrow(/signature/)
    expect(() => read(fileOf(member(1)), { trusted: [] })).toThrow(/signature/)
    expect(() => read(fileOf(member(1)).replace('"hostile":false', '"hostile":true'))).toThrow(/signature/)
    const { signature: _, ...unsigned } = JSON.parse(fileOf(member(1)))
    expect(() => read(JSON.stringify(unsigned))).toThrow(/signature/)
  })

  test('a report that the same key signed: it is no file of families', () => {
    const report = { success: true, members: [] }
    expect(() => read(JSON.stringify({ ...report, signature: KEY.sign(report) }))).toThrow(/version/)
  })

  /** Signed as it is: a key that is trusted may have been stolen. */
  const signed = (change: (file: Record<string, unknown>, first: Record<string, unknown>) => unknown) => {
    const { signature: _, ...file } = JSON.parse(fileOf(member(1), member(2)))
    change(file, file.members[0])
    return JSON.stringify({ ...file, signature: KEY.sign(file) })
  }

  test.each<[string, Parameters<typeof signed>[0]]>([
    ['an address with more in it', (_, first) => Object.assign(first, { address: `${first.address}'--` })],
    ['a code that is none', (_, first) => Object.assign(first, { code: '0x' })],
    ['a chain that is none', (_, first) => Object.assign(first, { chainId: '1' })],
    ['a time to come', (_, first) => Object.assign(first, { lastAt: NOW * 2 })],
    ['a level that is none', (_, first) => Object.assign(first, { lastLevel: 'Fine' })],
    ['a trait that a terminal would obey', (_, first) => Object.assign(first, { traits: ['\u001b[2J'] })],
    ['a trait of many lines', (_, first) => Object.assign(first, { traits: ['a\nb'] })],
    ['traits without end', (_, first) => Object.assign(first, { traits: Array(100).fill('a') })],
    ['a token that turned without being hostile', (_, first) => Object.assign(first, { turned: true })],
    ['a token that stands twice', (file, first) => Object.assign(file, { members: [first, first] })],
    ['a token that is none', (file) => Object.assign(file, { members: [null] })],
    ['members that are no list', (file) => Object.assign(file, { members: { length: 1 } })],
    ['a date to come', (file) => Object.assign(file, { madeAt: '2030-01-01T00:00:00.000Z' })],
    ['another version', (file) => Object.assign(file, { version: 2 })],
  ])('%s, though it is signed', (_, change) => {
    expect(() => read(signed(() => {}))).not.toThrow()
    expect(() => read(signed(change))).toThrow(FamilyFileError)
  })

  test('more tokens of one code than are remembered', () => {
    const many = Array.from({ length: 1_001 }, (_, i) => member(i + 1))
    expect(() => read(fileOf(...many))).toThrow(/too many tokens of one code/)
    expect(read(fileOf(...many.slice(1))).members).toHaveLength(1_000)
  })

  test.each(['', '{', '[]', 'null', '"x"', '['.repeat(10_000)])('what is no file: %j', (text) => {
    expect(() => read(text)).toThrow(FamilyFileError)
  })
})
