import { type Insertable, type Selectable, sql } from 'kysely'
import { TRUST_STATUSES } from '../checks/levels.js'
import type { Hex } from '../hex.js'
import type { Family, FamilyCounts } from '../reports/family.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import { type FamilyMember, MAX_MEMBERS, MAX_OF_CODE, MAX_SOURCES, MEMBER_KEPT_MS, OWN } from './family-member.js'
import { type FamilyQuestion, type FamilyStore, FamilyStoreError, type ImportRefusal } from './family-store.js'

export interface FamilyShares {
  ofCode: number
  members: number
  sources: number
}

const SHARES: FamilyShares = { ofCode: MAX_OF_CODE, members: MAX_MEMBERS, sources: MAX_SOURCES }

/** Families in SQLite or PostgreSQL. Does not own `db`. Other `shares` are for tests. */
export function createSqlFamilyStore(db: Db, shares: FamilyShares = SHARES): FamilyStore {
  return {
    record: (member) => guard('remember a token', () => record(db, member, shares)),
    read: (question) => guard('read a family', () => read(db, question, shares)),
    findKnown: (codes) =>
      guard('look for codes', async () => {
        if (codes.length === 0) return new Set()
        const known = db.selectFrom('family_members').select('code').distinct().where('source', '=', OWN)
        const rows = await known.where('code', 'in', codes.slice(0, MAX_ASKED)).execute()
        return new Set(rows.map(({ code }) => code as Hex))
      }),
    list: (limit) =>
      guard('list tokens', async () => {
        const own = db.selectFrom('family_members').selectAll().where('source', '=', OWN)
        return (await own.orderBy('last_at', 'desc').limit(limit).execute()).map(toMember)
      }),
    count: () =>
      guard('count tokens', async () => {
        const { rows } = await sql<Record<string, unknown>>`
          select count(*) as copies, sum(hostile) as hostile, sum(turned) as turned, count(distinct code) as codes
          from family_members where source = ${OWN}`.execute(db)
        return { ...toCounts(rows[0]), codes: Number(rows[0]?.codes ?? 0) }
      }),
    replaceSource: (keyId, file) => guard('import families', () => replaceSource(db, keyId, file, shares)),
    listSources: () =>
      guard('list sources', async () => {
        const rows = await db.selectFrom('family_sources').selectAll().orderBy('source').execute()
        return rows.map(({ source, made_at, members }) => ({ keyId: source, madeAt: made_at, members }))
      }),
    removeSource: (keyId) =>
      guard('forget a source', () =>
        db.transaction().execute(async (transaction) => {
          await transaction.deleteFrom('family_members').where('source', '=', ofOthers(keyId)).execute()
          const gone = transaction.deleteFrom('family_sources').where('source', '=', ofOthers(keyId))
          return (await gone.executeTakeFirst()).numDeletedRows > 0n
        }),
      ),
    forgetOld: (now) => guard('forget old tokens', () => forgetOld(db, now, shares)),
  }
}

/** Codes of one question: more never come to a market at once. */
const MAX_ASKED = 500

/** The own memory is no source, whatever a caller says. */
function ofOthers(keyId: string): string {
  if (keyId === OWN) throw new RangeError('a source has a name')
  return keyId
}

async function record(db: Db, member: FamilyMember, { ofCode }: FamilyShares): Promise<void> {
  const row = toRow(OWN, member)
  await db
    .insertInto('family_members')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['source', 'chain_id', 'address']).doUpdateSet({
        ...{ code: row.code, behaviour: row.behaviour, traits: row.traits },
        ...{ last_at: row.last_at, last_level: row.last_level },
        creator: sql`coalesce(excluded.creator, family_members.creator)`,
        turned: sql`case when family_members.hostile < excluded.hostile then 1 else family_members.turned end`,
        // What was hostile once is not forgiven.
        hostile: sql`case when family_members.hostile = 1 then 1 else excluded.hostile end`,
      }),
    )
    .execute()
  for (const hostile of [0, 1]) {
    const beyond = db
      .selectFrom('family_members')
      .select(['address', 'chain_id'])
      .where('code', '=', row.code)
      .where('source', '=', OWN)
      .where('hostile', '=', hostile)
      .orderBy('last_at', 'desc')
      .offset(ofCode)
      .limit(FORGOTTEN_AT_ONCE)
    for (const each of await beyond.execute()) await forget(db, each)
  }
}

/** No statement so long that the database gives it up. */
const FORGOTTEN_AT_ONCE = 100

const forget = (db: Db, { chain_id, address }: Pick<Row, 'chain_id' | 'address'>) =>
  db
    .deleteFrom('family_members')
    .where('source', '=', OWN)
    .where('chain_id', '=', chain_id)
    .where('address', '=', address)
    .execute()

type Row = Selectable<Tables['family_members']>

