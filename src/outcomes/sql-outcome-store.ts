import type { Insertable, Selectable } from 'kysely'
import { TRUST_STATUSES } from '../checks/levels.js'
import { toQuantity } from '../hex.js'
import { parseObject, parseQuantity } from '../rpc/parse.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import { type Followed, nextLookOf, OUTCOMES, type Outcome, type Sight } from './outcome.js'
import { type FollowShares, OUTCOME_KEPT_MS, type OutcomeStore, OutcomeStoreError } from './outcome-store.js'

/** Outcomes in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlOutcomeStore(db: Db): OutcomeStore {
  const all = () => db.selectFrom('outcomes').selectAll()
  const change = ({ chainId, address }: Pick<Followed, 'chainId' | 'address'>) =>
    db.updateTable('outcomes').where('chain_id', '=', chainId).where('address', '=', address)
  return {
    follow: (followed, shares) => guard('follow a verdict', () => follow(db, followed, shares)),
    find: (chainId, address) =>
      guard('find a verdict', async () => {
        const row = await all().where('chain_id', '=', chainId).where('address', '=', address).executeTakeFirst()
        return row && toFollowed(row)
      }),
    write: (followed, dueAt) =>
      guard('write an outcome', async () => {
        const { harm, harm_at, seen_7, seen_30 } = toRow(followed)
        const seen = { harm, harm_at, seen_7, seen_30 }
        await change(followed)
          .set({ ...seen, due_at: dueAt ?? null, held_until: 0, failures: 0 })
          .execute()
      }),
    claimDue: (times) => guard('take a verdict', () => claimDue(db, times)),
    postpone: (followed, dueAt) =>
      guard('postpone a verdict', async () => {
        const later = { due_at: dueAt, held_until: 0 }
        await change(followed)
          .set(({ eb }) => ({ ...later, failures: eb('failures', '+', 1) }))
          .execute()
      }),
    count: () =>
      guard('count outcomes', async () => {
        const groups = ['level', 'trap', 'seen_7', 'seen_30'] as const
        const rows = await db
          .selectFrom('outcomes')
          .select([...groups, ({ fn }) => fn.countAll().as('count')])
          .groupBy([...groups])
          .execute()
        return rows.map((row) => ({ ...toResult(row), count: Number(row.count) }))
      }),
    list: (limit) =>
      guard('list outcomes', async () =>
        (await all().orderBy('judged_at', 'desc').limit(limit).execute()).map(toFollowed),
      ),
    forgetOld: (now) =>
      guard('forget outcomes', async () => {
        await db
          .deleteFrom('outcomes')
          .where('judged_at', '<', now - OUTCOME_KEPT_MS)
          .execute()
      }),
  }
}

const HOUR_MS = 3_600_000

async function follow(db: Db, followed: Followed, shares: FollowShares): Promise<boolean> {
  const counted = () => db.selectFrom('outcomes').select(({ fn }) => fn.countAll().as('count'))
  const isFull = async (query: ReturnType<typeof counted>, most: number) =>
    Number((await query.executeTakeFirstOrThrow()).count) >= most
  if (followed.origin === 'sample') {
    const sample = () => counted().where('origin', '=', 'sample')
    if (await isFull(sample().where('due_at', 'is not', null), shares.sample)) return false
    if (await isFull(sample().where('judged_at', '>', followed.judgedAt - HOUR_MS), shares.sampleOfHour)) return false
  }
  if (await isFull(counted(), shares.all)) return false
  const row = { ...toRow(followed), due_at: nextLookOf(followed) ?? null, held_until: 0, failures: 0 }
  const added = db
    .insertInto('outcomes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return ((await added.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Verdicts that are looked at for one that no other process takes first. */
const CANDIDATES = 4

async function claimDue(db: Db, { now, leaseMs }: { now: number; leaseMs: number }): Promise<Followed | undefined> {
  const due = await db
    .selectFrom('outcomes')
    .select(['chain_id', 'address', 'held_until'])
    .where('due_at', '<=', now)
    .where('held_until', '<=', now)
    .orderBy('due_at')
    .limit(CANDIDATES)
    .execute()
  for (const { chain_id, address, held_until } of due) {
    const taken = db.updateTable('outcomes').set({ held_until: now + leaseMs })
    const mine = taken.where('chain_id', '=', chain_id).where('address', '=', address)
    const row = await mine.where('held_until', '=', held_until).returningAll().executeTakeFirst()
    if (row) return toFollowed(row)
  }
  return undefined
}

type Row = Selectable<Tables['outcomes']>

const toRow = (followed: Followed): Omit<Insertable<Tables['outcomes']>, 'due_at' | 'held_until' | 'failures'> => ({
  ...{ chain_id: followed.chainId, address: followed.address, origin: followed.origin },
  ...{ judged_at: followed.judgedAt, level: followed.level, trap: Number(followed.wasTrap) },
  sight: JSON.stringify(writeSight(followed.sight)),
  ...{ harm: followed.harm ?? null, harm_at: followed.harmAt ?? null },
  ...{ seen_7: followed.seen[7] ?? null, seen_30: followed.seen[30] ?? null },
})

const toFollowed = (row: Row): Followed => {
  const harm = readOutcome(row.harm)
  return {
    ...{ chainId: row.chain_id, address: row.address as TokenAddress, judgedAt: row.judged_at, ...toResult(row) },
    origin: row.origin === 'watch' ? 'watch' : 'sample',
    sight: readSight(JSON.parse(row.sight)),
    harm: harm === 'fine' || harm === 'unknown' ? undefined : harm,
    harmAt: row.harm_at ?? undefined,
  }
}

const toResult = ({ level, trap, seen_7, seen_30 }: Pick<Row, 'level' | 'trap' | 'seen_7' | 'seen_30'>) => ({
  level: TRUST_STATUSES.find((each) => each === level) ?? ('Medium Risk' as const),
  wasTrap: trap === 1,
  seen: { 7: readOutcome(seen_7), 30: readOutcome(seen_30) },
})

const readOutcome = (text: string | null): Outcome | 'unknown' | undefined =>
  text === 'unknown' ? text : OUTCOMES.find((outcome) => outcome === text)

const writeSight = ({ depth, pool, ...rest }: Sight) => ({
  ...{ ...rest, depth: toQuantity(depth) },
  pool: pool && { name: pool.name, tokens: toQuantity(pool.tokens) },
})

function readSight(value: unknown): Sight {
  const { isTrap, sellTaxBps, depth, pool } = parseObject(value)
  const { name, tokens } = pool === undefined ? {} : parseObject(pool)
  return {
    ...{ isTrap: isTrap === true, sellTaxBps: Number(sellTaxBps), depth: parseQuantity(depth) },
    pool: name === undefined ? undefined : { name: String(name), tokens: parseQuantity(tokens) },
  }
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new OutcomeStoreError(operation, error)
  }
}
