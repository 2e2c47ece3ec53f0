import type { Db } from '../stores/database.js'
import type { OwnerKind, ReportOwner } from './saved-report.js'

export interface ReportShares {
  /** Of one owner. */
  owner: Share
  /** Of all owners of one kind. */
  kind: Share
  /** Of one report. */
  reportBytes: number
}

interface Share {
  reports: number
  bytes: number
}

interface Newcomer {
  owner: ReportOwner
  bytes: number
  now: number
  shares: ReportShares
}

/**
 * Lets go of what a new report takes the place of: what is past its time, the oldest of its owner
 * where that has no room, and the oldest of those who have most where its kind has none. Gives the
 * ids of those that were the owner's own.
 */
export async function makeRoom(db: Db, { owner, bytes, now, shares }: Newcomer): Promise<string[]> {
  await forgetExpired(db, now)
  const own = await forgetOldest(db, owner, missing(await measureOwner(db, owner), bytes, shares.owner))
  const gone = [...own]
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const need = missing(await measureKind(db, owner.kind), bytes, shares.kind)
    if (need.reports <= 0 && need.bytes <= 0) break
    const most = await findLargestOwner(db, owner.kind)
    if (most === undefined) break
    const ids = await forgetOldest(db, most, { reports: Math.max(1, need.reports), bytes: need.bytes })
    if (most.id === owner.id) gone.push(...ids)
  }
  return gone
}

/** More than one insertion adds, and no statement so long that the database gives it up. */
const EXPIRED_AT_ONCE = 5

/**
 * Owners that give up something for one report. Where all are that small, the newcomer takes a
 * little more than the share, and the next one makes up for it.
 */
const MAX_TURNS = 5

async function forgetExpired(db: Db, now: number): Promise<void> {
  const old = await db
    .selectFrom('saved_reports')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(EXPIRED_AT_ONCE)
    .execute()
  await remove(
    db,
    old.map(({ id }) => id),
  )
}

/** What has to go so that one more fits; nothing where neither number is above zero. */
const missing = (used: Share, bytes: number, share: Share): Share => ({
  reports: used.reports + 1 - share.reports,
  bytes: used.bytes + bytes - share.bytes,
})

async function forgetOldest(db: Db, { kind, id }: ReportOwner, need: Share): Promise<string[]> {
  if (need.reports <= 0 && need.bytes <= 0) return []
  const oldest = await db
    .selectFrom('saved_reports')
    .select(['id', 'bytes'])
    .where('owner_kind', '=', kind)
    .where('owner', '=', id)
    .orderBy('created_at')
    .execute()
  const gone: string[] = []
  let freed = 0
  for (const each of oldest) {
    if (gone.length >= need.reports && freed >= need.bytes) break
    gone.push(each.id)
    freed += each.bytes
  }
  await remove(db, gone)
  return gone
}

async function remove(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('saved_reports').where('id', 'in', ids).execute()
}

const selectShare = (db: Db) =>
  db.selectFrom('saved_reports').select(({ fn }) => [fn.countAll().as('reports'), fn.sum('bytes').as('bytes')])

const toShare = ({ reports, bytes }: { reports: unknown; bytes: unknown }): Share => ({
  reports: Number(reports),
  bytes: Number(bytes ?? 0),
})

const measureOwner = async (db: Db, { kind, id }: ReportOwner): Promise<Share> =>
  toShare(await selectShare(db).where('owner_kind', '=', kind).where('owner', '=', id).executeTakeFirstOrThrow())

const measureKind = async (db: Db, kind: OwnerKind): Promise<Share> =>
  toShare(await selectShare(db).where('owner_kind', '=', kind).executeTakeFirstOrThrow())

async function findLargestOwner(db: Db, kind: OwnerKind): Promise<ReportOwner | undefined> {
  const row = await db
    .selectFrom('saved_reports')
    .select('owner')
    .where('owner_kind', '=', kind)
    .groupBy('owner')
    .orderBy(({ fn }) => fn.sum('bytes'), 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { kind, id: row.owner }
}
