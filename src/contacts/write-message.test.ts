import { expect, test } from 'vitest'
import { mailboxOf, parseMailAddress } from './contact.js'
import { withoutLinks } from './write-message.js'

test.each([
  ['https://evil.example/claim?x=1', 'https: evil. example claim?x 1'],
  ['see evil。example or www.evil.example', 'see evil example or www. evil. example'],
  ['@evil_bot /start #now *bold* [a](tg://user?id=1)', 'evil bot start now bold a (tg: user?id 1)'],
  ['10.0.0.1:8080', '10.0. 0. 1:8080'],
  ['a\u202eb\r\nBcc: x@y.example', 'ab Bcc: x y. example'],
])('%j has no link, mention or command left', (text, quiet) => {
  expect(withoutLinks(text).trim()).toBe(quiet)
})

test('a sentence of ours stays as it is', () => {
  const text =
    'Of the coin in its pool 12.5 % are left (half, or less). It is due at 2026-11-23T14:00:00.000Z, is it not?'
  expect(withoutLinks(text)).toBe(text)
})

test('one mailbox has one name, and others have others', () => {
  expect(mailboxOf('Ann+list@mail.example')).toBe(mailboxOf('ann@mail.example'))
  expect(mailboxOf('+a@mail.example')).not.toBe(mailboxOf('+b@mail.example'))
  expect(mailboxOf('ann@mail.example')).not.toBe(mailboxOf('ann@mail2.example'))
})

test.each(['o.neil+x@sub.mail.example', "a!#$%&'*/=?^_`{|}~-z@xn--bcher-kva.example"])('%s is an address', (text) => {
  expect(parseMailAddress(text)).toBe(text)
})
test.each(['a..b@c.example', '.a@c.example', `${'a'.repeat(65)}@c.example`, 'a@-c.example', 'a@c.1', 'a b@c.example'])(
  '%s is none',
  (text) => {
    expect(parseMailAddress(text)).toBeUndefined()
  },
)
