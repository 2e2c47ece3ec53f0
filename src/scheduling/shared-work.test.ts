import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.js'

/** Work that ends when it is told to. */
function setUp({ maxEntries = 2 } = {}) {
  const shared = createSharedWork<string>({ maxEntries, isLasting: (result) => result !== 'half' })
  const begun: { name: string; end(result: string): void; fail(error: Error): void }[] = []
  const get = (name: string, signal?: AbortSignal) => {
    const result = shared.get(name, () => new Promise((end, fail) => begun.push({ name, end, fail })), signal)
    // Each test looks at the results it is about.
    result.catch(() => {})
    return result
  }
  const names = () => begun.map(({ name }) => name)
  return { get, begun, names }
}

const settle = () => new Promise(setImmediate)

test('work under way is that of all who ask, and its result is kept', async () => {
  const { get, begun, names } = setUp()
  const results = [get('x'), get('x'), get('y')]
  await settle()
  expect(names()).toEqual(['x', 'y'])
  begun[0]?.end('of x')
  expect(await Promise.all(results.slice(0, 2))).toEqual(['of x', 'of x'])
  expect(await get('x')).toBe('of x')
  expect(names()).toEqual(['x', 'y'])
})

test('what does not last is given to its maker alone, and made again by those who waited', async () => {
  const { get, begun, names } = setUp()
  const [maker, other] = [get('x'), get('x')]
  await settle()
  begun[0]?.end('half')
  expect(await maker).toBe('half')
  await settle()
  expect(names()).toEqual(['x', 'x'])
  begun[1]?.end('whole')
  expect(await other).toBe('whole')
})

test('a failure is that of its maker alone', async () => {
  const { get, begun } = setUp()
  const [maker, other] = [get('x'), get('x')]
  await settle()
  begun[0]?.fail(new RangeError('the client left'))
  await expect(maker).rejects.toThrow('the client left')
  await settle()
  begun[1]?.end('of x')
  expect(await other).toBe('of x')
})

test('work that throws before it waits for anything fails like any other', async () => {
  const shared = createSharedWork<string>({ maxEntries: 1, isLasting: () => true })
  const throws = () => {
    throw new RangeError('at once')
  }
  await expect(shared.get('x', throws)).rejects.toThrow('at once')
  expect(await shared.get('x', async () => 'later')).toBe('later')
})

test('an asker who leaves waits no longer, and takes nothing from the others', async () => {
  const { get, begun } = setUp()
  const left = new AbortController()
  const maker = get('x')
  const leaver = get('x', left.signal)
  await settle()
  left.abort(new Error('left'))
  await expect(leaver).rejects.toThrow('left')
  await expect(get('x', left.signal)).rejects.toThrow('left')
  begun[0]?.end('of x')
  expect(await maker).toBe('of x')
})

test('no more is kept than was said, and what was asked for last stays', async () => {
  const { get, begun, names } = setUp({ maxEntries: 2 })
  for (const [i, name] of ['x', 'y'].entries()) {
    get(name)
    await settle()
    begun[i]?.end(`of ${name}`)
    await settle()
  }
  await get('x')
  get('z')
  await settle()
  begun[2]?.end('of z')
  await settle()
  await get('x')
  get('y')
  await settle()
  expect(names()).toEqual(['x', 'y', 'z', 'y'])
})