async function read(db: Db, question: FamilyQuestion, { ofCode }: FamilyShares): Promise<Family> {
  const { chainId, address, code, behaviour = '' } = question
  // What was judged here counts as that, whatever others say of it.
  const { rows } = await sql<Record<string, unknown>>`
    select source, count(*) as copies, sum(hostile) as hostile, sum(turned) as turned, min(first_at) as since,
      sum(case when behaviour = ${behaviour} then 1 else 0 end) as alike_copies,
      sum(case when behaviour = ${behaviour} then hostile else 0 end) as alike_hostile,
      sum(case when behaviour = ${behaviour} then turned else 0 end) as alike_turned,
      count(distinct case when hostile = 1 then creator end) as creators
    from family_members as member
    where code = ${code} and not (chain_id = ${chainId} and address = ${address})
      and (source = ${OWN} or not exists (
        select 1 from family_members as own
        where own.source = ${OWN} and own.chain_id = member.chain_id and own.address = member.address))
    group by source order by source`.execute(db)
  const own = rows.find(({ source }) => source === OWN)
  const counts = toCounts(own)
  return {
    ...{ code, ...counts },
    isMore: counts.hostile >= ofCode || counts.copies - counts.hostile >= ofCode,
    alike: toCounts({ copies: own?.alike_copies, hostile: own?.alike_hostile, turned: own?.alike_turned }),
    creatorsOfHostile: Number(own?.creators ?? 0),
    since: own === undefined ? undefined : Number(own.since),
    imported: rows
      .filter(({ source }) => source !== OWN)
      .map((row) => ({ keyId: String(row.source), ...toCounts(row) })),
  }
}

/** Sums are texts in one database and numbers in the other. */
const toCounts = ({ copies, hostile, turned }: Record<string, unknown> = {}): FamilyCounts => ({
  ...{ copies: Number(copies ?? 0), hostile: Number(hostile ?? 0), turned: Number(turned ?? 0) },
})

/** Rows of one statement: both databases take so many values. */
const ROWS_AT_ONCE = 50

async function replaceSource(
  db: Db,
  keyId: string,
  { madeAt, members }: { madeAt: number; members: readonly FamilyMember[] },
  { sources }: FamilyShares,
): Promise<ImportRefusal | undefined> {
  const source = ofOthers(keyId)
  return db.transaction().execute(async (transaction) => {
    const known = await transaction.selectFrom('family_sources').selectAll().execute()
    const before = known.find((each) => each.source === source)
    // One that was made before could bring back what its maker has corrected since.
    if (before !== undefined && before.made_at > madeAt) return 'older'
    if (before === undefined && known.length >= sources) return 'sources'
    await transaction.deleteFrom('family_members').where('source', '=', source).execute()
    await transaction.deleteFrom('family_sources').where('source', '=', source).execute()
    await transaction
      .insertInto('family_sources')
      .values({ source, made_at: madeAt, members: members.length })
      .execute()
    for (let at = 0; at < members.length; at += ROWS_AT_ONCE) {
      const part = members.slice(at, at + ROWS_AT_ONCE).map((member) => toRow(source, member))
      await transaction.insertInto('family_members').values(part).execute()
    }
    return undefined
  })
}

/** Codes that give up something in one go. */
const MAX_TURNS = 10

async function forgetOld(db: Db, now: number, { members }: FamilyShares): Promise<void> {
  const own = () => db.selectFrom('family_members').select(['chain_id', 'address']).where('source', '=', OWN)
  const old = await own()
    .where('last_at', '<', now - MEMBER_KEPT_MS)
    .limit(FORGOTTEN_AT_ONCE)
    .execute()
  for (const each of old) await forget(db, each)
  const { total } = await db
    .selectFrom('family_members')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('source', '=', OWN)
    .executeTakeFirstOrThrow()
  let excess = Number(total) - members
  // The code with most gives first, so that a flood of one kind pushes out its own.
  for (let turn = 0; turn < MAX_TURNS && excess > 0; turn += 1) {
    const most = await db
      .selectFrom('family_members')
      .select(['code'])
      .where('source', '=', OWN)
      .groupBy('code')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .orderBy(({ fn }) => fn.min('last_at'))
      .limit(1)
      .executeTakeFirst()
    if (most === undefined) return
    const oldest = own().where('code', '=', most.code).orderBy('last_at')
    for (const each of await oldest.limit(Math.min(excess, FORGOTTEN_AT_ONCE)).execute()) {
      await forget(db, each)
      excess -= 1
    }
  }
}

const toRow = (source: string, member: FamilyMember): Insertable<Tables['family_members']> => ({
  ...{ source, chain_id: member.chainId, address: member.address, code: member.code },
  ...{ behaviour: member.behaviour, traits: member.traits.join('\n'), creator: member.creator ?? null },
  ...{ first_at: member.firstAt, last_at: member.lastAt },
  ...{ first_level: member.firstLevel, last_level: member.lastLevel },
  ...{ hostile: Number(member.isHostile), turned: Number(member.isTurned) },
})

const levelOf = (text: string) => TRUST_STATUSES.find((level) => level === text) ?? 'Medium Risk'

const toMember = (row: Row): FamilyMember => ({
  ...{ chainId: row.chain_id, address: row.address as TokenAddress, code: row.code as Hex, behaviour: row.behaviour },
  traits: row.traits === '' ? [] : row.traits.split('\n'),
  creator: (row.creator as TokenAddress | null) ?? undefined,
  ...{ firstAt: row.first_at, lastAt: row.last_at },
  ...{ firstLevel: levelOf(row.first_level), lastLevel: levelOf(row.last_level) },
  ...{ isHostile: row.hostile === 1, isTurned: row.turned === 1 },
})

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw error instanceof RangeError ? error : new FamilyStoreError(operation, error)
  }
}
