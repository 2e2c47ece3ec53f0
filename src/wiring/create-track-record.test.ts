import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleChecks, sampleHoneypot } from '../../test/http/sample-checks.js'
import { ethereum } from '../chains/ethereum.js'
import { isFailed } from '../checks/settle.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createManualClock } from '../clock.js'
import type { Address, Hex } from '../hex.js'
import { createLog } from '../log.js'
import { DAY_MS } from '../outcomes/outcome.js'
import type { Assessment } from '../reports/assess.js'
import { rememberAssessments } from '../reports/recent-assessments.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { type Db, openDatabase } from '../stores/database.js'
import { createTrackRecord } from './create-track-record.js'

const CODE: Hex = `0x${'c0'.repeat(32)}`
const POOL: Address = `0x${'9'.repeat(40)}`
const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

interface Found {
  score: number
  isHoneypot: boolean
  depth: bigint
  isUnfinished: boolean
  code: Hex | undefined
}

const FINE: Found = { score: 0, isHoneypot: false, depth: 1_000n, isUnfinished: false, code: CODE }
const SHUT = { score: 100, isHoneypot: true }

function assessmentOf({ score, isHoneypot, depth, isUnfinished, code }: Found): Assessment {
  if (isFailed(sampleChecks.bytecode)) expect.unreachable()
  const pool = { venue: 'v', address: POOL, id: undefined, quote: POOL, quoteReserve: 1n, tokenReserve: 5n, depth }
  return {
    simulation: { ...sampleChecks, bytecode: { ...sampleChecks.bytecode, familyCode: code } },
    honeypot: {
      ...{ ...sampleHoneypot, isHoneypot, pair: POOL },
      markets: { pools: [{ ...pool, isJudged: true }], omitted: 0, depth },
    },
    verdict: {
      ...{ level: score > 90 ? 'Critical Risk' : 'Safe', score, headline: 'h', reason: 'r' },
      ...{ inconclusive: undefined, isUnfinished },
    },
    isWhole: true,
  }
}

let folder: string
let db: Db
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-record-'))
  db = await openDatabase({ dataDir: folder, databaseUrl: undefined })
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

/** A service whose tokens are what `found` says; what it writes is waited for at its end. */
function openRecord(found: Partial<Found> = {}, followedVerdicts = 0, clock = createManualClock()) {
  const asked: AnalysisTarget[] = []
  const record = createTrackRecord(
    { chains: [ethereum], followedVerdicts },
    {
      ...{ db, clock, log: createLog({ level: 'silent' }) },
      slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 4 }),
      recent: rememberAssessments({ headOf: () => undefined }),
      judgeWith: (reviews) => async (target, only) => {
        asked.push(target)
        let assessment = assessmentOf({ ...FINE, ...found })
        for (const review of reviews) assessment = await review(assessment, target, only)
        return assessment
      },
      judgeSolana: () => Promise.reject(new Error('no Solana here')),
    },
  )
  const judge = (number: number, target: Partial<AnalysisTarget> = {}) =>
    record.assess({ chain: ethereum, address: addressOf(number), ...target })
  return { ...record, judge, asked, clock }
}

/** Judges one token with a service of its own. */
async function judgeOnce(number: number, found: Partial<Found> = {}, target: Partial<AnalysisTarget> = {}) {
  const { judge, close } = openRecord(found)
  const assessment = await judge(number, target)
  await close()
  return assessment
}

test('a report tells of the copies that were judged before, and its verdict stays as it was', async () => {
  for (const each of [1, 2, 3]) await judgeOnce(each)
  await judgeOnce(2, SHUT)
  const { family, verdict } = await judgeOnce(4)
  expect(family).toMatchObject({ copies: 3, hostile: 1, turned: 1, imported: [] })
  expect(verdict).toEqual(assessmentOf(FINE).verdict)
  const hostile = await judgeOnce(5, SHUT)
  expect(hostile.verdict).toEqual(assessmentOf({ ...FINE, ...SHUT }).verdict)
})

test.each<[string, Partial<AnalysisTarget>]>([
  ['a pool of the caller', { pair: POOL }],
  ['a pool that is made on the fork', { simulateLiquidity: true }],
  ['an amount of the caller', { amount: 1n }],
  ['an earlier block', { blockNumber: 1n }],
  ['people of another report', { traderSeed: CODE }],
])('nothing is learned from %s, which can make an honest token look hostile', async (_, target) => {
  await judgeOnce(1, SHUT, { ...target, caller: 'watches' })
  expect((await judgeOnce(2)).family).toMatchObject({ copies: 0 })
  expect(await openRecord().stats.read()).toMatchObject({ followed: 0 })
})

test('nothing is learned from an analysis that did not finish, or a code that was not read whole', async () => {
  await judgeOnce(1, { isUnfinished: true })
  expect(await judgeOnce(2, { code: undefined })).not.toHaveProperty('family')
  expect((await judgeOnce(3)).family).toMatchObject({ copies: 0 })
})

test('a store that is gone fails no analysis', async () => {
  await db.destroy()
  const assessment = await judgeOnce(1)
  expect(assessment).toEqual(assessmentOf(FINE))
})

test('verdicts of watched tokens are followed, others as many as the operator allows', async () => {
  const none = openRecord()
  await none.judge(1, { caller: 'watches' })
  await none.judge(2, { caller: 'key_1' })
  await none.close()
  expect(await none.stats.read()).toMatchObject({ followed: 1 })
  const sample = openRecord({}, 1)
  for (const each of [2, 3]) await sample.judge(each, { caller: 'key_1' })
  await sample.close()
  expect(await sample.stats.read()).toMatchObject({ followed: 2 })
})

test('after seven days the token is judged again, and what it came to stands beside the verdict', async () => {
  await judgeOnce(1, {}, { caller: 'watches' })
  await judgeOnce(2, {}, { caller: 'watches' })
  const clock = createManualClock()
  clock.advance(7 * DAY_MS)
  const { start, close, stats, asked } = openRecord({ depth: 10n }, 0, clock)
  start()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  await vi.waitFor(async () => {
    clock.advance(120_000)
    const [week] = (await stats.read()).stages
    expect(week?.levels[0]).toEqual({ level: 'Safe', fine: 0, taxed: 0, shut: 0, drained: 2, 'sold-out': 0 })
    expect(week).toMatchObject({ harmed: 2, recall: 0, precision: undefined })
  })
  await close()
})

test('what a watch sees between counts as well, and makes no analysis for the record', async () => {
  await judgeOnce(1, {}, { caller: 'watches' })
  await judgeOnce(1, SHUT, { caller: 'watches' })
  const clock = createManualClock()
  clock.advance(7 * DAY_MS)
  const { start, close, stats, asked } = openRecord({}, 0, clock)
  start()
  await vi.waitFor(async () => {
    clock.advance(120_000)
    expect((await stats.read()).stages[0]?.levels[0]).toMatchObject({ level: 'Safe', shut: 1 })
  })
  await close()
  expect(asked).toEqual([])
})
