import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { opcodeTable } from '../instructions/opcodes.js'
import { disassemble, sweep } from './disassemble.js'

const pcs = (code: string) =>
  [...sweep(disassemble(hexToBytes(code)))].map(({ pc, opcode }) => [pc, opcodeTable[opcode]?.name])

test('push data is no code', () => {
  expect(pcs('0x61ff5b5b00')).toEqual([
    [0, 'PUSH2'],
    [3, 'JUMPDEST'],
    [4, 'STOP'],
  ])
  expect([...disassemble(hexToBytes('0x61ff5b5b00')).jumpDestinations]).toEqual([0, 0, 0, 1, 0])
})

test('the metadata trailer is left out of the sweep, and stays a place to jump to', () => {
  const code = hexToBytes('0x00a264697066735822115b000a')
  const program = disassemble(code)
  expect(program.metadataStart).toBe(1)
  expect([...sweep(program)]).toEqual([{ pc: 0, opcode: 0 }])
})

test('a trailer needs a known first key', () => {
  expect(disassemble(hexToBytes('0x00a264787878785822110008')).metadataStart).toBe(12)
})

test('instructions of any bytes lie side by side', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (code) => {
      const program = disassemble(code)
      let end = 0
      for (const { pc, opcode } of sweep(program)) {
        expect(pc).toBe(end)
        end = pc + 1 + (opcodeTable[opcode]?.immediate ?? 0)
      }
      expect(end).toBeGreaterThanOrEqual(program.metadataStart)
    }),
  )
})
