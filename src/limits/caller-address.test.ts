import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressShares, callerAddress, callerNetwork } from './caller-address.js'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:00a0:ffff::', '2001:db8:0:a0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['1:2:3:4:5:6::', '1:2:3:4::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is counted as %s', (ip, expected) => {
  expect(callerAddress(ip)).toBe(expected)
})

test('40: every address of one /64 is the same caller', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
      fc.pre(!a.includes('.') && !b.includes('.'))
      const suffix = expand(b).slice(4).join(':')
      const neighbour = `${expand(a).slice(0, 4).join(':')}:${suffix}`
      expect(callerAddress(neighbour)).toBe(callerAddress(expand(a).join(':')))
      expect(callerAddress(a)).toBe(callerAddress(expand(a).join(':')))
    }),
  )
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
])('the network of %s is %s', (ip, expected) => {
  expect(callerNetwork(ip)).toBe(expected)
})

test('a network has room for ten of its subscribers, and IPv4 addresses stand alone', () => {
  expect(addressShares('2001:db8:1:2::9', 30)).toEqual([
    { caller: { kind: 'address', id: '2001:db8:1:2::/64' }, limit: 30 },
    { caller: { kind: 'network', id: '2001:db8:1::/48' }, limit: 300 },
  ])
  expect(addressShares('203.0.113.7', 30)).toEqual([{ caller: { kind: 'address', id: '203.0.113.7' }, limit: 30 }])
})

function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  return tail === undefined ? left : [...left, ...new Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
