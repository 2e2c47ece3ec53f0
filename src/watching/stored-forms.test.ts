import { expect, test } from 'vitest'
import { readDependencies, readJudgement, writeDependencies, writeJudgement } from './stored-forms.js'
import type { Judgement } from './watch.js'

const judgement: Judgement = {
  ...{ level: 'Low Risk', score: 10, advice: 'No trap found', headline: 'It is what it is.' },
  ...{ isHoneypot: false, isWhole: true },
  ...{ buyTaxBps: 100, sellTaxBps: undefined, block: { number: 7n, hash: `0x${'ab'.repeat(32)}` } },
  token: {
    ...{ name: 'Gold', symbol: 'GLD', decimals: 18, totalSupply: '1000', marks: ['hidden'] },
    imitates: { symbol: 'USDT', address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
  },
}
const kept = (change: object = {}) => JSON.parse(JSON.stringify({ ...writeJudgement(judgement), ...change }))

test('a verdict comes back as it was kept', () => {
  expect(readJudgement(kept())).toEqual(judgement)
})

test.each([undefined, null, {}, { ...judgement.token, symbol: 7 }])(
  'a name that is none, or was not kept yet, is no name: %j',
  (token) => {
    expect(readJudgement(kept({ token }))).toEqual({ ...judgement, token: null })
  },
)

test.each([
  [{ level: 'Critical Risk', score: 95 }, 'Do not buy'],
  [{ level: 'Medium Risk', score: 50 }, 'Be careful'],
  [{ level: 'Medium Risk', score: 20, isWhole: false }, 'Not known'],
  [{}, 'No trap found'],
])('advice that was not kept yet follows from the verdict: %j', (verdict, advice) => {
  expect(readJudgement(kept({ ...verdict, advice: undefined })).advice).toBe(advice)
  expect(readJudgement(kept({ ...verdict, advice: 'Buy now' })).advice).toBe(advice)
})

test.each([
  { nextChange: 1_800_000_000, nextUnlock: 1_900_000_000 },
  { nextChange: undefined, nextUnlock: undefined },
])('what a verdict stands on comes back as it was kept: %j', (dates) => {
  const dependencies = {
    words: [{ address: `0x${'7'.repeat(40)}` as const, slot: 5n, value: 1n << 255n, role: 'guards' as const }],
    codes: [{ address: `0x${'8'.repeat(40)}` as const, hash: `0x${'ab'.repeat(32)}` as const }],
    ...{ isTruncated: true, ...dates },
  }
  expect(readDependencies(JSON.parse(JSON.stringify(writeDependencies(dependencies))))).toEqual(dependencies)
})
