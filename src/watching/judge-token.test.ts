import { expect, test } from 'vitest'
import { toPaddedHex } from '../hex.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { type Judged, judge, pauseAfter } from './judge-token.js'

const address = toPaddedHex(0x70_0001n, 20)

const verdict = (isWhole: boolean): Judged => ({
  judgement: {
    ...{ level: 'Low Risk', score: 10, advice: 'No trap found', headline: 'Fine.', token: null },
    ...{ buyTaxBps: 0, sellTaxBps: 0, isHoneypot: false, isWhole, block: { number: 7n, hash: undefined } },
  },
  ...{ dependencies: undefined, liquidity: undefined },
})

const judgeAfter = (failures: number, judged: Judged | undefined) =>
  judge(
    {
      judges: new Map([[1, async () => judged]]),
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 }),
    },
    { chainId: 1, address, caller: 'test', failures },
    new AbortController().signal,
  )

test('what failed once is tried again before a second is over, and then ever later', () => {
  const pauses = Array.from({ length: 8 }, (_, failures) => pauseAfter(failures))
  expect(pauses[0]).toBeLessThan(1_000)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBe(pauses.at(-2))
})

test('a verdict that did not finish is none, until enough attempts came to no other', async () => {
  for (const failures of [0, 1, 2]) await expect(judgeAfter(failures, verdict(false))).rejects.toThrow('did not finish')
  expect(await judgeAfter(3, verdict(false))).toEqual(verdict(false))
  expect(await judgeAfter(0, verdict(true))).toEqual(verdict(true))
})

test('where no part of a verdict could be made there is none, however often', async () => {
  await expect(judgeAfter(9, undefined)).rejects.toThrow('did not finish')
})
