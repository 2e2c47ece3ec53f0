import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../../../test/fuzz/runs.js'
import { ethereum } from '../../chains/ethereum.js'
import { createEvm } from '../../evm/create-evm.js'
import type { CallFrame, Log } from '../../evm/inspector.js'
import { createCallTraceInspector } from '../../evm/inspectors/call-trace.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../../evm/testing.js'
import type { Address, Hex } from '../../hex.js'
import { boundTraces } from './bound-traces.js'
import { nothingHappened } from './round-trip-facts.js'

const TARGET: Address = `0x${'7a'.repeat(20)}`
const factsWith = (calls: CallFrame[], logs: Log[] = [], returnData: Hex = '0x') => ({
  ...nothingHappened('token', ethereum),
  calls,
  logs,
  returnData,
})

/**
 * Runs code that hands a megabyte to the identity precompile until its gas is gone, as the
 * outermost frame and as a log.
 */
function runHostile(code: Hex): { call: CallFrame; logs: Log[] } {
  const evm = createEvm({ state: createTestState({ [TARGET]: { code } }), block: TEST_BLOCK, hardfork: 'osaka' })
  const trace = createCallTraceInspector()
  const { logs } = evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: 12_000_000n }, [trace])
  return { call: trace.finish(), logs: [...logs] }
}

// JUMPDEST; staticcall(gas, 4, 0, 1 MiB, 0, 1 MiB); pop; PUSH0 JUMP while gas is more than 600,000.
const IDENTITY_LOOP = '0x5b621000005f621000005f60045afa50620927c05a115f5700'
// log0(0, 512 KiB)
const LONG_LOG = '0x620800005fa000'

test.each(['short', 'full'] as const)(
  'a contract that passes a megabyte around cannot inflate a %s report',
  (length) => {
    const { call } = runHostile(IDENTITY_LOOP)
    expect(call.calls?.length).toBeGreaterThan(10)
    const calls = Array.from({ length: 8 }, () => call)
    const { isTruncated, ...bounded } = boundTraces(factsWith(calls), length)
    expect(isTruncated).toBe(true)
    expect(JSON.stringify(bounded.calls).length).toBeLessThan(length === 'short' ? 560_000 : 4_500_000)
    const inner = bounded.calls[0]?.calls?.[0]
    expect([inner?.inputBytes, inner?.isTruncated]).toEqual([1_048_576, true])
    expect(inner?.input.length).toBe(2 + 2 * (length === 'short' ? 4_096 : 65_536))
  },
)

test('the recorder itself keeps no more than a beginning of each piece', () => {
  const { call } = runHostile(IDENTITY_LOOP)
  for (const inner of call.calls ?? []) {
    expect(inner.input.length).toBeLessThanOrEqual(2 + 2 * 65_536)
    expect([inner.inputBytes, inner.outputBytes]).toContain(1_048_576)
  }
  expect(JSON.stringify(call).length).toBeLessThan(9_000_000)
})

test('a long log is shown by its beginning, with its true length', () => {
  const { logs } = runHostile(LONG_LOG)
  const { logs: shown, isTruncated } = boundTraces(factsWith([], logs))
  expect([isTruncated, shown.map(({ dataBytes }) => dataBytes)]).toEqual([true, [524_288]])
  expect(shown[0]?.data.length).toBe(2 + 2 * 4_096)
})

test('long return data too', () => {
  const bounded = boundTraces(factsWith([], [], `0x${'ab'.repeat(5_000)}`))
  expect([bounded.returnDataBytes, bounded.returnData.length, bounded.isTruncated]).toEqual([5_000, 8_194, true])
})

const dataOf = fc.nat(3_000).map((bytes): Hex => `0x${'cd'.repeat(bytes)}`)
const frameOf = (calls: fc.Arbitrary<CallFrame[]>): fc.Arbitrary<CallFrame> =>
  fc.record({ input: dataOf, output: fc.option(dataOf, { nil: undefined }), calls }).map((made) => ({
    ...({ type: 'CALL', from: TARGET, to: TARGET, gas: '0x1', gasUsed: '0x1', input: made.input } as const),
    ...(made.output && { output: made.output }),
    ...(made.calls.length > 0 && { calls: made.calls }),
  }))
const leaf = frameOf(fc.constant([]))
const tree = frameOf(fc.array(frameOf(fc.array(leaf, { maxLength: 4 })), { maxLength: 4 }))

test('an ordinary trace is shown whole', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 3 }), (calls) => {
      fc.pre(JSON.stringify(calls).length < 200_000)
      const bounded = boundTraces(factsWith(calls))
      expect(JSON.parse(JSON.stringify(bounded.calls))).toEqual(calls)
      expect(bounded.isTruncated).toBe(false)
    }),
    fuzz(50),
  )
})

test('whatever the tree, the report stays within its bound and says when something is missing', () => {
  const wide = (frame: CallFrame): CallFrame => ({ ...frame, calls: Array.from({ length: 5_000 }, () => frame) })
  fc.assert(
    fc.property(tree, (frame) => {
      const bounded = boundTraces(factsWith([wide(frame), wide(frame)]))
      expect(JSON.stringify(bounded.calls).length).toBeLessThan(560_000)
      expect([bounded.isTruncated, bounded.calls[0]?.isTruncated]).toEqual([true, true])
    }),
    fuzz(10),
  )
})
