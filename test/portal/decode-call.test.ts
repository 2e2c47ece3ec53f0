import fc from 'fast-check'
import { encodeAbiParameters, encodeFunctionData, encodeFunctionResult, parseAbi, parseAbiParameters } from 'viem'
import { describe, expect, test } from 'vitest'
import { FUNCTIONS } from '../../portal/src/report/call-names.js'
import { decodeCall } from '../../portal/src/report/decode-call.js'
import { type Parties, writeArguments, writeResults } from '../../portal/src/report/write-call.js'

const TOKEN = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const WRAPPED = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const POOL = '0x5555555555555555555555555555555555555555'
const STRANGER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const parties: Parties = {
  names: new Map([
    [TOKEN, 'token'],
    [WRAPPED, 'WETH'],
    [POOL, 'pool'],
  ]),
  units: new Map([
    [TOKEN, { decimals: 6, symbol: 'TKN' }],
    [WRAPPED, { decimals: 18, symbol: 'WETH' }],
  ]),
}
const abi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function deposit()',
  'function multicall(bytes[] calls) returns (bytes[])',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 a, uint256 b, address[] c, address d, uint256 e)',
  'function exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160) order)',
  'function swap(address, bool, int256, uint160, bytes)',
])
type Name = (typeof abi)[number]['name']

function write(functionName: Name, args: readonly unknown[], to: string, output = '0x') {
  const call = decodeCall(encodeFunctionData({ abi, functionName, args } as never), output)
  if (!call) return undefined
  return [writeArguments(call, to, parties), writeResults(call, to, parties)]
}

describe('a call is told with what it was given and gave back', () => {
  test.each<[Name, unknown[], string, string]>([
    ['transfer', [POOL, 1_500_000n], TOKEN, 'pool, 1.5 TKN'],
    ['transfer', [STRANGER, 10n ** 18n], WRAPPED, '0x7099…79c8, 1 WETH'],
    // What an unknown token counts in is not known.
    ['transfer', [STRANGER, 1_500_000n], STRANGER, '0x7099…79c8, 1\u2009500\u2009000'],
    ['approve', [POOL, 2n ** 256n - 1n], TOKEN, 'pool, the most there is'],
    ['deposit', [], WRAPPED, ''],
    ['multicall', [['0x', '0x1234', `0x${'ab'.repeat(40)}`]], POOL, '[no data, 0x1234, 0xabab…abab (40 bytes)]'],
    [
      'swapExactTokensForETHSupportingFeeOnTransferTokens',
      [2_000_000n, 10n ** 15n, [TOKEN, WRAPPED], STRANGER, 1_800_000_000n],
      STRANGER,
      '2 TKN, 0.001 WETH, [token, WETH], 0x7099…79c8, 15 Jan 2027, 08:00 UTC',
    ],
    ['swap', [POOL, true, -5n, 7n, '0x'], POOL, 'pool, yes, -5, 7, no data'],
    [
      'exactInputSingle',
      [[TOKEN, WRAPPED, 3000, STRANGER, 1n, 2n, 3n, 0n]],
      STRANGER,
      '[token, WETH, 3\u2009000, 0x7099…79c8, 1, 2, 3, 0]',
    ],
  ])('%s', (name, args, to, words) => {
    expect(write(name, args, to)?.[0]).toBe(words)
  })

  test('and what came back', () => {
    const output = encodeFunctionResult({ abi, functionName: 'balanceOf', result: 2_500_000n })
    expect(write('balanceOf', [POOL], TOKEN, output)).toEqual(['pool', '2.5 TKN'])
    // A token that answers nothing, and one that answers nonsense.
    expect(write('balanceOf', [POOL], TOKEN, '0x')).toEqual(['pool', ''])
    expect(write('balanceOf', [POOL], TOKEN, '0x01')).toEqual(['pool', ''])
  })

  test('a function of no known name: whole words as what they look like', () => {
    const words = encodeAbiParameters(parseAbiParameters('address, uint256, bool'), [STRANGER, 5n, true])
    const call = decodeCall(`0x04288dba${words.slice(2)}`, '0x')
    expect(call && [writeArguments(call, TOKEN, parties), call.isGuess]).toEqual(['0x7099…79c8, 5, 1', true])
    expect(decodeCall('0x04288dba00', '0x')).toBeUndefined()
    expect(decodeCall('0x', '0x')?.arguments).toEqual([])
  })
})

describe('data of strangers', () => {
  test('that is too short, or points beyond its end, is not told', () => {
    const word = (value: bigint) => value.toString(16).padStart(64, '0')
    expect(decodeCall('0xa9059cbb', '0x')).toBeUndefined()
    expect(decodeCall(`0xa9059cbb${word(1n)}`, '0x')).toBeUndefined()
    expect(decodeCall(`0xac9650d8${word(2n ** 255n)}`, '0x')).toBeUndefined()
    expect(decodeCall(`0xac9650d8${word(32n)}${word(2n ** 40n)}`, '0x')).toBeUndefined()
  })

  test('of long lists the first are told, and how many more there are', () => {
    const call = decodeCall(encodeFunctionData({ abi, functionName: 'multicall', args: [Array(200).fill('0x')] }), '0x')
    expect(call && writeArguments(call, POOL, parties)).toMatch(/^\[(no data, ){12}188 more\]$/)
  })

  test('never throws, and never says much', () => {
    const selectors = [...Object.keys(FUNCTIONS), '0xdeadbeef']
    const digits = fc.string({ unit: fc.constantFrom('0', '0', '0', '0', '2', '4', 'f'), maxLength: 2_000 })
    fc.assert(
      fc.property(fc.constantFrom(...selectors), digits, digits, (selector, input, output) => {
        const call = decodeCall(selector + input, `0x${output}`)
        if (!call) return
        expect(writeArguments(call, TOKEN, parties).length + writeResults(call, TOKEN, parties).length).toBeLessThan(
          5_000,
        )
      }),
    )
  })
})
