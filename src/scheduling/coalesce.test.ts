import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createCoalescing } from './coalesce.js'
import { createConcurrencyLimit, QueueFullError, QueueWaitEndedError } from './concurrency-limit.js'

const LONG = 60_000

/** Jobs that end when they are told to, in one slot unless said otherwise. */
function setUp({ concurrency = 1, maxWaiting = 64 } = {}) {
  const slots = createConcurrencyLimit({ concurrency, maxWaiting })
  const clock = createManualClock()
  const shared = createCoalescing<string>({ slots, clock })
  const started: { name: string; stopped: AbortSignal; end(result: string): void; fail(error: Error): void }[] = []
  const run = (name: string, { caller = 'a', signal = new AbortController().signal, softMs = LONG } = {}) => {
    const result = shared.run({ name, caller, signal, softMs }, ({ signal: stopped }) => {
      return new Promise<string>((end, fail) => started.push({ name, stopped, end, fail }))
    })
    // Each test looks at the results it is about.
    result.catch(() => {})
    return result
  }
  const names = () => started.map(({ name }) => name)
  return { slots, clock, started, names, run }
}

const settle = () => new Promise(setImmediate)

test('a job that is wanted twice runs once, for both', async () => {
  const { slots, started, names, run } = setUp({ concurrency: 2 })
  const results = [run('x'), run('x', { caller: 'b' }), run('y')]
  await settle()
  expect(names()).toEqual(['x', 'y'])
  expect(slots.running).toBe(2)
  started[0]?.end('of x')
  started[1]?.end('of y')
  expect(await Promise.all(results)).toEqual(['of x', 'of x', 'of y'])
})

test('a failure is that of all who wait, and the next to ask begins anew', async () => {
  const { started, names, run } = setUp()
  const results = [run('x'), run('x')]
  await settle()
  started[0]?.fail(new RangeError('no node'))
  for (const result of results) await expect(result).rejects.toThrow('no node')
  const again = run('x')
  await settle()
  expect(names()).toEqual(['x', 'x'])
  started[1]?.end('later')
  expect(await again).toBe('later')
})

test('a job that throws before it waits for anything fails like any other', async () => {
  const { slots, clock } = setUp()
  const request = { name: 'x', caller: 'a', signal: new AbortController().signal, softMs: LONG }
  const throws = () => {
    throw new RangeError('at once')
  }
  await expect(createCoalescing({ slots, clock }).run(request, throws)).rejects.toThrow('at once')
  expect(slots.running).toBe(0)
})

test('a job is joined for a second, not longer', async () => {
  const { clock, names, run } = setUp({ concurrency: 3 })
  run('x')
  clock.advance(999)
  run('x')
  await settle()
  expect(names()).toEqual(['x'])
  clock.advance(1)
  run('x')
  await settle()
  expect(names()).toEqual(['x', 'x'])
})

test('more may wait for a running job than for a slot', async () => {
  const { slots, started, run } = setUp({ concurrency: 1, maxWaiting: 1 })
  const results = Array.from({ length: 50 }, (_, i) => run('x', { caller: `caller ${i}` }))
  await settle()
  expect([slots.running, slots.waiting]).toEqual([1, 0])
  started[0]?.end('of x')
  expect(new Set(await Promise.all(results))).toEqual(new Set(['of x']))
})

test('begins at the first turn of any of its callers', async () => {
  const { started, names, run } = setUp()
  run('busy')
  for (const name of ['1', '2', '3', 'x']) run(name, { caller: 'loud' })
  await settle()
  const quiet = run('x', { caller: 'quiet' })
  await settle()
  for (const at of [0, 1, 2]) {
    started[at]?.end('done')
    await settle()
  }
  expect(names()).toEqual(['busy', '1', 'x', '2'])
  expect(await quiet).toBe('done')
})

test('leaves the queue of every caller when it has begun', async () => {
  const { slots, started, names, run } = setUp()
  run('busy')
  for (const caller of ['a', 'b', 'c']) run('x', { caller })
  await settle()
  expect(slots.waiting).toBe(3)
  started[0]?.end('done')
  await settle()
  expect([slots.running, slots.waiting]).toEqual([1, 0])
  started[1]?.end('done')
  await settle()
  expect([slots.running, slots.waiting]).toEqual([0, 0])
  expect(names()).toEqual(['busy', 'x'])
})

