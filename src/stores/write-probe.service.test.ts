import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { createManualClock } from '../clock.js'
import { type Db, openDatabase } from './database.js'
import { createWriteProbe } from './write-probe.js'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-write-probe-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const answers = (db: Db) => sql`select 1`.execute(db)
const countRows = async (db: Db) => (await db.selectFrom('write_probes').selectAll().execute()).length
const ONCE_MORE_MS = 5_000

test('a file that only answers reads is noticed, and its recovery too', async () => {
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  const clock = createManualClock()
  const probe = createWriteProbe(db, clock)
  await probe()
  await sql`pragma query_only = on`.execute(db)
  await expect(probe()).resolves.toBeUndefined()
  clock.advance(ONCE_MORE_MS)
  await answers(db)
  await expect(probe()).rejects.toThrow()
  await sql`pragma query_only = off`.execute(db)
  await expect(probe()).rejects.toThrow()
  clock.advance(ONCE_MORE_MS)
  await expect(probe()).resolves.toBeUndefined()
  expect(await countRows(db)).toBe(1)
  await db.destroy()
})

describe.skipIf(!(await hasPostgres()))('PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_write_probe')
  afterAll(schemas.drop)

  test('a server that takes no writes is noticed, and its recovery too', async () => {
    const db = await openDatabase({ dataDir: '/nonexistent', databaseUrl: await schemas.newUrl() })
    const clock = createManualClock()
    const probe = createWriteProbe(db, clock)
    await probe()
    await sql`create function refuse() returns trigger language plpgsql as ${sql.lit(
      "begin raise exception 'no space left on device'; end",
    )}`.execute(db)
    await sql`create trigger full_disk before insert or update on write_probes execute function refuse()`.execute(db)
    clock.advance(ONCE_MORE_MS)
    await answers(db)
    await expect(probe()).rejects.toThrow('no space')
    await sql`drop trigger full_disk on write_probes`.execute(db)
    clock.advance(ONCE_MORE_MS)
    await expect(probe()).resolves.toBeUndefined()
    expect(await countRows(db)).toBe(1)
    await db.destroy()
  })
})
