import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Errors } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, failure, request } from '../../../../test/http/test-app.js'
import { createManualClock } from '../../../clock.js'
import { createFalseResultStore, createFalseResults } from '../../../saved-reports/create-false-results.js'
import { createSavedReports } from '../../../saved-reports/create-saved-reports.js'
import { FALSE_RESULT_KEPT_MS, FALSE_RESULT_OWNER_SHARE, MAX_MESSAGE } from '../../../saved-reports/false-result.js'
import { createSqlSavedReportStore } from '../../../saved-reports/sql-saved-report-store.js'
import { type Db, openDatabase } from '../../../stores/database.js'
import { FalseResultAnswer } from './schema.js'

const PATH = '/api/false-results'
const dataDir = mkdtempSync(join(tmpdir(), 'assay-false-results-'))

let db: Db
beforeEach(async () => {
  db = await openDatabase({ dataDir, databaseUrl: undefined })
  await db.deleteFrom('saved_reports').execute()
})
afterEach(async () => {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

async function setUp() {
  const clock = createManualClock()
  const falseResults = createFalseResults({ store: createFalseResultStore(db), clock })
  const savedReports = createSavedReports({ store: createSqlSavedReportStore(db), clock })
  const stage = await createTestApp({ services: { falseResults, savedReports } })
  const complain = (body: Record<string, unknown>) => stage.post(body, { url: PATH })
  return { ...stage, clock, falseResults, savedReports, complain }
}

describe('a result that is held to be wrong', () => {
  test('is kept with its answers and what was said, for the operator and for ninety days', async () => {
    const { complain, falseResults, clock } = await setUp()
    const seen = { level: 'Critical Risk', score: 100 }
    const answer = await complain(request({ message: 'It is  our\nown token.', expected: 'harmless', seen }))
    expect(answer.statusCode).toBe(201)
    expect([...Errors(FalseResultAnswer, answer.json())]).toEqual([])
    const { id, isAsSeen } = answer.json()
    expect(isAsSeen).toBe(false)
    const [kept] = await falseResults.list(10)
    expect(kept).toMatchObject({
      id,
      by: expect.stringMatching(/^key:/),
      complaint: { message: 'It is our own token.', expected: 'harmless', seen },
    })
    const answers = await falseResults.readAnswers(id)
    expect(Object.keys(answers ?? {})).toEqual(['simulation', 'honeypot', 'phishing'])
    clock.advance(FALSE_RESULT_KEPT_MS)
    expect(await falseResults.list(10)).toEqual([])
    expect(await falseResults.readAnswers(id)).toBeUndefined()
  })

  test('is as it was seen where level, score and digest agree', async () => {
    const { complain, post } = await setUp()
    const first = (await complain(request({ message: 'x' }))).json()
    const shown = (await post(request(), {})).json()
    const { level, score } = first.overall
    const again = await complain(request({ message: 'x', seen: { level, score, digest: shown.inputs.digest } }))
    expect(again.json().isAsSeen).toBe(true)
    const other = await complain(request({ message: 'x', seen: { digest: `0x${'0'.repeat(64)}` } }))
    expect(other.json().isAsSeen).toBe(false)
  })

  test('of a saved report are its answers, and only of one that the caller may read', async () => {
    const { complain, post, savedReports, falseResults } = await setUp()
    const { id } = (await post(request(), { url: '/api/reports' })).json()
    const kept = await complain({ report: id, message: 'wrong' })
    expect(kept.statusCode).toBe(201)
    expect(await falseResults.readAnswers(kept.json().id)).toEqual(await savedReports.readAnswers(id))
    for (const report of ['r_00000000000000000', kept.json().id, 7, { $ne: 1 }]) {
      const refused = await complain({ report, message: 'wrong' })
      expect(refused.json()).toEqual(failure('Report not found', 'report_not_found'))
    }
  })

  test('is seen by no link and no list of reports', async () => {
    const { complain, app, post } = await setUp()
    const { id } = (await complain(request({ message: 'mine' }))).json()
    expect((await app.inject({ url: `/r/${id}/report.json` })).statusCode).toBe(404)
    expect((await post(undefined, { url: `/api/reports/${id}`, method: 'GET' })).statusCode).toBe(404)
    expect((await post(undefined, { url: '/api/reports', method: 'GET' })).json().reports).toEqual([])
  })

  test('makes room for newer ones of the same caller, beside the reports that it keeps', async () => {
    const { complain, falseResults, clock, post } = await setUp()
    await post(request(), { url: '/api/reports' })
    const { id } = (await complain(request({ message: 'the first' }))).json()
    const [first] = await falseResults.list(1)
    if (first === undefined) throw new Error('it was not kept')
    const [kind, owner] = first.by.split(':')
    const order = {
      owner: { kind: kind as 'key', id: owner ?? '' },
      summary: first.summary,
      answers: { simulation: {} },
    }
    for (let i = 0; i < FALSE_RESULT_OWNER_SHARE.reports; i += 1) {
      clock.advance(1_000)
      await falseResults.keep({ ...order, complaint: { message: `number ${i}`, expected: 'other' } })
    }
    const kept = await falseResults.list(100)
    expect(kept).toHaveLength(FALSE_RESULT_OWNER_SHARE.reports)
    expect(kept[0]?.complaint.message).toBe(`number ${FALSE_RESULT_OWNER_SHARE.reports - 1}`)
    expect(await falseResults.find(id)).toBeUndefined()
    expect((await post(undefined, { url: '/api/reports', method: 'GET' })).json().reports).toHaveLength(1)
  })

  test('counts as an analysis, so that no caller reports more than ten a minute', async () => {
    const { complain, falseResults } = await setUp()
    const statuses: number[] = []
    for (let i = 0; i < 11; i += 1) statuses.push((await complain(request({ message: `number ${i}` }))).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    expect(await falseResults.list(100)).toHaveLength(10)
  })
})

describe('a complaint that is none', () => {
  test.each([
    [{}, 'Invalid message', 'invalid_message'],
    [{ message: '' }, 'Invalid message', 'invalid_message'],
    [{ message: ' \u202e\u0000 ' }, 'Invalid message', 'invalid_message'],
    [{ message: 'x'.repeat(MAX_MESSAGE + 1) }, 'Invalid message', 'invalid_message'],
    [{ message: { toString: 'x' } }, 'Invalid message', 'invalid_message'],
    [{ message: 'x', expected: 'fine' }, 'Invalid expected', 'invalid_expected'],
    [{ message: 'x', seen: 'all' }, 'Invalid seen', 'invalid_seen'],
    [{ message: 'x', seen: { level: '<b>' } }, 'Invalid seen', 'invalid_seen'],
    [{ message: 'x', seen: { score: 1e9 } }, 'Invalid seen', 'invalid_seen'],
    [{ message: 'x', seen: { digest: '0x' } }, 'Invalid seen', 'invalid_seen'],
  ])('%j is refused, and nothing is analysed or kept', async (body, text, code) => {
    const { complain, falseResults } = await setUp()
    const refused = await complain(request(body))
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toEqual(failure(text, code))
    expect(await falseResults.list(10)).toEqual([])
  })

  test('of a caller without a name is refused', async () => {
    const { app, falseResults } = await setUp()
    const refused = await app.inject({ method: 'POST', url: PATH, payload: request({ message: 'x' }) })
    expect(refused.statusCode).toBe(401)
    expect(await falseResults.list(10)).toEqual([])
  })
})
