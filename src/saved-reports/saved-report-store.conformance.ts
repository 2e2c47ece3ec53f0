import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReportShares } from './make-room.js'
import type { ReportOwner, ReportSummary } from './saved-report.js'
import type { NewReport, SavedReportStore } from './saved-report-store.js'

const NOW = 1_767_225_600_000
const ALICE: ReportOwner = { kind: 'wallet', id: 'eip155:0xa' }
const BOB: ReportOwner = { kind: 'wallet', id: 'eip155:0xb' }
const OPERATOR: ReportOwner = { kind: 'key', id: 'key_1' }

const SUMMARY: ReportSummary = {
  ...{ chain: '1', chainName: 'Ethereum', address: '0xa', name: 'Token', symbol: 'TKN' },
  overall: { level: 'Safe', score: 0, advice: 'No trap found', headline: 'h', reason: 'r', inconclusive: null },
  block: { number: 1, timestamp: '2026-01-01T00:00:00.000Z' },
}

/** Shares that a few reports fill: an incompressible one of `noise` bytes takes a little more. */
const SHARES: ReportShares = {
  owner: { reports: 3, bytes: 30_000 },
  kind: { reports: 5, bytes: 60_000 },
  reportBytes: 20_000,
}

let made = 0
const sample = (overrides: Partial<NewReport> = {}, noise = 16): NewReport => {
  made += 1
  return {
    id: `report_${made}`,
    owner: ALICE,
    visibility: 'link',
    createdAt: NOW + made,
    expiresAt: NOW + 1_000_000,
    summary: SUMMARY,
    answers: { simulation: { success: true, noise: randomBytes(noise).toString('base64') } },
    ...overrides,
  }
}

export interface OpenSavedReportStore {
  store: SavedReportStore
  close(): Promise<void>
}

/** What every store of reports promises, with shares that a test can use up. */
export function savedReportStoreConformance(
  name: string,
  create: (shares: ReportShares) => Promise<OpenSavedReportStore>,
) {
  describe(`${name}: store of reports`, () => {
    let store: SavedReportStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await create(SHARES))
    })
    afterEach(() => close())

    const idsOf = async (owner: ReportOwner) => (await store.list(owner, NOW)).map(({ id }) => id)

    test('a report comes back as it was kept', async () => {
      const { answers, ...report } = sample({ visibility: 'private' })
      expect(await store.insert({ ...report, answers })).toEqual([])
      expect(await store.find(report.id, NOW)).toEqual(report)
      expect(await store.readAnswers(report.id)).toEqual(answers)
      expect(await store.find('report_none', NOW)).toBeUndefined()
      expect(await store.readAnswers('report_none')).toBeUndefined()
    })

    test('those of a kind are listed whose ever they are, newest first, and no others', async () => {
      const [first, second] = [sample({ owner: ALICE }), sample({ owner: BOB })]
      for (const each of [first, second, sample({ owner: OPERATOR })]) await store.insert(each)
      const list = async (now: number, limit: number) =>
        (await store.listKind('wallet', now, limit)).map(({ id }) => id)
      expect(await list(NOW, 10)).toEqual([second.id, first.id])
      expect(await list(NOW, 1)).toEqual([second.id])
      expect(await list(NOW + 1_000_000, 10)).toEqual([])
    })

    test('past its time it is gone, and the next one takes its place', async () => {
      const old = sample({ expiresAt: NOW + 10_000 })
      await store.insert(old)
      expect(await store.find(old.id, NOW + 9_999)).toBeDefined()
      expect(await store.find(old.id, NOW + 10_000)).toBeUndefined()
      expect(await store.list(ALICE, NOW + 10_000)).toEqual([])
      await store.insert(sample({ createdAt: NOW + 10_000 }))
      expect(await store.readAnswers(old.id)).toBeUndefined()
    })

    test('only its owner changes or deletes it', async () => {
      const { id } = sample()
      await store.insert(sample({ id }))
      expect(await store.setVisibility(id, BOB, 'private')).toBe(false)
      expect(await store.remove(id, { ...ALICE, kind: 'key' })).toBe(false)
      expect(await store.setVisibility(id, ALICE, 'private')).toBe(true)
      expect((await store.find(id, NOW))?.visibility).toBe('private')
      expect(await store.remove(id, ALICE)).toBe(true)
      expect(await store.find(id, NOW)).toBeUndefined()
    })

    test('an owner with too many gives up its own oldest, and is told which', async () => {
      const other = sample({ owner: BOB })
      await store.insert(other)
      const reports = [sample(), sample(), sample(), sample()]
      const gone = []
      for (const each of reports) gone.push(await store.insert(each))
      expect(gone).toEqual([[], [], [], [reports[0]?.id]])
      expect(await idsOf(ALICE)).toEqual([reports[3]?.id, reports[2]?.id, reports[1]?.id])
      expect(await idsOf(BOB)).toEqual([other.id])
    })

    test('large ones count by their size, and one that is too large is not kept', async () => {
      const [first, second] = [sample({}, 14_000), sample({}, 14_000)]
      await store.insert(first)
      await store.insert(second)
      expect(await store.insert(sample({}, 14_000))).toEqual([first.id])
      expect(await store.insert(sample({}, 40_000))).toBe('too-large')
      expect(await idsOf(ALICE)).toHaveLength(2)
    })

    test('a kind that is full takes from its owner with most, and never from the other kind', async () => {
      const operators = sample({ owner: OPERATOR }, 14_000)
      await store.insert(operators)
      const small = sample({ owner: BOB })
      await store.insert(small)
      const [oldest, ...rest] = [sample({}, 9_000), sample({}, 9_000), sample({}, 9_000)]
      for (const each of [oldest, ...rest]) if (each) await store.insert(each)
      // The fifth of the kind has room; the sixth takes that of the largest owner's oldest.
      await store.insert(sample({ owner: BOB }))
      expect(await store.insert(sample({ owner: { kind: 'wallet', id: 'eip155:0xc' } }))).toEqual([])
      expect(await idsOf(ALICE)).toEqual(rest.map((each) => each?.id).toReversed())
      expect(await idsOf(BOB)).toHaveLength(2)
      expect(await idsOf(OPERATOR)).toEqual([operators.id])
    })
  })
}
