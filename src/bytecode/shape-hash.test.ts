import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { disassemble } from './disassemble.js'
import { hashShape } from './shape-hash.js'

const shapeOf = (code: string) => hashShape(disassemble(hexToBytes(`0x${code}`)))

/** PUSH4 selector, EQ, jump to the JUMPDEST at its end over `between`. */
const program = (between: string, selector = 'a9059cbb') => {
  const target = (9 + between.length / 2).toString(16).padStart(2, '0')
  return `63${selector}1460${target}57${between}5b00`
}

test.each([
  ['another tax', program('6005'), program('6007')],
  ['a limit of another length', program('6005'), program('620f4240')],
  ['zero as PUSH0', program('6005'), program('5f')],
  ['another owner', program(`73${'aa'.repeat(20)}`), program(`73${'bb'.repeat(20)}`)],
  ['another immutable', program(`7f${'aa'.repeat(32)}`), program(`7f${'bb'.repeat(32)}`)],
  ['another metadata', program('6005'), `${program('6005')}a165627a7a72305820${'cd'.repeat(32)}0029`],
])('%s leaves the shape as it is', (_, one, other) => {
  expect(shapeOf(one)).toBe(shapeOf(other))
})

test.each([
  ['another instruction', program('600501'), program('600503')],
  ['one instruction more', program('6005'), program('600550')],
  ['another selector', program('6005'), program('6005', '095ea7b3')],
  ['a jump to another target', '6003565b005b00', '6005565b005b00'],
])('%s is another shape', (_, one, other) => {
  expect(shapeOf(one)).not.toBe(shapeOf(other))
})

test('any bytes have a shape', () => {
  for (const code of ['', '60', '7f', '5b', 'ff'.repeat(100), '63a9']) expect(shapeOf(code)).toMatch(/^0x[0-9a-f]{64}$/)
})
