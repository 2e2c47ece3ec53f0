import { expect, test } from 'vitest'
import type { SolanaAddress } from '../../../solana/address.js'
import { TOKEN_PROGRAM } from '../../../solana/programs.js'
import type { InnerCall } from '../../../solana/transaction-result.js'
import { traceOf } from './trace.js'

const PAYER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' as SolanaAddress
const step = { program: TOKEN_PROGRAM, accounts: [], data: new Uint8Array(9) }
const inner = (bytes: number): InnerCall => ({
  ...{ instruction: 0, program: TOKEN_PROGRAM, data: new Uint8Array(bytes), accounts: [], stackHeight: 2 },
})
const logged = (bytes: number) => [
  `Program ${TOKEN_PROGRAM} invoke [1]`,
  `Program data: ${Buffer.alloc(bytes).toString('base64')}`,
  `Program ${TOKEN_PROGRAM} success`,
]
const trace = (calls: InnerCall[], logs: string[]) =>
  traceOf([{ step, result: { ok: true, inner: calls, logs } }], PAYER)

test('a trace that is whole does not say that it was cut', () => {
  const { calls, logs, isTruncated } = trace([inner(4_096)], logged(4_096))
  expect([calls.length, logs.length, isTruncated]).toEqual([2, 1, false])
  expect([calls[1]?.dataBytes, logs[0]?.dataBytes]).toEqual([undefined, undefined])
})

test('long data is cut, and says how long it was', () => {
  const { calls, logs, isTruncated } = trace([inner(5_000)], logged(4_097))
  expect([calls[1]?.data.length, calls[1]?.dataBytes]).toEqual([4_096, 5_000])
  expect([logs[0]?.data.length, logs[0]?.dataBytes]).toEqual([4_096, 4_097])
  expect(isTruncated).toBe(true)
})

test.each([
  ['calls', Array.from({ length: 200 }, () => inner(1)), []],
  ['logs', [], Array.from({ length: 65 }, () => logged(1)).flat()],
  ['what the runtime kept', [], [...logged(1), 'Log truncated']],
])('%s that were left out are said', (_, calls, logs) => {
  const traced = trace(calls, logs)
  expect(traced.isTruncated).toBe(true)
  expect(traced.calls.length).toBeLessThanOrEqual(128)
  expect(traced.logs.length).toBeLessThanOrEqual(64)
})
