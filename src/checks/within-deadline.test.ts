import { expect, test, vi } from 'vitest'
import { createBlame } from '../scheduling/machine-load.js'
import { withinDeadline } from './within-deadline.js'

const SOON = { ms: 10_000, subject: 'the holders', signal: undefined }

test('work that is done in time', async () => {
  const onFailure = vi.fn()
  expect(await withinDeadline({ ...SOON, onFailure }, async () => 7)).toEqual({ done: 7 })
  expect(onFailure).not.toHaveBeenCalled()
})

test('work that fails is told of and fails nothing', async () => {
  const onFailure = vi.fn()
  const error = new Error('broken')
  expect(await withinDeadline({ ...SOON, onFailure }, () => Promise.reject(error))).toEqual({
    late: 'the holders could not be looked at',
    isBusy: false,
  })
  expect(onFailure).toHaveBeenCalledWith(error)
})

test('work that never ends is left, whether it listens or not', async () => {
  const onFailure = vi.fn()
  const deaf = () => new Promise<never>(() => {})
  const listening = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  for (const work of [deaf, listening]) {
    expect(await withinDeadline({ ...SOON, ms: 5, onFailure }, work)).toEqual({
      late: 'the time for the holders was over',
      isBusy: false,
    })
  }
  expect(onFailure).not.toHaveBeenCalled()
})

test('work that is called off with the whole analysis is late, and the rest is kept', async () => {
  const gone = AbortSignal.abort(new Error('gone'))
  const work = async (signal: AbortSignal) => signal.throwIfAborted()
  expect(await withinDeadline({ ...SOON, signal: gone, onFailure: () => {} }, work)).toEqual({
    late: 'the time for the holders was over',
    isBusy: false,
  })
})

test('what is late on a busy machine is told to be, and what is in time is not', async () => {
  const blame = createBlame({ isBusy: () => true })
  const late = await withinDeadline({ ...SOON, ms: 5, blame, onFailure: () => {} }, () => new Promise<never>(() => {}))
  expect(late).toEqual({ late: 'the time for the holders was over', isBusy: true })
  expect(await withinDeadline({ ...SOON, blame, onFailure: () => {} }, async () => 7)).toEqual({ done: 7 })
})
