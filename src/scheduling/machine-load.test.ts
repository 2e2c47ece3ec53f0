import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { ownThreadId, type ThreadTime } from '../clock.js'
import { BaseError } from '../errors.js'
import { createBlame, createMachineLoad, isMachineBusy, type MachineLoad } from './machine-load.js'

const started: { load?: MachineLoad; workers: Worker[] } = { workers: [] }
afterEach(async () => {
  started.load?.stop()
  await Promise.all(started.workers.splice(0).map((worker) => worker.terminate()))
})

/** A machine of which each second is told: for how long two threads worked and waited. */
function setUp() {
  let at = 0
  const threads = new Map<string, ThreadTime>([
    ['1', { workedMs: 7_000, waitedMs: 9_000 }],
    ['2', { workedMs: 5, waitedMs: 5 }],
  ])
  const load = createMachineLoad({ now: () => at, read: () => new Map(threads) })
  started.load = load
  const pass = (workedMs: number, waitedMs: number, seconds = 1) => {
    for (let second = 0; second < seconds; second += 1) {
      at += 1_000
      for (const [id, time] of threads) {
        threads.set(id, { workedMs: time.workedMs + workedMs / 2, waitedMs: time.waitedMs + waitedMs / 2 })
      }
      load.look()
    }
  }
  return { load, threads, pass }
}

test('a machine on which our threads wait for processors is busy, until that is a quarter minute ago', () => {
  const { load, pass } = setUp()
  expect(load.isBusy()).toBe(false)
  pass(1_000, 100)
  expect(load.isBusy()).toBe(false)
  pass(500, 1_500, 5)
  expect(load.isBusy()).toBe(true)
  expect(load.waitedShare()).toBeCloseTo(7_600 / 11_100)
  pass(1_000, 100, 15)
  expect(load.isBusy()).toBe(false)
})

test('one that has nothing to do is not busy, whatever the little it does waits for', () => {
  const { load, pass } = setUp()
  pass(10, 90, 15)
  expect(load.waitedShare()).toBeCloseTo(0.9)
  expect(load.isBusy()).toBe(false)
})

test('what threads did before, and those that come and go, are left out', () => {
  const { load, threads, pass } = setUp()
  threads.set('3', { workedMs: 0, waitedMs: 1_000_000 })
  pass(1_000, 0)
  threads.delete('1')
  pass(1_000, 0)
  expect(load.waitedShare()).toBe(0)
})

test.skipIf(ownThreadId() === undefined)(
  'threads that want the same processors are seen to wait',
  async () => {
    const threads = 6 * availableParallelism()
    started.workers = Array.from({ length: threads }, () => new Worker('for (;;) {}', { eval: true }))
    const load = createMachineLoad()
    started.load = load
    await expect.poll(() => load.isBusy(), { timeout: 60_000 }).toBe(true)
  },
  90_000,
)

test('work that was told to stop is the machine’s doing only when it is busy', () => {
  const error = new BaseError('too late')
  const [late, inTime] = [AbortSignal.abort(), new AbortController().signal]
  expect(createBlame({ isBusy: () => true })(error, inTime)).toBe(error)
  expect(createBlame({ isBusy: () => false })(error, late)).toBe(error)
  const blamed = createBlame({ isBusy: () => true })(error, late)
  expect([isMachineBusy(blamed), (blamed as BaseError).cause]).toEqual([true, error])
})