test('two turns at the same moment begin it once', async () => {
  const { slots, started, names, run } = setUp({ concurrency: 2 })
  run('one')
  run('two')
  await settle()
  const results = [run('x', { caller: 'b' }), run('x', { caller: 'c' })]
  started[0]?.end('done')
  started[1]?.end('done')
  await settle()
  expect(names()).toEqual(['one', 'two', 'x'])
  expect([slots.running, slots.waiting]).toEqual([1, 0])
  started[2]?.end('of x')
  expect(await Promise.all(results)).toEqual(['of x', 'of x'])
})

test('is told to stop when no caller is left, and not before', async () => {
  const { started, run } = setUp()
  const [first, second] = [new AbortController(), new AbortController()]
  run('x', { signal: first.signal })
  const joined = run('x', { caller: 'b', signal: second.signal })
  await settle()
  first.abort(new Error('the first left'))
  expect(started[0]?.stopped.aborted).toBe(false)
  second.abort(new Error('the second left'))
  expect(started[0]?.stopped.aborted).toBe(true)
  started[0]?.end('what was found until then')
  expect(await joined).toBe('what was found until then')
})

test('what was told to stop is joined by no caller', async () => {
  const { names, run } = setUp({ concurrency: 2 })
  const left = new AbortController()
  run('x', { signal: left.signal })
  await settle()
  left.abort()
  run('x')
  await settle()
  expect(names()).toEqual(['x', 'x'])
})

test('gives up the turn of a caller who left while another waits', async () => {
  const { slots, started, names, run } = setUp()
  const left = new AbortController()
  run('busy')
  const first = run('x', { signal: left.signal })
  run('x', { caller: 'b' })
  await settle()
  expect(slots.waiting).toBe(2)
  left.abort()
  await settle()
  expect(slots.waiting).toBe(1)
  const returned = run('x')
  await settle()
  expect(slots.waiting).toBe(2)
  started[0]?.end('done')
  await settle()
  expect(names()).toEqual(['busy', 'x'])
  started[1]?.end('of x')
  expect(await Promise.all([first, returned])).toEqual(['of x', 'of x'])
})

test('is never begun when all who asked left before its turn', async () => {
  const { slots, started, names, run } = setUp()
  const left = new AbortController()
  run('busy')
  const result = run('x', { signal: left.signal })
  await settle()
  left.abort()
  await expect(result).rejects.toThrow(QueueWaitEndedError)
  expect(slots.waiting).toBe(0)
  started[0]?.end('done')
  await settle()
  expect(names()).toEqual(['busy'])
})

test('a caller that left before it asked begins nothing', async () => {
  const { slots, names, run } = setUp()
  await expect(run('x', { signal: AbortSignal.abort() })).rejects.toThrow()
  await settle()
  expect(names()).toEqual([])
  expect([slots.running, slots.waiting]).toEqual([0, 0])
})

test('is told to stop when its time is over, and refused when it had no turn by then', async () => {
  const { started, run } = setUp()
  const running = run('x', { softMs: 20 })
  const waiting = run('y', { softMs: 20 })
  await expect(waiting).rejects.toThrow(QueueWaitEndedError)
  expect(started[0]?.stopped.aborted).toBe(true)
  started[0]?.end('what was found until then')
  expect(await running).toBe('what was found until then')
})

test('is refused when there is no room for any of its callers, and not for one of them', async () => {
  const { started, run } = setUp({ concurrency: 1, maxWaiting: 1 })
  run('busy')
  const queued = run('x')
  await settle()
  const joined = run('x', { caller: 'b' })
  await expect(run('y', { caller: 'c' })).rejects.toThrow(QueueFullError)
  started[0]?.end('done')
  await settle()
  started[1]?.end('of x')
  expect(await Promise.all([queued, joined])).toEqual(['of x', 'of x'])
})
