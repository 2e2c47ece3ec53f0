import { expect, test } from 'vitest'
import { createRemembered } from './remembered.js'

test('what is asked for again and again stays, and what was asked for once goes', () => {
  const numbers = createRemembered<string, number>(4)
  numbers.set('program', 1)
  for (let i = 0; i < 100; i += 1) {
    numbers.set(`person ${i}`, i + 2)
    expect(numbers.get('program')).toBe(1)
  }
  expect(numbers.get('person 99')).toBe(101)
  expect(numbers.get('person 0')).toBeUndefined()
  const kept = Array.from({ length: 100 }, (_, i) => numbers.get(`person ${i}`)).filter((each) => each !== undefined)
  expect(kept.length).toBeLessThanOrEqual(8)
})

test('a value that is false is remembered', () => {
  const answers = createRemembered<string, boolean>(1)
  answers.set('a', false)
  answers.set('b', true)
  expect([answers.get('a'), answers.get('b'), answers.get('c')]).toEqual([false, true, undefined])
})
