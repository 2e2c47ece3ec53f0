import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import {
  type ConcurrencyLimitOptions,
  createConcurrencyLimit,
  QueueFullError,
  QueueWaitEndedError,
} from './concurrency-limit.js'
import { createRecentTime } from './recent-time.js'

const never = new AbortController().signal

/** Starts jobs that end when they are told to, and notes the order in which they began. */
const setUp = (options: ConcurrencyLimitOptions = { concurrency: 1, maxWaiting: 64 }) => {
  const slots = createConcurrencyLimit(options)
  const started: string[] = []
  const endings = new Map<string, () => void>()
  const start = (name: string, { caller = 'a', signal = never, isShort = false } = {}) =>
    slots.run({ caller, signal, isShort }, () => {
      started.push(name)
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)))
    })
  const end = async (name: string) => {
    endings.get(name)?.()
    await new Promise(setImmediate)
  }
  return { slots, started, start, end }
}

test('runs as many jobs as there are slots, and the next when one ends', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 2, maxWaiting: 64 })
  const first = start('1')
  start('2')
  start('3')
  await new Promise(setImmediate)
  expect(started).toEqual(['1', '2'])
  expect([slots.running, slots.waiting]).toEqual([2, 1])
  await end('1')
  expect(await first).toBe('1')
  expect(started).toEqual(['1', '2', '3'])
})

test('refuses at once when too many wait', async () => {
  const { start } = setUp({ concurrency: 1, maxWaiting: 2 })
  for (const name of ['1', '2', '3']) start(name)
  await expect(start('4')).rejects.toThrow(QueueFullError)
})

test('a caller that waits for much gives places to those who wait for less, its newest first', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 1, maxWaiting: 4 })
  const ends = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => start(name, { caller: 'a' }).catch(() => `no ${name}`))
  start('b1', { caller: 'b' })
  start('c1', { caller: 'c' })
  expect(await Promise.all(ends.slice(3))).toEqual(['no a4', 'no a5'])
  expect(slots.waiting).toBe(4)
  for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
})

test('a caller takes no place from one that has as few', async () => {
  const { slots, start } = setUp({ concurrency: 1, maxWaiting: 2 })
  start('a1', { caller: 'a' })
  start('b1', { caller: 'b' })
  start('c1', { caller: 'c' })
  await expect(start('d1', { caller: 'd' })).rejects.toThrow(QueueFullError)
  await expect(start('b2', { caller: 'b' })).rejects.toThrow(QueueFullError)
  expect(slots.waiting).toBe(2)
})

test('takes turns between callers', async () => {
  const { started, start, end } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'a4']) start(name, { caller: 'a' })
  for (const name of ['b1', 'b2']) start(name, { caller: 'b' })
  await new Promise(setImmediate)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('35: a job that no caller waits for any more never starts and leaves its place', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 1, maxWaiting: 1 })
  const controller = new AbortController()
  start('1')
  const gone = start('2', { signal: controller.signal })
  controller.abort(new Error('left'))
  await expect(gone).rejects.toThrow(QueueWaitEndedError)
  expect(slots.waiting).toBe(0)
  start('3')
  await end('1')
  expect(started).toEqual(['1', '3'])
})

test('a job that is not needed from the beginning is not started', async () => {
  const { slots, start } = setUp()
  await expect(start('1', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left')
  expect([slots.running, slots.waiting]).toEqual([0, 0])
})

test('a job that fails frees its slot', async () => {
  const slots = createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 })
  const fail = () => slots.run({ caller: 'a', signal: never }, () => Promise.reject(new Error('broken')))
  for (let i = 0; i < 5; i += 1) await expect(fail()).rejects.toThrow('broken')
  expect(slots.running).toBe(0)
})

test('a short job begins at once beside long ones of its own caller', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 2, shortPlaces: 1, maxWaiting: 64 })
  for (const name of ['1', '2', '3', '4']) start(name)
  start('s', { isShort: true })
  await new Promise(setImmediate)
  expect(started).toEqual(['1', '2', 's'])
  expect([slots.running, slots.waiting]).toEqual([3, 2])
  await end('s')
  expect([slots.running, slots.waiting]).toEqual([2, 2])
  start('t', { isShort: true })
  await end('1')
  await end('2')
  expect(started).toEqual(['1', '2', 's', 't', '3', '4'])
  expect([slots.running, slots.waiting]).toEqual([3, 0])
})

