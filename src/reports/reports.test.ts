import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findChain } from '../chains/index.js'
import { canonicalJson, TooDeepError } from './canonical-json.js'
import { compareReports, MAX_DIFFERENCES, VARYING_FIELDS } from './compare-reports.js'
import { describeInputs, toRequest } from './inputs.js'
import { createReportSeal } from './seal.js'
import { createSigningKey, isSignedBy, readPublicKey, SigningKeyError } from './signing-key.js'

const newPem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const ethereum = findChain(1)
if (!ethereum) throw new Error('Ethereum is a chain')
const target = { chain: ethereum, address: '0x514910771af9ca656af840dff83e8264ecf986ca' } as const
const HASH = `0x${'ab'.repeat(32)}`

describe('canonical JSON', () => {
  test('sorts names by their UTF-16 units and leaves out spaces (RFC 8785, section 3.2.3)', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 }
    expect(Object.values(JSON.parse(canonicalJson(value)))).toHaveLength(7)
    expect([...canonicalJson(value).matchAll(/:(\d)/g)].map(([, digit]) => digit).join('')).toBe('2467153')
  })

  test('is JSON of the same value, whatever the order of its members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        const turned = JSON.parse(JSON.stringify(value), (_, inner) =>
          inner !== null && typeof inner === 'object' && !Array.isArray(inner)
            ? Object.fromEntries(Object.entries(inner).reverse())
            : inner,
        )
        expect(canonicalJson(turned)).toBe(text)
      }),
    )
  })

  test('a report that is nested without end is refused', () => {
    expect(() => canonicalJson(JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)))).toThrow(TooDeepError)
  })
})

describe('inputs', () => {
  const inputsOf = (at: string, more: object = {}) =>
    describeInputs({ check: 'simulation', request: toRequest({ ...target, ...more }) }, at)

  test('the same question at the same block has the same digest, however the block was chosen', () => {
    expect(inputsOf(HASH, { blockNumber: 7n })).toEqual(inputsOf(HASH))
  })

  test.each([
    ['another block', inputsOf(`0x${'cd'.repeat(32)}`)],
    ['another amount', inputsOf(HASH, { amount: 5n })],
    ['another pool', inputsOf(HASH, { pair: target.address })],
    ['what a wallet sends', inputsOf(HASH, { wallet: { calldata: '0x00' } })],
    ['another check', describeInputs({ check: 'honeypot', request: toRequest(target) }, HASH)],
  ])('%s has another digest', (_, { digest }) => {
    expect(digest).not.toBe(inputsOf(HASH).digest)
  })

  test('the seed is that of the chain and the block, and the secret is not in it', () => {
    const traderSecret = new Uint8Array(32).fill(7)
    const { seal } = createReportSeal({ traderSecret, signingKey: undefined })
    const body = { block: { hash: HASH } }
    const { traderSeed } = seal('honeypot', target, body).inputs
    expect(seal('phishing', target, body).inputs.traderSeed).toBe(traderSeed)
    expect(seal('honeypot', target, { block: { hash: `0x${'cd'.repeat(32)}` } }).inputs.traderSeed).not.toBe(traderSeed)
    expect(seal('honeypot', { ...target, traderSeed: '0x01' }, body).inputs.traderSeed).toBe('0x01')
    expect(JSON.stringify(seal('honeypot', target, body))).not.toContain('07'.repeat(8))
  })
})

describe('signature', () => {
  const key = createSigningKey(newPem())
  const publicKey = readPublicKey(key.publicKey)
  const { seal } = createReportSeal({ traderSecret: new Uint8Array(32), signingKey: key })
  const report = seal('simulation', target, { block: { hash: HASH }, checks: { tax: '5', list: [1, 2] } })

  test('is right for the report, also after it was stored with its members in another order', () => {
    expect(isSignedBy(publicKey, report, report.signature)).toBe(true)
    const turned = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(report))).reverse())
    expect(isSignedBy(publicKey, turned, turned.signature)).toBe(true)
  })

  test.each([
    ['a changed field', { ...report, checks: { tax: '0', list: [1, 2] } }],
    ['an added field', { ...report, more: 1 }],
    ['a changed order of a list', { ...report, checks: { tax: '5', list: [2, 1] } }],
    ['no signature', { ...report, signature: undefined }],
    ['the signature of another key', { ...report, signature: createSigningKey(newPem()).sign(report) }],
    ['another algorithm', { ...report, signature: { ...report.signature, algorithm: 'none' } }],
    ['another spelling', { ...report, signature: { ...report.signature, value: `${report.signature?.value} ` } }],
  ])('%s is not', (_, changed) => {
    expect(isSignedBy(publicKey, changed, changed.signature)).toBe(false)
  })

  test('whatever stands in its place, the answer is no', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !isSignedBy(publicKey, report, value)))
  })

  test('a key of another kind is refused, and never repeated', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    for (const pem of [rsa.toString(), 'not-a-key-and-secret']) {
      expect(() => createSigningKey(pem)).toThrow(SigningKeyError)
      expect(() => createSigningKey(pem)).not.toThrow(/secret|BEGIN/)
    }
  })
})

describe('comparison', () => {
  test('names what differs, what is missing and what is new, and leaves out what may differ', () => {
    const saved = {
      a: [1, { b: 2 }],
      detectedAt: 'x',
      gone: 1,
      checks: { simulateResult: { simulatedAt: 'x', tax: 1 } },
    }
    const again = {
      a: [1, { b: 3 }, 4],
      detectedAt: 'y',
      checks: { simulateResult: { simulatedAt: 'y', tax: 1 } },
      new: 0,
    }
    expect(compareReports(saved, again)).toEqual([
      { path: 'a[1].b', saved: 2, again: 3 },
      { path: 'a[2]', saved: undefined, again: 4 },
      { path: 'gone', saved: 1, again: undefined },
      { path: 'new', saved: undefined, again: 0 },
    ])
  })

  test('a report is equal to itself, and to nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const copy = JSON.parse(JSON.stringify(one))
        expect(compareReports(copy, JSON.parse(JSON.stringify(one)))).toEqual([])
        if (canonicalJson({ one }) !== canonicalJson({ one: other })) {
          expect(compareReports({ one: copy }, { one: JSON.parse(JSON.stringify(other)) })).not.toEqual([])
        }
      }),
    )
  })

  test('stops when enough differs', () => {
    expect(compareReports(Array(1_000).fill(1), Array(1_000).fill(2))).toHaveLength(MAX_DIFFERENCES)
  })

  test('docs/replay.md lists what may differ, and nothing else', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/replay.md'), 'utf8')
    const table = page.split('These fields may differ')[1]?.split('What a difference')[0] ?? ''
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, field, why]) => [field, why])
    expect(Object.fromEntries(rows)).toEqual(VARYING_FIELDS)
  })
})
