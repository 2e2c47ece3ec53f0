import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { readDeadEnds } from './dead-ends.js'
import { disassemble } from './disassemble.js'
import { readFacts } from './facts.js'

const depthOf = (code: `0x${string}`, pc = 0) => readDeadEnds(disassemble(hexToBytes(code))).depthAt(pc)

test('what reverts on every way uses so many items of what it found', () => {
  expect(depthOf('0x60006000fd')).toBe(0)
  // Both sides of a branch, one of them with what lies deepest.
  expect(depthOf('0x6007575f5ffd005b5ffd')).toBe(2)
  // Without an end.
  expect(depthOf('0x5b5f56')).toBe(0)
})

test('what may end well, or return to what it was given, is no dead end', () => {
  expect(depthOf('0x5f5f00')).toBeUndefined()
  expect(depthOf('0x6005575f5b00')).toBeUndefined()
  expect(depthOf('0x5f56')).toBe(0)
  expect(depthOf('0x9056')).toBeUndefined()
})

test('a helper is read for each of its callers, and its failure once', () => {
  // Two calls of a helper at 13, which fails at 19 where coins are sent along.
  const facts = readFacts(hexToBytes('0x6005600d565b600b600d565b005b34601357565b60006000fd'))
  const times = (pc: number) => facts.functions[0]?.run.nodes.filter((node) => node.pc === pc).length
  expect(times(13)).toBe(2)
  expect(times(19)).toBe(1)
})

test('what is compared with a constant is still the caller', () => {
  // A caller at 0xaa, and any other, come to the same place, which writes who called.
  const facts = readFacts(hexToBytes('0x3380 60aa14600a575b 5f5500'.replaceAll(' ', '') as `0x${string}`))
  expect(facts.functions[0]?.effects.flatMap((each) => (each.kind === 'write' ? [each.value.op] : []))).toEqual([
    'CALLER',
  ])
})

test('a helper that is given its place to return to fails only where all that follows does', () => {
  // A helper at the end is called and returns to 6: the one stops there, the other reverts.
  expect(depthOf('0x6006600856005b005b56')).toBeUndefined()
  const reverting = '0x6006600a56005b5f5ffd5b56'
  expect(depthOf(reverting)).toBe(0)
  // The helper alone may return anywhere.
  expect(depthOf(reverting, 10)).toBeUndefined()
})

test('what lies deeper than code that only fails can use is not followed', () => {
  const rising = (items: number) => `0x${'5f'.repeat(items)}fd` as const
  expect(depthOf(rising(65))).toBe(0)
  expect(depthOf(rising(66))).toBeUndefined()
})