test('a short job that waits takes the place of the short one before it', async () => {
  const { started, start, end } = setUp({ concurrency: 1, shortPlaces: 1, maxWaiting: 64 })
  start('1')
  start('2')
  for (const name of ['s', 't']) start(name, { caller: name, isShort: true })
  await new Promise(setImmediate)
  expect(started).toEqual(['1', 's'])
  await end('s')
  expect(started).toEqual(['1', 's', 't'])
})

test('where only short jobs run, no more of them do than of others', async () => {
  const { slots, start, end } = setUp({ concurrency: 2, shortPlaces: 1, maxWaiting: 64 })
  for (const name of ['r', 's', 't', 'u']) start(name, { isShort: true })
  await new Promise(setImmediate)
  expect([slots.running, slots.waiting]).toEqual([2, 2])
  await end('r')
  expect([slots.running, slots.waiting]).toEqual([2, 1])
})

/** Jobs on a machine that has room for more of them or not. */
const setUpRoom = () => {
  const machine = { hasRoom: true }
  const slots = createConcurrencyLimit({
    concurrency: 1,
    maxConcurrency: 4,
    maxWaiting: 64,
    hasRoom: () => machine.hasRoom,
  })
  const endings: (() => void)[] = []
  const start = (caller: string, count = 1, lane?: string) => {
    for (let i = 0; i < count; i += 1) {
      slots.run({ caller, lane, signal: never }, () => new Promise<void>((resolve) => endings.push(resolve)))
    }
  }
  const endOne = async () => {
    endings.shift()?.()
    await new Promise(setImmediate)
  }
  const reach = (running: number, waiting: number) =>
    expect.poll(() => [slots.running, slots.waiting], { interval: 5 }).toEqual([running, waiting])
  /** Longer than anything here waits for. */
  const pass = () => new Promise((resolve) => setTimeout(resolve, 300))
  return { slots, machine, start, endOne, reach, pass }
}

test('where there is room, twice as many run, and one more for each job that ends, up to the most there may be', async () => {
  const { start, endOne, reach, pass, slots } = setUpRoom()
  start('a', 20)
  await reach(2, 18)
  await pass()
  expect(slots.running).toBe(2)
  await endOne()
  await reach(3, 16)
  await endOne()
  await reach(4, 14)
  await endOne()
  await pass()
  expect([slots.running, slots.waiting]).toEqual([4, 13])
})

test('where room is gone, no job begins until enough have ended', async () => {
  const { machine, start, endOne, reach, pass, slots } = setUpRoom()
  start('a', 20)
  for (const running of [2, 3, 4]) {
    await reach(running, 22 - 2 * running)
    if (running < 4) await endOne()
  }
  machine.hasRoom = false
  for (const running of [3, 2, 1, 1]) {
    await endOne()
    expect(slots.running).toBe(running)
  }
  await pass()
  expect(slots.running).toBe(1)
  machine.hasRoom = true
  await reach(2, slots.waiting - 1)
})

test('what is not needed any more is not kept for those who come later', async () => {
  const { start, endOne, reach, pass, slots } = setUpRoom()
  start('a', 9)
  for (let ended = 0; ended < 9; ended += 1) {
    await expect.poll(() => slots.running).toBeGreaterThan(0)
    await pass()
    await endOne()
  }
  await reach(0, 0)
  start('a', 9)
  await pass()
  expect([slots.running, slots.waiting]).toEqual([2, 7])
})

test('a caller that has nothing running is served beside one that has several', async () => {
  const { machine, start, reach, pass, slots } = setUpRoom()
  start('a', 5)
  await reach(2, 3)
  machine.hasRoom = false
  start('b', 2)
  await reach(3, 4)
  await pass()
  expect(slots.running).toBe(3)
  start('c')
  start('d')
  await reach(4, 5)
})

test('jobs of a lane that is slow keep those of another lane waiting no longer than a moment', async () => {
  const { machine, start, reach, pass, slots } = setUpRoom()
  for (const caller of ['a', 'b', 'c', 'd']) start(caller, 1, 'slow')
  await reach(2, 2)
  start('e', 1, 'well')
  await reach(3, 2)
  machine.hasRoom = false
  start('f', 1, 'third')
  await pass()
  expect([slots.running, slots.waiting]).toEqual([3, 3])
  machine.hasRoom = true
  await reach(4, 2)
})

