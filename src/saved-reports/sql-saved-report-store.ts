import type { Selectable } from 'kysely'
import type { Db } from '../stores/database.js'
import { packText, unpackText } from '../stores/pack-text.js'
import type { Tables } from '../stores/tables.js'
import { makeRoom, type ReportShares } from './make-room.js'
import {
  KIND_SHARE,
  MAX_REPORT_BYTES,
  OWNER_SHARE,
  type OwnerKind,
  type ReportSummary,
  type SavedAnswers,
  type SavedReport,
  type Visibility,
} from './saved-report.js'
import { type NewReport, type SavedReportStore, SavedReportStoreError } from './saved-report-store.js'

const SHARES: ReportShares = { owner: OWNER_SHARE, kind: KIND_SHARE, reportBytes: MAX_REPORT_BYTES }

/** Reports in SQLite or PostgreSQL. Does not own `db`. Other `shares` are for tests. */
export function createSqlSavedReportStore(db: Db, shares: ReportShares = SHARES): SavedReportStore {
  return {
    insert: (report) => guard('keep a report', () => insert(db, report, shares)),
    find: (id, now) =>
      guard('find a report', async () => {
        const row = await selectReports(db).where('id', '=', id).where('expires_at', '>', now).executeTakeFirst()
        return row && toReport(row)
      }),
    readAnswers: (id) =>
      guard('read a report', async () => {
        const row = await db.selectFrom('saved_reports').select('packed').where('id', '=', id).executeTakeFirst()
        return row && (JSON.parse(await unpackText(row.packed)) as SavedAnswers)
      }),
    list: ({ kind, id }, now) =>
      guard('list reports', async () => {
        const rows = await selectReports(db)
          .where('owner_kind', '=', kind)
          .where('owner', '=', id)
          .where('expires_at', '>', now)
          .orderBy('created_at', 'desc')
          .limit(shares.owner.reports)
          .execute()
        return rows.map(toReport)
      }),
    listKind: (kind, now, limit) =>
      guard('list reports', async () => {
        const rows = await selectReports(db)
          .where('owner_kind', '=', kind)
          .where('expires_at', '>', now)
          .orderBy('created_at', 'desc')
          .limit(limit)
          .execute()
        return rows.map(toReport)
      }),
    setVisibility: (id, owner, visibility) =>
      guard('change a report', async () => {
        const { numUpdatedRows } = await db
          .updateTable('saved_reports')
          .set({ visibility })
          .where('id', '=', id)
          .where('owner_kind', '=', owner.kind)
          .where('owner', '=', owner.id)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    remove: (id, owner) =>
      guard('delete a report', async () => {
        const { numDeletedRows } = await db
          .deleteFrom('saved_reports')
          .where('id', '=', id)
          .where('owner_kind', '=', owner.kind)
          .where('owner', '=', owner.id)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}

async function insert(db: Db, report: NewReport, shares: ReportShares): Promise<readonly string[] | 'too-large'> {
  const { id, owner, visibility, createdAt, expiresAt } = report
  const summary = JSON.stringify(report.summary)
  const packed = await packText(JSON.stringify(report.answers))
  const bytes = Buffer.byteLength(summary) + packed.length
  if (bytes > shares.reportBytes) return 'too-large'
  return db.transaction().execute(async (transaction) => {
    const gone = await makeRoom(transaction, { owner, bytes, now: createdAt, shares })
    await transaction
      .insertInto('saved_reports')
      .values({
        ...{ id, visibility, bytes, summary, packed },
        ...{ owner_kind: owner.kind, owner: owner.id, created_at: createdAt, expires_at: expiresAt },
      })
      .execute()
    return gone
  })
}

/** All but what is large. */
const selectReports = (db: Db) =>
  db
    .selectFrom('saved_reports')
    .select(['id', 'owner_kind', 'owner', 'visibility', 'created_at', 'expires_at', 'summary'])

type Row = Omit<Selectable<Tables['saved_reports']>, 'bytes' | 'packed'>

const toReport = (row: Row): SavedReport => ({
  id: row.id,
  owner: { kind: row.owner_kind as OwnerKind, id: row.owner },
  visibility: row.visibility as Visibility,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  summary: JSON.parse(row.summary) as ReportSummary,
})

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new SavedReportStoreError(operation, error)
  }
}
