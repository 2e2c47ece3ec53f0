import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeUses } from './write-uses.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('writes every ten seconds, and once more at the end', async () => {
  let writes = 0
  const flush = async () => {
    writes += 1
  }
  const uses = writeUses([{ flush }], () => expect.unreachable())
  await vi.advanceTimersByTimeAsync(30_000)
  expect(writes).toBe(3)
  await uses.stop()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(writes).toBe(4)
})

test('a failure is reported and does not end it', async () => {
  const failures: unknown[] = []
  const uses = writeUses([{ flush: () => Promise.reject(new Error('disk full')) }], (error) => failures.push(error))
  await vi.advanceTimersByTimeAsync(20_000)
  await uses.stop()
  expect(failures.length).toBe(3)
})
