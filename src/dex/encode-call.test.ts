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

  test('writes what viem writes for amounts, addresses and lists of them', () => {
    const plain = parseAbi([
      'function swap(uint256 least, address[] path, address to, address[] others, uint256 until)',
    ])
    const [a, b] = path
    for (const args of [
      [0n, path, a, [], 2n ** 256n - 1n],
      [1n, [], b, path, 2n],
    ] as const)
      expect(encodeCall({ abi: plain, functionName: 'swap', args })).toBe(
        encodeFunctionData({ abi: plain, functionName: 'swap', args }),
      )
  })

  test('refuses what viem refuses: amounts without a place, and what is no address', () => {
    const pay = parseAbi(['function pay(address to, uint256 amount)'])
    for (const args of [[path[0], 2n ** 256n], [path[0], -1n], ['0x12', 1n], [path[0]]])
      expect(() => encodeCall({ abi: pay, functionName: 'pay', args } as never)).toThrow()
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
