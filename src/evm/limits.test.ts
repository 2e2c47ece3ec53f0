import { expect, test } from 'vitest'
import type { Address } from '../hex.js'
import { createEvm } from './create-evm.js'
import { createCallTraceInspector } from './inspectors/call-trace.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from './testing.js'

const TARGET: Address = '0x00000000000000000000000000000000000a77ac'
/** More than any of the bounds leaves room for. */
const GAS = 60_000_000n

test('an attack leaves the engine usable, and the state as it was', () => {
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

test.each([
  { limits: { frames: 100 }, code: '5b5f5f5f5f5f61dead5af1505f56', bound: 'call frames' },
  { limits: { depth: 10 }, code: '5f5f5f5f5f305af100', bound: 'call depth' },
  { limits: { frameMemoryBytes: 4_096 }, code: '5f61200052', bound: 'memory' },
  { limits: { returnDataBytes: 64 }, code: '60605ff3', bound: 'return data' },
  { limits: { logs: 2 }, code: '5b5f5fa05f56', bound: 'logs' },
  { limits: { logBytes: 64 }, code: '60605fa000', bound: 'log data' },
  { limits: { steps: 10_000 }, code: '5b5f56', bound: 'steps' },
  // What one opcode does a lot of: 100 hashes of 32 KB, a thousand slots, contracts with 48 KB of
  // init code, large powers.
  { limits: { steps: 100_000 }, code: '5b6180005f20505f56', bound: 'steps' },
  { limits: { steps: 100_000 }, code: '5b5a60401b5a905d5f56', bound: 'steps' },
  { limits: { steps: 100_000 }, code: '5b61c0005f5ff0505f56', bound: 'steps' },
  { limits: { steps: 1_000_000 }, code: '5b5f1960035f190a50505f56', bound: 'steps' },
  { limits: { precompileMicros: 10_000 }, code: '6302faf0805f525f5f60d5601c5f60095af100', bound: 'precompiles' },
  { limits: { wallClockMs: 1 }, code: '5b5f56', bound: 'time', says: 'Our analysis did not finish in its time' },
])('names the bound that was reached: $bound', ({ limits, code, bound, says = `Analysis resisted: ${bound}` }) => {
  const state = createTestState({ [TARGET]: { code: `0x${code}` as const } })
  const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'prague', limits })
  expect(() => evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: GAS })).toThrow(says)
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
  expect(trace.finish().isTruncated).toBe(true)
  expect(JSON.stringify(trace.finish()).length).toBeLessThan(60_000)
})
