import { expect, test } from 'vitest'
import { createSlots, SlotsFullError, SlotWaitEndedError } from './slots.js'

const never = new AbortController().signal

/** Starts jobs that end when they are told to, and notes the order in which they began. */
const setUp = (options = { concurrency: 1, maxWaiting: 64 }) => {
  const slots = createSlots(options)
  const started: string[] = []
  const endings = new Map<string, () => void>()
  const start = (name: string, { caller = 'a', signal = never } = {}) =>
    slots.run({ caller, signal }, () => {
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
  await expect(start('4')).rejects.toThrow(SlotsFullError)
})

test('takes turns between callers', async () => {
  const { started, start, end } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'a4']) start(name, { caller: 'a' })
  for (const name of ['b1', 'b2']) start(name, { caller: 'b' })
  await new Promise(setImmediate)
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await end(name)
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
})

test('35: a job that nobody waits for any more never starts and leaves its place', async () => {
  const { slots, started, start, end } = setUp({ concurrency: 1, maxWaiting: 1 })
  const controller = new AbortController()
  start('1')
  const gone = start('2', { signal: controller.signal })
  controller.abort(new Error('left'))
  await expect(gone).rejects.toThrow(SlotWaitEndedError)
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
  const slots = createSlots({ concurrency: 1, maxWaiting: 1 })
  const fail = () => slots.run({ caller: 'a', signal: never }, () => Promise.reject(new Error('broken')))
  for (let i = 0; i < 5; i += 1) await expect(fail()).rejects.toThrow('broken')
  expect(slots.running).toBe(0)
})

/** Jobs that take room until they are told to end, on a machine with room for so many. */
const setUpRoom = (room: number) => {
  const started: string[] = []
  const endings = new Map<string, () => void>()
  const machine = { room, asked: 0 }
  const slots = createSlots({
    concurrency: 1,
    maxConcurrency: 4,
    maxWaiting: 64,
    hasRoom() {
      machine.asked += 1
      return started.length < machine.room
    },
  })
  const start = (name: string) =>
    slots.run({ caller: name, signal: never }, () => {
      started.push(name)
      return new Promise<void>((resolve) => endings.set(name, resolve))
    })
  return { slots, machine, started, start, end: (name: string) => endings.get(name)?.() }
}

test('more jobs begin, one by one, as long as there is room for them', async () => {
  const { slots, machine, started, start, end } = setUpRoom(3)
  for (const name of ['1', '2', '3', '4', '5', '6']) start(name)
  await new Promise(setImmediate)
  expect(started).toEqual(['1'])
  await expect.poll(() => started).toEqual(['1', '2', '3'])
  machine.room = 6
  await expect.poll(() => started).toEqual(['1', '2', '3', '4'])
  // As many as there may be: nobody looks for room any more.
  const { asked } = machine
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(machine.asked).toBe(asked)
  expect([slots.running, slots.waiting]).toEqual([4, 2])
  end('2')
  await expect.poll(() => started).toEqual(['1', '2', '3', '4', '5'])
  for (const name of ['1', '3', '4', '5']) end(name)
  await expect.poll(() => started).toHaveLength(6)
  end('6')
  await expect.poll(() => [slots.running, slots.waiting]).toEqual([0, 0])
})

test('without room, jobs begin as others end', async () => {
  const { slots, started, start, end } = setUpRoom(0)
  for (const name of ['1', '2', '3']) start(name)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(started).toEqual(['1'])
  end('1')
  await expect.poll(() => started).toEqual(['1', '2'])
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
  await expect(run('too late')).rejects.toThrow(SlotWaitEndedError)
  expect(slots.waiting).toBe(0)
  await inTime
  const next = start('next')
  await new Promise(setImmediate)
  await end('next')
  await next
  expect(started).toEqual(['in time', 'next'])
})
