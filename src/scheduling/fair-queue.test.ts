import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.js'

const item = (name: string) => ({ name })

function setUp(...names: string[]) {
  const turns = createFairQueue<{ name: string }>()
  const items = names.map(item)
  for (const each of items) turns.add(each.name[0] ?? '', each)
  return { turns, items, takeAll: () => names.map(() => turns.take()?.name) }
}

test('callers take turns, and each is served in the order in which he came', () => {
  const { turns, takeAll } = setUp('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
  expect(turns.size).toBe(6)
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(turns.take()).toBeUndefined()
  expect(turns.size).toBe(0)
})

test('who is not accepted keeps his place', () => {
  const { turns, takeAll } = setUp('a1', 'b1', 'c1')
  expect(turns.take((caller) => caller === 'b')?.name).toBe('b1')
  expect(turns.take(() => false)).toBeUndefined()
  expect(takeAll()).toEqual(['a1', 'c1', undefined])
})

test('what is removed is not served, once', () => {
  const { turns, items, takeAll } = setUp('a1', 'a2', 'b1')
  const [first = item('')] = items
  expect([turns.remove('a', first), turns.remove('a', first), turns.remove('z', first)]).toEqual([true, false, false])
  expect(turns.size).toBe(2)
  expect(takeAll()).toEqual(['a2', 'b1', undefined])
})

test('nothing is lost or served twice, and no caller is passed over twice in a row', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (callers) => {
      const turns = createFairQueue<{ caller: string; at: number }>()
      callers.forEach((caller, at) => {
        turns.add(caller, { caller, at })
      })
      const served = callers.map(() => turns.take())
      expect(new Set(served.map((each) => each?.at)).size).toBe(callers.length)
      served.forEach((each, i) => {
        const isLeft = (caller: string) => served.slice(i + 1).some((later) => later?.caller === caller)
        const next = served[i + 1]
        if (next?.caller === each?.caller) expect(['a', 'b', 'c'].filter(isLeft)).toEqual([each?.caller])
      })
    }),
  )
})
