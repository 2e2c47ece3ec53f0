import { expect, test } from 'vitest'
import { createWorkClock } from './clock.js'

/** Blocks the thread without working. */
const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('the work clock counts work', () => {
  const clock = createWorkClock()
  const start = clock.monotonic()
  let sum = 0
  for (let i = 0; clock.monotonic() - start < 30; i += 1) sum += i
  expect(sum).toBeGreaterThan(0)
})

test.runIf(process.platform === 'linux')('and not the time in which the thread has nothing to do', () => {
  const clock = createWorkClock()
  const start = clock.monotonic()
  for (let i = 0; i < 10; i += 1) {
    sleep(30)
    clock.monotonic()
  }
  expect(clock.monotonic() - start).toBeLessThan(150)
})
