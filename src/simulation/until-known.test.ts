import { expect, test } from 'vitest'
import { untilKnown } from './until-known.js'

/** A run that needs the numbers below `needs`, one more in each round. */
function stage(needs: number, rounds = 4) {
  const known: number[] = []
  const result = untilKnown({
    rounds,
    run: async () =>
      known.length < needs
        ? ({ kind: 'missing', next: known.length } as const)
        : ({ kind: 'done', output: [...known] } as const),
    async load({ next }) {
      known.push(next)
    },
    unsettled: () => new RangeError('asks for ever more'),
  })
  return { result, known }
}

test('what is known at once is found in one run', async () => {
  expect(await stage(0).result).toEqual([])
})

test('what a run lacked is there in the next', async () => {
  expect(await stage(3).result).toEqual([0, 1, 2])
})

test('a run that asks for something new in each round ends', async () => {
  const { result, known } = stage(4)
  await expect(result).rejects.toThrow('asks for ever more')
  expect(known).toEqual([0, 1, 2, 3])
})

test('what cannot be loaded ends it with the reason', async () => {
  const run = untilKnown({
    rounds: 4,
    run: async () => ({ kind: 'missing' }) as const,
    load: () => Promise.reject(new Error('node is gone')),
    unsettled: () => new RangeError('asks for ever more'),
  })
  await expect(run).rejects.toThrow('node is gone')
})
