import { expect, test, vi } from 'vitest'
import { optimizeLater } from './optimize-later.js'

test.each([
  ['11.3.244.8-node.33', ['--interrupt-budget=528000']],
  ['12.4.254.21-node.33', []],
  ['13.6.233.17-node.37', []],
])('V8 %s is told what it knows', (version, flags) => {
  const set = vi.fn()
  optimizeLater(version, set)
  expect(set.mock.calls.flat()).toEqual(flags)
})
