import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { encodeCall } from './encode-call.js'

const abi = parseAbi([
  'function trade(uint256 amount, address[] path, bytes data) payable',
  'function stop()',
  'function twice(uint256 amount)',
  'function twice(address owner)',
])
const path = ['0x00000000000000000000000000000000000000aa', '0x00000000000000000000000000000000000000bb'] as const

describe('encode a call', () => {
  test('writes what viem writes, the first time and again', () => {
    for (const args of [
      [1n, path, '0x1234'],
      [2n, [], '0x'],
    ] as const) {
      expect(encodeCall({ abi, functionName: 'trade', args })).toBe(
        encodeFunctionData({ abi, functionName: 'trade', args }),
      )
    }
    expect(encodeCall({ abi, functionName: 'stop' })).toBe('0x07da68f5')
  })

  test('tells functions of two ABIs with the same name apart', () => {
    const other = parseAbi(['function stop(uint256 when)'])
    expect(encodeCall({ abi: other, functionName: 'stop', args: [5n] })).toBe(
      encodeFunctionData({ abi: other, functionName: 'stop', args: [5n] }),
    )
    expect(encodeCall({ abi, functionName: 'stop' })).toBe('0x07da68f5')
  })

  test('refuses a name that means several functions, or none', () => {
    expect(() => encodeCall({ abi, functionName: 'twice', args: [1n] })).toThrow('2 functions are called twice')
    expect(() => encodeCall({ abi, functionName: 'start' } as never)).toThrow('0 functions are called start')
  })
})