test('when all places are taken, a lane that has most of them gives one to a lane that has fewer', async () => {
  const slots = createConcurrencyLimit({ concurrency: 1, maxWaiting: 3 })
  const run = (caller: string, lane: string) =>
    slots.run({ caller, lane, signal: never }, () => new Promise<string>(() => {}))
  const ends = ['a', 'b', 'c', 'd'].map((caller) => run(caller, 'slow').catch(() => `no ${caller}`))
  run('e', 'well').catch(() => {})
  expect(await ends[3]).toBe('no d')
  await expect(run('f', 'slow')).rejects.toThrow(QueueFullError)
  expect(slots.waiting).toBe(3)
})

test('where each caller has one job running, the others wait for their turn', async () => {
  const { machine, start, endOne, pass, slots } = setUpRoom()
  machine.hasRoom = false
  for (const caller of ['a', 'b', 'c']) start(caller)
  await pass()
  expect([slots.running, slots.waiting]).toEqual([1, 2])
  await endOne()
  expect([slots.running, slots.waiting]).toEqual([1, 1])
})

test('a turn that comes too late is given up, one that came in time is not', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 1, maxWaiting: 64 })
  const run = (name: string) =>
    slots.run({ caller: 'b', signal: never, waitMs: 30 }, () => {
      started.push(name)
      return new Promise((resolve) => setTimeout(resolve, 90))
    })
  const inTime = run('in time')
  await expect(run('too late')).rejects.toThrow(QueueWaitEndedError)
  expect(slots.waiting).toBe(0)
  await inTime
  const next = start('next')
  await new Promise(setImmediate)
  await end('next')
  await next
  expect(started).toEqual(['in time', 'next'])
})

describe('where the jobs of some take long', () => {
  const setUpTime = (maxConcurrency = 3) => {
    const clock = createManualClock()
    const recentTime = createRecentTime({ concurrency: 2, now: clock.monotonic })
    const slots = createConcurrencyLimit({ concurrency: 2, maxConcurrency, maxWaiting: 64, recentTime })
    const started: string[] = []
    const endings = new Map<string, () => void>()
    const start = (...names: string[]) => {
      for (const name of names) {
        slots.run({ caller: name[0] ?? '', signal: never }, () => {
          started.push(name)
          return new Promise<void>((resolve) => endings.set(name, resolve))
        })
      }
    }
    const reach = (...names: string[]) => expect.poll(() => started, { interval: 5 }).toEqual(names)
    const end = (name: string) => endings.get(name)?.()
    return { clock, slots, start, end, reach }
  }

  test('a caller whose jobs take little begins at once beside callers that hold all slots', async () => {
    const { clock, start, reach } = setUpTime()
    start('a1', 'b1', 'a2', 'b2')
    await reach('a1', 'b1')
    clock.advance(1_100)
    start('v1')
    await reach('a1', 'b1', 'v1')
  })

  test('a second such caller is next, before those that came earlier and took more', async () => {
    const { clock, start, end, reach } = setUpTime()
    start('a1', 'b1', 'a2', 'b2')
    await reach('a1', 'b1')
    clock.advance(1_100)
    start('v1', 'w1')
    await reach('a1', 'b1', 'v1')
    end('a1')
    await reach('a1', 'b1', 'v1', 'w1')
  })

  test('callers whose jobs take as little take turns, and none begins beside another', async () => {
    const { clock, slots, start, end, reach } = setUpTime()
    start('a1', 'b1', 'a2', 'b2', 'v1')
    await reach('a1', 'b1')
    clock.advance(900)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(slots.running).toBe(2)
    end('a1')
    await reach('a1', 'b1', 'a2')
    end('b1')
    await reach('a1', 'b1', 'a2', 'b2')
    end('a2')
    await reach('a1', 'b1', 'a2', 'b2', 'v1')
  })

  test('callers whose jobs are long because they share the processors are no longer than others', async () => {
    const { clock, slots, start, reach } = setUpTime(8)
    start('a1', 'b1')
    await reach('a1', 'b1')
    clock.advance(1_100)
    start('c1', 'd1')
    await reach('a1', 'b1', 'c1', 'd1')
    clock.advance(1_100)
    start('e1')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([slots.running, slots.waiting]).toEqual([4, 1])
    clock.advance(1_600)
    start('f1')
    await reach('a1', 'b1', 'c1', 'd1', 'e1')
  })

  test('what a caller took is forgiven in time', async () => {
    const { clock, start, end, reach } = setUpTime()
    start('a1', 'b1')
    await reach('a1', 'b1')
    clock.advance(2_000)
    end('a1')
    start('a2', 'c1', 'd1')
    await reach('a1', 'b1', 'c1', 'd1')
    clock.advance(15_000)
    end('d1')
    await reach('a1', 'b1', 'c1', 'd1', 'a2')
  })
})
