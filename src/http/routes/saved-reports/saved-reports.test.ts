import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Errors } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sampleChecks, sampleHoneypot } from '../../../../test/http/sample-checks.js'
import { createTestApp, failure, ORIGIN, request, SIMULATE, TOKEN } from '../../../../test/http/test-app.js'
import { bob, FROM_PORTAL, signInTo } from '../../../../test/http/wallet-sign-in.js'
import { createManualClock } from '../../../clock.js'
import { createSavedReports } from '../../../saved-reports/create-saved-reports.js'
import { GUEST_KEPT_MS, KEPT_MS } from '../../../saved-reports/saved-report.js'
import { createSqlSavedReportStore } from '../../../saved-reports/sql-saved-report-store.js'
import { type Db, openDatabase } from '../../../stores/database.js'
import { SavedReportAnswer, SavedReportList, SaveReportAnswer, WhatChangedAnswer } from './schema.js'

const REPORTS = '/api/reports'
const dataDir = mkdtempSync(join(tmpdir(), 'assay-shown-'))

let db: Db
beforeEach(async () => {
  db = await openDatabase({ dataDir, databaseUrl: undefined })
  await db.deleteFrom('saved_reports').execute()
})
afterEach(async () => {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The application with a real store, and a token whose name is `name`. */
async function setUp(identity: Partial<typeof sampleChecks.identity> = {}, guestChecks = 0) {
  const clock = createManualClock()
  let [checks, honeypot] = [{ ...sampleChecks, identity: { ...sampleChecks.identity, ...identity } }, sampleHoneypot]
  const { config } = (await createTestApp()).services
  const stage = await createTestApp({
    services: {
      config: { ...config, guestChecks },
      savedReports: createSavedReports({ store: createSqlSavedReportStore(db), clock }),
      simulation: async () => checks as never,
      honeypot: async () => honeypot,
    },
  })
  const save = (body: Record<string, unknown> = {}) => stage.post(request(body), { url: REPORTS })
  const own = (method: 'GET' | 'DELETE' | 'PATCH' | 'POST', path = '', payload?: object) =>
    stage.post(payload, { url: `${REPORTS}${path}`, method })
  /** What one without a key sees. */
  const look = (path: string) => stage.app.inject({ url: `/r/${path}` })
  const change = (to: { checks?: object; honeypot?: object }) => {
    checks = { ...checks, ...to.checks }
    honeypot = { ...honeypot, ...to.honeypot }
  }
  return { ...stage, clock, save, own, look, change }
}

describe('a guest', () => {
  const keep = (app: Awaited<ReturnType<typeof setUp>>['app'], remoteAddress: string, more: object = {}) =>
    app.inject({
      ...{ method: 'POST', url: REPORTS, remoteAddress },
      headers: { 'content-type': 'application/json' },
      payload: { ...request(), ...more },
    })

  test('gets a link for a week, counts it among its few checks, and can neither hide nor list it', async () => {
    const { app, look, clock } = await setUp({}, 2)
    const saved = await keep(app, '192.0.2.1')
    expect(saved.statusCode).toBe(201)
    expect(saved.headers['ratelimit-policy']).toBe('"guest";q=2;w=3600')
    const { id, visibility, forgotten } = saved.json()
    expect({ visibility, forgotten }).toEqual({ visibility: 'link', forgotten: [] })
    expect((await look(`${id}/report.json`)).statusCode).toBe(200)
    expect((await app.inject({ url: REPORTS, remoteAddress: '192.0.2.1' })).statusCode).toBe(401)
    expect(
      (await app.inject({ method: 'DELETE', url: `${REPORTS}/${id}`, remoteAddress: '192.0.2.1' })).statusCode,
    ).toBe(401)
    expect((await keep(app, '192.0.2.1', { visibility: 'private' })).json()).toMatchObject({
      code: 'authorization_required',
    })
    expect((await keep(app, '192.0.2.1')).json()).toMatchObject({ code: 'guest_limit' })
    expect((await db.selectFrom('saved_reports').select('owner').executeTakeFirst())?.owner).toMatch(/^[0-9a-f]{24}$/)
    clock.advance(GUEST_KEPT_MS)
    expect((await look(`${id}/report.json`)).statusCode).toBe(404)
  })

  test('is refused where the operator has no room for guests', async () => {
    const { app } = await setUp()
    expect((await keep(app, '192.0.2.1')).json()).toMatchObject({ code: 'authorization_required' })
  })
})

describe('keeping', () => {
  test('a report gets a link that opens without a key, for thirty days', async () => {
    const { save, look, clock } = await setUp()
    const saved = await save()
    expect(saved.statusCode).toBe(201)
    expect([...Errors(SaveReportAnswer, saved.json())]).toEqual([])
    const { id, url, visibility, expiresAt, forgotten } = saved.json()
    expect(url).toBe(`${ORIGIN}/r/${id}`)
    expect({ visibility, forgotten }).toEqual({ visibility: 'link', forgotten: [] })
    expect(Date.parse(expiresAt) - clock.now()).toBe(KEPT_MS)
    const shown = await look(`${id}/report.json`)
    expect(shown.statusCode).toBe(200)
    expect([...Errors(SavedReportAnswer, shown.json())]).toEqual([])
    clock.advance(KEPT_MS)
    expect((await look(`${id}/report.json`)).statusCode).toBe(404)
  })

  test('the answers are those of the endpoints, and each can be had alone as it was sealed', async () => {
    const { save, look, post } = await setUp()
    const { id } = (await save()).json()
    const { answers } = (await look(`${id}/report.json`)).json()
    expect(Object.keys(answers)).toEqual(['simulation', 'honeypot', 'phishing'])
    const direct = (await post(request(), { url: SIMULATE })).json()
    expect(answers.simulation.inputs).toEqual(direct.inputs)
    expect((await look(`${id}/answers/simulation`)).json()).toEqual(answers.simulation)
    expect((await look(`${id}/answers/toString`)).json()).toEqual(failure('Report not found', 'report_not_found'))
  })

  test('a private one is there for its owner alone', async () => {
    const { save, look, own, app } = await setUp()
    const { id } = (await save({ visibility: 'private' })).json()
    for (const path of ['/report.json', '/badge.svg', '/card', '/answers/simulation'])
      expect((await look(`${id}${path}`)).statusCode, path).toBe(404)
    expect((await own('GET', `/${id}`)).json().report.visibility).toBe('private')
    const { cookie } = await signInTo(app, bob)
    const asBob = { url: `${REPORTS}/${id}`, headers: { cookie, ...FROM_PORTAL } }
    for (const method of ['GET', 'DELETE'] as const)
      expect((await app.inject({ ...asBob, method })).json().code).toBe('report_not_found')
    await own('PATCH', `/${id}`, { visibility: 'link' })
    expect((await look(`${id}/report.json`)).statusCode).toBe(200)
  })

  test('the owner lists and deletes what it keeps', async () => {
    const { save, look, own } = await setUp()
    const { id } = (await save()).json()
    const list = (await own('GET')).json()
    expect([...Errors(SavedReportList, list)]).toEqual([])
    expect(list.reports.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await own('DELETE', `/${id}`)).json()).toEqual({ success: true, id })
    expect((await look(id)).statusCode).toBe(404)
    expect((await own('DELETE', `/${id}`)).json()).toEqual(failure('Report not found', 'report_not_found'))
  })

  test('a wallet has with its session what its keys made', async () => {
    const { app } = await setUp()
    const { cookie } = await signInTo(app, bob)
    const headers = { cookie, ...FROM_PORTAL, 'content-type': 'application/json' }
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers, payload: { label: 'bot' } })
    const byKey = { authorization: `Bearer ${made.json().key}`, 'content-type': 'application/json' }
    const saved = await app.inject({ method: 'POST', url: REPORTS, headers: byKey, payload: request() })
    const list = (await app.inject({ url: REPORTS, headers: { cookie, ...FROM_PORTAL } })).json()
    expect(list.reports.map((each: { id: string }) => each.id)).toEqual([saved.json().id])
  })

  test('what is wrong is said, and nothing is kept', async () => {
    const { save, own } = await setUp()
    expect((await save({ visibility: 'secret' })).json()).toEqual(failure('Invalid visibility', 'invalid_visibility'))
    expect((await save({ chainId: 7 })).json().code).toBe('unsupported_chain')
    expect((await own('PATCH', '/r_00000000000000000', {})).json().code).toBe('invalid_visibility')
    expect((await own('GET', '/r_00000000000000000')).json().code).toBe('report_not_found')
    expect((await own('GET', `/${encodeURIComponent("r_'; drop table")}`)).json().code).toBe('report_not_found')
    expect((await own('GET')).json().reports).toEqual([])
  })
})

