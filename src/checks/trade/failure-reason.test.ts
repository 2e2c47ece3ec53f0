import { expect, test } from 'vitest'
import type { CallFrame } from '../../evm/inspector.js'
import { failureReason } from './failure-reason.js'

const TOKEN = '0x00000000000000000000000000000000000a11ce'
const ROUTER = '0x00000000000000000000000000000000000f0123'

const frame = (to: CallFrame['from'], rest: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from: ROUTER,
  to,
  gas: '0x1',
  gasUsed: '0x1',
  input: '0x',
  ...rest,
})
const reverted = { error: 'execution reverted' }

test('names the reason of the frame that began it, not of the router that passed it on', () => {
  const top = frame(ROUTER, {
    ...reverted,
    revertReason: 'TransferHelper: TRANSFER_FROM_FAILED',
    calls: [frame(TOKEN), frame(TOKEN, { ...reverted, revertReason: 'Trading is not open' })],
  })
  expect(failureReason(top, TOKEN)).toBe('reverted in the token: Trading is not open')
})

test('says where it happened when that is elsewhere', () => {
  const top = frame(TOKEN, { ...reverted, calls: [frame(ROUTER, { ...reverted, revertReason: 'K' })] })
  expect(failureReason(top, TOKEN)).toBe(`reverted in ${ROUTER}: K`)
})

test('a failure that was caught and did no harm is not the reason of a later one', () => {
  const top = frame(ROUTER, {
    ...reverted,
    calls: [frame(TOKEN, { ...reverted, revertReason: 'caught' }), frame(TOKEN, { error: 'out of gas' })],
  })
  expect(failureReason(top, TOKEN)).toBe('reverted in the token: out of gas')
})

test('success has no reason', () => {
  expect(failureReason(frame(ROUTER, { calls: [frame(TOKEN, reverted)] }), TOKEN)).toBe('')
})

test('a hostile reason stays one visible line', () => {
  const top = frame(TOKEN, { ...reverted, revertReason: 'a\n\u202Eb\u0007'.padEnd(5_000, 'x') })
  const reason = failureReason(top, TOKEN)
  expect(reason).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(reason.length).toBeLessThan(240)
})
