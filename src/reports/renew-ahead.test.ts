import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sampleChecks } from '../../test/http/sample-checks.js'
import { ethereum } from '../chains/ethereum.js'
import type { AnalysisTarget } from '../checks/target.js'
import { type Hex, toPaddedHex } from '../hex.js'
import type { Assessment } from './assess.js'
import { renewAhead } from './renew-ahead.js'

const HASH = `0x${'1'.repeat(64)}` as const
const SAFE = { level: 'Safe', score: 0 } as unknown as Assessment['verdict']
const found: Assessment = {
  simulation: { ...sampleChecks, block: { ...sampleChecks.block, hash: HASH } },
  verdict: SAFE,
  isWhole: true,
}
const targetOf = (id: number): AnalysisTarget => ({ chain: ethereum, address: toPaddedHex(BigInt(id), 20) })

function setUp({ due = [HASH] as Hex[], fails = false } = {}) {
  const asked: AnalysisTarget[] = []
  const ends: (() => void)[] = []
  const failures: unknown[] = []
  const renewal = renewAhead({
    judged: { isDue: (_, hash) => due.includes(hash) },
    async assess(target) {
      asked.push(target)
      await new Promise<void>((resolve, reject) => {
        ends.push(fails ? () => reject(new RangeError('no node')) : resolve)
        target.signal?.addEventListener('abort', () => reject(target.signal?.reason))
      })
      return found
    },
    atOnce: 1,
    onFailure: (error) => failures.push(error),
  })
  return { ...renewal, asked, ends, failures, due }
}

test('what is due is judged anew at the head, as it was asked, and the answer stays as it is', async () => {
  const { review, asked } = setUp()
  const target = { ...targetOf(1), amount: 5n, caller: 'key 1', onProgress: () => expect.unreachable() }
  expect(await review(found, target, undefined)).toBe(found)
  await turn()
  expect(asked).toEqual([
    { ...targetOf(1), amount: 5n, isAnew: true, caller: 'renewals', signal: expect.any(AbortSignal) },
  ])
})

test.each([
  ['is not due', { due: [] }, targetOf(1), found],
  ['is only a part', {}, targetOf(1), { ...found, isWhole: false }],
  ['was asked of a height', {}, { ...targetOf(1), blockNumber: 7n }, found],
  ['had no block', {}, targetOf(1), { verdict: SAFE, isWhole: true }],
])('what %s is not judged anew', async (_, made, target, assessment) => {
  const { review, asked } = setUp(made)
  await review(assessment, target, undefined)
  await turn()
  expect(asked).toEqual([])
})

test('a target is judged anew once, and the next one after it with the question that came last', async () => {
  const { review, asked, ends, due } = setUp()
  for (const amount of [1n, 2n]) await review(found, { ...targetOf(1), amount }, undefined)
  for (const amount of [3n, 4n]) await review(found, { ...targetOf(2), amount }, undefined)
  await turn()
  expect(asked.map(({ amount }) => amount)).toEqual([1n])
  due.length = 0
  ends[0]?.()
  await turn()
  expect(asked.map(({ amount }) => amount)).toEqual([1n, 4n])
})

test('one that fails is told, and holds up none of the others', async () => {
  const { review, asked, ends, failures } = setUp({ fails: true })
  for (const id of [1, 2]) await review(found, targetOf(id), undefined)
  await turn()
  ends[0]?.()
  await turn()
  expect(failures).toEqual([new RangeError('no node')])
  expect(asked).toHaveLength(2)
})

test('closed, it ends what is under way and begins nothing', async () => {
  const { review, close, asked, failures } = setUp()
  for (const id of [1, 2]) await review(found, targetOf(id), undefined)
  await turn()
  await close()
  expect([asked.length, failures]).toEqual([1, []])
  await review(found, targetOf(3), undefined)
  await turn()
  expect(asked).toHaveLength(1)
})