describe('again', () => {
  test('what is the same is said to be the same', async () => {
    const { save, own } = await setUp()
    const { id } = (await save()).json()
    const answer = (await own('POST', `/${id}/check`)).json()
    expect([...Errors(WhatChangedAnswer, answer)]).toEqual([])
    expect(answer.changes).toMatchObject({ isSame: true, level: null, taxes: [], findings: null, conditions: null })
  })

  test('what is another thing now is told, with what it was', async () => {
    const { save, own, change } = await setUp()
    const { id } = (await save()).json()
    change({ honeypot: { findings: [{ id: 'gas', score: 95, detail: 'Sells fail above a gas price' }] } })
    const { changes } = (await own('POST', `/${id}/check`)).json()
    expect(changes.isSame).toBe(false)
    expect(changes.findings).toEqual({ added: ['Sells fail above a gas price'], removed: [], omitted: 0 })
  })
})

describe('what is shown to everyone', () => {
  const HOSTILE = '</title><script>alert(1)</script>"\u202egnp\u200b'

  test.each(['card', 'badge.svg', ''])('a hostile name is text in /%s', async (path) => {
    const { save, look } = await setUp({ name: HOSTILE, symbol: '"><img src=x onerror=1>' })
    const { id } = (await save()).json()
    const { body, statusCode } = await look(path === '' ? id : `${id}/${path}`)
    expect(statusCode).toBe(200)
    expect(body).not.toMatch(/<script>alert|<img|\u202e|\u200b/)
    // The name is there where names are shown, so that the line above says something.
    if (path !== 'badge.svg') expect(body).toContain('&lt;/title&gt;')
  })

  test('the badge and the card open on pages of others, and run nothing', async () => {
    const { save, look } = await setUp()
    const { id } = (await save()).json()
    for (const path of ['badge.svg', 'card']) {
      const { headers } = await look(`${id}/${path}`)
      expect(headers['content-security-policy']).toContain('frame-ancestors *')
      expect(headers['content-security-policy']).not.toContain('script-src')
      expect(headers['x-frame-options']).toBeUndefined()
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    }
    expect((await look(`${id}/report.json`)).headers['x-frame-options']).toBe('DENY')
    const badge = await look(`${id}/badge.svg`)
    expect(badge.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(badge.body).toMatch(/aria-label="Assay: Do not buy · \d+ \w+ \d{4}"/)
  })

  test('a page of another site may show it, and is counted', async () => {
    const { app, save } = await setUp()
    const { id } = (await save()).json()
    const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
    const ask = () => app.inject({ url: `/r/${id}/badge.svg`, headers, remoteAddress: '198.51.100.7' })
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i += 1) statuses.add((await ask()).statusCode)
    expect([...statuses]).toEqual([200])
    expect((await ask()).statusCode).toBe(429)
  })

  test('the words of the service reach the card, and its address the report', async () => {
    const { save, look } = await setUp()
    const { id, overall } = (await save()).json()
    const { body } = await look(`${id}/card`)
    expect(body).toContain(`>${overall.advice}<`)
    expect(body).toContain(`href="${ORIGIN}/r/${id}"`)
    expect(TOKEN).toMatch(/^0x/)
  })
})
