import { setImmediate as soon } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createRpcBudget, RpcBudgetError, withinBudget } from './budget.js'

const clock = createManualClock()
const warnings: Error[] = []
const note = (warning: Error) => void warnings.push(warning)
afterEach(() => {
  process.removeListener('warning', note)
  warnings.length = 0
})

test('hundreds of waits on one signal end with it, and are not called a leak', async () => {
  process.on('warning', note)
  const controller = new AbortController()
  const budget = createRpcBudget({ clock, signal: controller.signal })
  const waits = Array.from({ length: 300 }, () => withinBudget(new Promise<never>(() => {}), budget))
  await soon()
  controller.abort()
  for (const wait of await Promise.allSettled(waits)) {
    expect(wait).toMatchObject({ status: 'rejected', reason: expect.any(RpcBudgetError) })
  }
  expect(warnings).toEqual([])
})

test('calls are counted over all requests, and refused beyond the budget', () => {
  const budget = createRpcBudget({ clock, maxCalls: 5 })
  budget.spend(3)
  budget.spend(2)
  expect(() => budget.spend(1)).toThrow(new RpcBudgetError('out of calls'))
  expect(budget).toMatchObject({ calls: 5, httpRequests: 2 })
})

test('nothing can be spent once the time is over', () => {
  const time = createManualClock()
  const budget = createRpcBudget({ clock: time, deadlineMs: 1_000 })
  time.advance(999)
  budget.spend(1)
  time.advance(1)
  expect(() => budget.spend(1)).toThrow(new RpcBudgetError('out of time'))
})
