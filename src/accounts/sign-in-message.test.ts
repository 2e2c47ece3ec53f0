import fc from 'fast-check'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './sign-in-message.js'

const ADDRESS = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

const MESSAGE: SignInMessage = {
  ledger: 'Ethereum',
  domain: 'assay.example:8443',
  address: ADDRESS,
  statement: 'Sign in.',
  uri: 'https://assay.example:8443',
  chainId: '1',
  nonce: 'abcdef0123456789',
  issuedAt: Date.UTC(2026, 0, 1),
  expirationTime: Date.UTC(2026, 0, 1, 0, 5),
}

describe('EIP-4361', () => {
  const siwe = {
    address: ADDRESS,
    chainId: 1,
    domain: 'assay.example:8443',
    nonce: 'abcdef0123456789',
    uri: 'https://assay.example:8443',
    version: '1',
    issuedAt: new Date(MESSAGE.issuedAt),
    expirationTime: new Date(MESSAGE.expirationTime ?? 0),
  } as const

  test('is written as other libraries write it', () => {
    expect(formatSignInMessage(MESSAGE)).toBe(createSiweMessage({ ...siwe, statement: 'Sign in.' }))
    const { statement: _, ...bare } = MESSAGE
    expect(formatSignInMessage(bare)).toBe(createSiweMessage(siwe))
  })

  test('is read with everything that the form allows', () => {
    const text = createSiweMessage({
      ...siwe,
      scheme: 'https',
      statement: 'Sign in.',
      notBefore: new Date(MESSAGE.issuedAt),
      requestId: 'r1',
      resources: ['https://a.example/x', 'ipfs://y'],
    })
    expect(parseSignInMessage(text)).toEqual({ ...MESSAGE, scheme: 'https', notBefore: MESSAGE.issuedAt })
  })
})

describe('Solana', () => {
  test.each([
    ['with a statement', `\n\nSign in.\n\n`],
    ['without one', `\n\n`],
  ])('%s, as wallets write it', (_name, middle) => {
    const text = `assay.example wants you to sign in with your Solana account:\n${SOLANA}${middle}URI: https://assay.example\nVersion: 1\nChain ID: mainnet\nNonce: abcdef0123456789\nIssued At: 2026-01-01T00:00:00.000Z`
    const message = parseSignInMessage(text)
    expect(message).toMatchObject({ ledger: 'Solana', address: SOLANA, chainId: 'mainnet' })
    expect(formatSignInMessage(message as SignInMessage)).toBe(text)
  })
})

test('whatever is written is read back', () => {
  const word = fc.stringMatching(/^[0-9A-Za-z]{8,64}$/)
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
  const line = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => !text.includes('\n'))
  fc.assert(
    fc.property(word, time, time, line, fc.boolean(), (nonce, issuedAt, expirationTime, statement, isSolana) => {
      const own = isSolana ? { ledger: 'Solana', address: SOLANA, chainId: 'mainnet' } : {}
      const message = { ...MESSAGE, nonce, issuedAt, expirationTime, statement, ...own } as SignInMessage
      expect(parseSignInMessage(formatSignInMessage(message))).toEqual(message)
    }),
  )
})

test('no text throws, and what is read can be written again with the same meaning', () => {
  const pieces = fc.constantFrom(...formatSignInMessage(MESSAGE).split(/(?<=\n)/), '\n', 'Nonce: 12345678\n', 'x')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), (lines) => {
      const message = parseSignInMessage(lines.join(''))
      if (message !== undefined) expect(parseSignInMessage(formatSignInMessage(message))).toEqual(message)
    }),
  )
})

describe('is no sign-in message', () => {
  const text = formatSignInMessage(MESSAGE)
  test.each([
    ['nothing', ''],
    ['something before it', ` ${text}`],
    ['something after it', `${text}\n`],
    ['a line more', text.replace('Version: 1', 'Version: 1\nNonce: 12345678')],
    ['a line less', text.replace('Version: 1\n', '')],
    ['another version', text.replace('Version: 1', 'Version: 2')],
    ['two nonces', `${text}\nNonce: 12345678`],
    ['a short nonce', text.replace(MESSAGE.nonce, 'abc')],
    ['a nonce with signs', text.replace(MESSAGE.nonce, 'abcdef-0123456789')],
    ['another ledger', text.replace('Ethereum', 'Bitcoin')],
    ['a domain with a path', text.replace(MESSAGE.domain, 'assay.example/x')],
    ['a domain with a user', text.replace(MESSAGE.domain, 'assay.example@evil.example')],
    ['a time that is none', text.replace('2026-01-01T00:05', '2026-13-01T00:05')],
    ['a time without a zone', text.replace('00:00:00.000Z', '00:00:00.000')],
    ['a statement of two lines', text.replace('Sign in.', 'Sign\nin.')],
    ['lines of Windows', text.replaceAll('\n', '\r\n')],
    ['too long', text.replace('Sign in.', 'x'.repeat(2_000))],
  ])('%s', (_name, other) => {
    expect(other).not.toBe(text)
    expect(parseSignInMessage(other)).toBeUndefined()
  })
})
