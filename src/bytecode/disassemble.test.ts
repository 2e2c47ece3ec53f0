import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../hex.js'
import { isDeepOperand } from '../instructions/deep-stack.js'
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

test('DUPN, SWAPN and EXCHANGE have a byte of their own, and none that could be another instruction', () => {
  const borders = (code: Hex) => [...sweep(disassemble(hexToBytes(code)))].map(({ pc }) => pc)
  expect(borders('0xe6005b00')).toEqual([0, 2, 3])
  expect(borders('0xe75b0000')).toEqual([0, 1, 2, 3])
  expect(borders('0xe6605b00')).toEqual([0, 1, 3])
  expect(borders('0xe8505b00')).toEqual([0, 2, 3])
  expect(borders('0xe8525b00')).toEqual([0, 1, 2, 3])
  expect([...disassemble(hexToBytes('0xe75b00')).jumpDestinations]).toEqual([0, 1, 0])
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
        const isRefused = opcode >= 0xe6 && opcode <= 0xe8 && !isDeepOperand(opcode, code[pc + 1] ?? 0)
        end = pc + 1 + (isRefused ? 0 : (opcodeTable[opcode]?.immediate ?? 0))
      }
      expect(end).toBeGreaterThanOrEqual(program.metadataStart)
    }),
  )
})
