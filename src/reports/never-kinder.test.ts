import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import type { AnalysisTarget } from '../checks/target.js'
import { neverKinder } from './never-kinder.js'
import type { Verdict } from './verdict.js'

const TARGET: AnalysisTarget = { chain: ethereum, address: '0x00000000000000000000000000000000000000aa' }
const whole = (score: number, level: Verdict['level']): Verdict => ({
  ...{ score, level, headline: `Headline ${score}.`, reason: `Reason ${score}.` },
  ...{ inconclusive: undefined, isUnfinished: false },
})
const unfinished = (score: number): Verdict => ({
  ...{ ...whole(score, 'Medium Risk'), inconclusive: 'Part of our analysis is missing.', isUnfinished: true },
})
const doubtful = (score: number): Verdict => ({ ...unfinished(score), isUnfinished: false })

/** Verdicts in the order in which they are found, and those that are given. */
async function give(...verdicts: [Verdict, Partial<AnalysisTarget>?][]): Promise<Verdict[]> {
  const review = neverKinder()
  const given: Verdict[] = []
  for (const [verdict, other] of verdicts) {
    const assessment = await review({ verdict, isWhole: true }, { ...TARGET, ...other }, undefined)
    given.push(assessment.verdict)
  }
  return given
}

test('unfinished work of ours keeps the level and the score of the last whole verdict, and says so', async () => {
  const [, second] = await give([whole(80, 'High Risk')], [unfinished(45)])
  expect(second).toMatchObject({ level: 'High Risk', score: 80, headline: 'Headline 80.', isUnfinished: true })
  expect(second?.inconclusive).toBe('Part of our analysis is missing.')
  expect(second?.reason).toBe('By an earlier analysis that was whole: Reason 80. Reason 45.')
})

test('what was found meanwhile stays the worse', async () => {
  const [, second] = await give([whole(12, 'Low Risk')], [unfinished(45)])
  expect(second).toEqual(unfinished(45))
})

test('a verdict that is whole replaces the last one, also a kinder one', async () => {
  const given = await give([whole(80, 'High Risk')], [whole(12, 'Low Risk')], [unfinished(45)])
  expect(given.map(({ score }) => score)).toEqual([80, 12, 45])
})

test('what the token itself leaves unknown is not our unfinished work', async () => {
  expect((await give([whole(80, 'High Risk')], [doubtful(0)])).map(({ score }) => score)).toEqual([80, 0])
})

test('other targets and earlier blocks have nothing to do with it', async () => {
  const address = '0x00000000000000000000000000000000000000bb'
  const given = await give(
    [whole(80, 'High Risk')],
    [unfinished(45), { address }],
    [unfinished(45), { blockNumber: 7n }],
  )
  expect(given.map(({ score }) => score)).toEqual([80, 45, 45])
})
