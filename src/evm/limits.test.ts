import { describe, expect, test } from 'vitest'
import type { Address } from '../hex.js'
import { createEvm } from './create-evm.js'
import { createCallTraceInspector } from './inspectors/call-trace.js'
import { AnalysisResistedError } from './limits.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from './testing.js'

const TARGET: Address = '0x00000000000000000000000000000000000a77ac'
const DEADLINE_MS = 3_500
/** What the pending block of Ethereum would let one transaction use, if EIP-7825 did not: the worst a caller could ask us for. */
const GAS = 60_000_000n

/** Two pairs of points of bn254, as the pairing check reads them (EIP-197). */
const PAIRS = Buffer.concat([pairOf(1n, 2n), pairOf(1n, 2n)]).toString('hex')

/** Attacks on the analyst, and what ends them: a bound of ours, or `none` where the gas of a whole block is gone in time. */
const ATTACKS: { name: string; code: string; ends: string[] }[] = [
  { name: 'calls itself twice', code: '5f5f5f5f5f305af1505f5f5f5f5f305af100', ends: ['call depth'] },
  { name: 'calls itself once, as deep as it goes', code: '5f5f5f5f5f305af100', ends: ['call depth'] },
  { name: 'calls an account without code in a loop', code: '5b5f5f5f5f5f61dead5af1505f56', ends: ['call frames'] },
  {
    name: 'calls with a megabyte of input in a loop',
    code: '5b5f5f621000005f5f61dead5af1505f56',
    ends: ['call frames'],
  },
  { name: 'hashes 32 KB in a loop', code: '5b6180005f20505f56', ends: ['none', 'time'] },
  { name: 'calls BLAKE2F with 50 million rounds', code: '6302faf0805f525f5f60d5601c5f60095af100', ends: ['time'] },
  {
    name: 'checks pairings in a loop',
    code: `61018060195f395b60206101806101805f60085afa50600756${PAIRS}`,
    ends: ['time'],
  },
  { name: 'jumps in a loop', code: '5b5f56', ends: ['steps'] },
  { name: 'raises to large powers in a loop', code: '5b5f1960035f190a50505f56', ends: ['steps', 'time', 'none'] },
  { name: 'grows its memory word by word', code: '5b5f59525f56', ends: ['none', 'memory'] },
  { name: 'asks for much memory at once', code: '5f6290000052', ends: ['none'] },
  {
    name: 'stores far away',
    code: '5f7f800000000000000000000000000000000000000000000000000000000000000052',
    ends: ['none'],
  },
  { name: 'writes logs in a loop', code: '5b5f5fa05f56', ends: ['logs'] },
  { name: 'writes large logs in a loop', code: '5b6180005fa05f56', ends: ['log data'] },
  { name: 'returns a megabyte', code: '621000005ff3', ends: ['return data'] },
  { name: 'creates contracts in a loop', code: '5b5f5f5ff0505f56', ends: ['none'] },
  { name: 'creates contracts with large init code', code: '5b61c0005f5ff0505f56', ends: ['none'] },
  { name: 'fills transient storage', code: '5b5a5a5d5f56', ends: ['none', 'time'] },
  { name: 'fills transient storage with keys of one hash', code: '5b5a60401b5a905d5f56', ends: ['none', 'time'] },
]

/** A point of G1, and the generator of G2. */
function pairOf(x: bigint, y: bigint): Buffer {
  const g2 = [
    '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
  ]
  const words = [x, y].map((word) => word.toString(16).padStart(64, '0'))
  return Buffer.from([...words, ...g2].join(''), 'hex')
}

describe('an attack on the analyst', () => {
  test.each(ATTACKS)('$name: ends in time, with its reason', ({ code, ends }) => {
    const start = performance.now()
    expect(ends).toContain(attack(code))
    expect(performance.now() - start).toBeLessThan(DEADLINE_MS)
  })

  test('leaves no memory behind, however often it is repeated', { timeout: 120_000 }, () => {
    const cheap = ATTACKS.filter(({ name }) => /logs in a loop|without code|returns|far away|once/.test(name))
    const repeat = (times: number) => {
      for (let round = 0; round < times; round += 1) for (const { code } of cheap) attack(code)
      globalThis.gc?.()
      return process.memoryUsage().rss
    }
    const before = repeat(20)
    const after = repeat(180)
    expect(after / before).toBeLessThan(1.5)
  })

  test('leaves the engine usable, and the state as it was', () => {
    const evm = createEvm({
      state: createTestState({ [TARGET]: { code: '0x5b5f56' } }),
      block: TEST_BLOCK,
      hardfork: 'osaka',
      limits: { steps: 50_000 },
    })
    const balance = evm.account(TEST_SENDER).balance
    expect(() => evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: 1_000_000n })).toThrow(
      'Analysis resisted: steps',
    )
    expect(evm.account(TEST_SENDER)).toMatchObject({ balance, nonce: 0n })
  })
})

test.each([
  { limits: { frames: 100 }, code: '5b5f5f5f5f5f61dead5af1505f56', bound: 'call frames' },
  { limits: { depth: 10 }, code: '5f5f5f5f5f305af100', bound: 'call depth' },
  { limits: { frameMemoryBytes: 4_096 }, code: '5f61200052', bound: 'memory' },
  { limits: { returnDataBytes: 64 }, code: '60605ff3', bound: 'return data' },
  { limits: { logs: 2 }, code: '5b5f5fa05f56', bound: 'logs' },
  { limits: { logBytes: 64 }, code: '60605fa000', bound: 'log data' },
  { limits: { steps: 10_000 }, code: '5b5f56', bound: 'steps' },
  { limits: { wallClockMs: 50 }, code: '5b5f56', bound: 'time' },
])('names the bound that was reached: $bound', ({ limits, code, bound }) => {
  const state = createTestState({ [TARGET]: { code: `0x${code}` as const } })
  const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'prague', limits })
  expect(() => evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: GAS })).toThrow(`Analysis resisted: ${bound}`)
})

test('a call tree that outgrows its bound is marked, and the outcome stays whole', () => {
  const evm = createEvm({
    state: createTestState({ [TARGET]: { code: '0x60325b5f5f6110005f5f61dead5af150600190038060025700' } }),
    block: TEST_BLOCK,
    hardfork: 'osaka',
  })
  const trace = createCallTraceInspector({ maxBytes: 20_000 })
  const { status } = evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: 1_000_000n }, [trace])
  expect(status).toBe('success')
  expect(trace.isTruncated).toBe(true)
  expect(JSON.stringify(trace.finish()).length).toBeLessThan(60_000)
})

/** Runs the code with the largest gas limit and says which bound ended it, or `none`. */
function attack(code: string): string {
  const evm = createEvm({
    state: createTestState({ [TARGET]: { code: `0x${code}` } }),
    block: TEST_BLOCK,
    hardfork: 'prague',
  })
  try {
    evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: GAS }, [createCallTraceInspector()])
    return 'none'
  } catch (error) {
    if (error instanceof AnalysisResistedError) return error.shortMessage.replace('Analysis resisted: ', '')
    throw error
  }
}
