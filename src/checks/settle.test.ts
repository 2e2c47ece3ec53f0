import { expect, test } from 'vitest'
import { BaseError } from '../errors.js'
import { isFailed, settle } from './settle.js'

test('a result passes through', async () => {
  const result = await settle(Promise.resolve({ tax: 1 }), () => expect.unreachable())
  expect(result).toEqual({ tax: 1 })
  expect(isFailed(result)).toBe(false)
})

test('a failure becomes the answer of its own check, with the words a client may see', async () => {
  const seen: unknown[] = []
  const error = new BaseError('The node did not answer', { details: 'https://node/secret' })
  const result = await settle(Promise.reject(error), (caught) => seen.push(caught))
  expect(result).toEqual({ failed: true, errorReason: 'The node did not answer' })
  expect(isFailed(result)).toBe(true)
  expect(seen).toEqual([error])
})

test('an unforeseen error keeps its text out of the answer', async () => {
  const result = await settle(Promise.reject(new TypeError('secret internals')), () => {})
  expect(result).toEqual({ failed: true, errorReason: 'Internal error' })
})
