import { expect, test } from 'vitest'
import { createWorklist, type Ranked } from './worklist.js'

const place = (...rank: number[]): Ranked => ({ rank })

/** Takes everything out, in order. */
function drain(worklist: { next(): Ranked | undefined }): Ranked[] {
  const taken: Ranked[] = []
  for (let item = worklist.next(); item !== undefined; item = worklist.next()) taken.push(item)
  return taken
}

function orderOf(items: readonly Ranked[]): Ranked[] {
  const worklist = createWorklist<Ranked>()
  for (const item of items) worklist.add(item)
  return drain(worklist)
}

test('what lies first in the outermost call comes first, however deep the others are', () => {
  const [first, deep, last] = [place(10, 300), place(40, 50, 60, 5), place(90)]
  expect(orderOf([last, deep, first])).toEqual([first, deep, last])
})

test('what follows a call waits for all that runs inside it', () => {
  const [follows, inside, further] = [place(10, 40), place(10, 40, 900), place(10, 40, 70, 8)]
  expect(orderOf([follows, inside, further])).toEqual([further, inside, follows])
})

test('the head of a loop waits for all ways through it, and not for what comes after', () => {
  const [head, end, inside, after] = [place(10), place(50), place(30, 400), place(60)]
  const worklist = createWorklist<Ranked>()
  worklist.add(head, end)
  worklist.add(after, end)
  worklist.add(inside, head)
  expect(drain(worklist)).toEqual([inside, head, after])
})

test('what waits already is not added twice', () => {
  const [one, other] = [place(10), place(20)]
  expect(orderOf([one, other, one])).toEqual([one, other])
})
