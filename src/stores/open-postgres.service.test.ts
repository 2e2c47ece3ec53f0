import { Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { openPostgres } from './open-postgres.js'

/** Longer than any wait for the database. */
const BUSY_MS = 2_500

/** No answer is read meanwhile, and every timer is late. */
function keepBusy() {
  const until = performance.now() + BUSY_MS
  while (performance.now() < until);
}

describe.skipIf(!(await hasPostgres()))('a process that is busy itself (skipped without PostgreSQL)', () => {
  const schemas = createTestSchemas('assay_busy')
  let db: Kysely<unknown>
  beforeAll(async () => {
    db = new Kysely({ dialect: openPostgres(await schemas.newUrl()).dialect })
  })
  afterAll(async () => {
    await db.destroy()
    await schemas.drop()
  })
  const ask = async (of: number) => (await sql<{ n: number }>`select ${of}::int as n`.execute(db)).rows

  test('an answer that came in time counts, though it is read late', async () => {
    await ask(0)
    const asked = ask(1)
    // Not before the question has left.
    await new Promise((resolve) => setTimeout(resolve, 1))
    keepBusy()
    expect(await asked).toEqual([{ n: 1 }])
  })

  test('who waits for a connection gets one, though all are at work and their answers are read late', async () => {
    const asked = Array.from({ length: 40 }, (_, i) => ask(i))
    await new Promise((resolve) => setTimeout(resolve, 1))
    keepBusy()
    expect((await Promise.all(asked)).flat()).toHaveLength(40)
  })

  test('a query that the server does not end fails', async () => {
    await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('timeout')
    expect(await ask(2)).toEqual([{ n: 2 }])
  })
})
