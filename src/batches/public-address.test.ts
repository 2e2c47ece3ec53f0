import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseWebhookUrl } from './parse-webhook-url.js'
import { isPublicAddress, PrivateAddressError, resolvePublic } from './public-address.js'

describe('a public address', () => {
  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the URL of a webhook', () => {
  const parse = (text: unknown) => parseWebhookUrl(text, { allowPrivate: false })

  test('is an http(s) URL of a host that may be public', () => {
    expect(parse('https://hooks.example/a?b=c')).toBe('https://hooks.example/a?b=c')
    expect(parse('http://8.8.8.8:8080/')).toBe('http://8.8.8.8:8080/')
  })

  test.each([
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'https://user:secret@hooks.example/',
    'http://localhost/',
    'http://a.localhost./',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    `https://hooks.example/${'a'.repeat(2_048)}`,
    'no url',
    7,
    null,
  ])('%j is refused', (text) => {
    expect(parse(text)).toBeUndefined()
  })

  test('private hosts are taken where the operator allows them', () => {
    expect(parseWebhookUrl('http://127.0.0.1:1/', { allowPrivate: true })).toBe('http://127.0.0.1:1/')
    expect(parseWebhookUrl('ftp://127.0.0.1/', { allowPrivate: true })).toBeUndefined()
  })

  test('an address of a closed block is refused however it is written', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.constantFrom(10, 127, 0), octet, octet, octet, (a, b, c, d) => {
        const number = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
        for (const host of [
          `${a}.${b}.${c}.${d}`,
          String(number),
          `0x${number.toString(16)}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
        ]) {
          expect(parse(`http://${host}/`)).toBeUndefined()
        }
      }),
    )
  })
})

test('a name that leads to this machine is refused when it is resolved', async () => {
  const signal = new AbortController().signal
  await expect(resolvePublic('localhost', { allowPrivate: false, signal })).rejects.toThrow(PrivateAddressError)
  expect(['127.0.0.1', '::1']).toContain((await resolvePublic('localhost', { allowPrivate: true, signal })).address)
})
