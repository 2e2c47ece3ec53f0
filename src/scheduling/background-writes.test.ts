import { expect, test } from 'vitest'
import { createBackgroundWrites } from './background-writes.js'

test('writes follow one another, and one that fails is told and stops none', async () => {
  const [done, failures]: [string[], unknown[]] = [[], []]
  const writes = createBackgroundWrites((error) => failures.push(error))
  writes.add(async () => void done.push('first'))
  writes.add(() => Promise.reject(new Error('full')))
  writes.add(async () => void done.push('third'))
  await writes.close()
  expect(done).toEqual(['first', 'third'])
  expect(failures).toEqual([new Error('full')])
})

test('what a store that hangs would pile up is left out, and there is room again afterwards', async () => {
  const done: number[] = []
  const writes = createBackgroundWrites(() => expect.unreachable(), 2)
  let release = () => {}
  writes.add(() => new Promise<void>((resolve) => (release = resolve)))
  for (const each of [1, 2, 3]) writes.add(async () => void done.push(each))
  await Promise.resolve()
  release()
  await writes.close()
  expect(done).toEqual([1])
  writes.add(async () => void done.push(4))
  await writes.close()
  expect(done).toEqual([1, 4])
})
