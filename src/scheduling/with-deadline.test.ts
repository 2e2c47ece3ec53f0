import { expect, test } from 'vitest'
import { DeadlineError, withDeadline } from './with-deadline.js'

const never = () => new Promise<never>(() => {})

/** Work that says what it has when it is told to stop. */
const heeding = (signal: AbortSignal) =>
  new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('as far as it came')))

test('gives what the work gives', async () => {
  expect(await withDeadline({ ms: 60_000 }, async () => 7)).toBe(7)
  expect(await withDeadline({}, async () => 8)).toBe(8)
})

test('rejects as the work does', async () => {
  const broken = withDeadline({ ms: 60_000 }, () => Promise.reject(new RangeError('own')))
  await expect(broken).rejects.toThrow('own')
})

test('work that does not listen is given up when its time is over', async () => {
  await expect(withDeadline({ ms: 1 }, never)).rejects.toBeInstanceOf(DeadlineError)
  await expect(withDeadline({ ms: 1, graceMs: 1 }, never)).rejects.toBeInstanceOf(DeadlineError)
})

test('work that is told to stop may still say what it found, within its grace', async () => {
  expect(await withDeadline({ ms: 1, graceMs: 60_000 }, heeding)).toBe('as far as it came')
})

test('the reason of a caller who left is the reason of the work', async () => {
  const caller = new AbortController()
  const reasons: unknown[] = []
  const work = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason))
    return never()
  }
  const result = withDeadline({ ms: 60_000, signal: caller.signal }, work)
  caller.abort(new RangeError('left'))
  await expect(result).rejects.toThrow('left')
  expect(reasons).toEqual([caller.signal.reason])
})

test('work that no caller wants is not begun', async () => {
  let hasBegun = false
  const work = async () => {
    hasBegun = true
  }
  await expect(withDeadline({ signal: AbortSignal.abort(new RangeError('left')) }, work)).rejects.toThrow('left')
  expect(hasBegun).toBe(false)
})

test('work may wait for as much at once as it likes, and none of it is called a leak', async () => {
  const warned: string[] = []
  const note = ({ message }: Error) => void warned.push(message)
  process.on('warning', note)
  await withDeadline({ ms: 60_000 }, async (signal) => {
    for (let i = 0; i < 40; i += 1) signal.addEventListener('abort', () => {})
    await new Promise(setImmediate)
  })
  process.off('warning', note)
  expect(warned).toEqual([])
})
