import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialect, Kysely, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import { type Migration, migrations } from './migrations.js'
import type { Tables } from './tables.js'

export type Db = Kysely<Tables>

export interface DatabaseOptions {
  /** Of PostgreSQL; without it an embedded file is used. */
  databaseUrl: string | undefined
  /** Where that file lies. */
  dataDir: string
}

/** Opens the database and brings its tables up to date. */
export async function openDatabase({ databaseUrl, dataDir }: DatabaseOptions): Promise<Db> {
  const { dialect, lock } = databaseUrl === undefined ? openSqlite(dataDir) : await loadPostgres(databaseUrl)
  const db: Db = new Kysely({ dialect })
  try {
    await migrate(db, lock)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

interface OpenDatabase {
  dialect: Dialect
  /** Statements that begin a transaction which no other process can begin at the same time. */
  lock: readonly string[]
}

/**
 * A write by another process (the command line) lasts milliseconds; a wait beyond this means
 * trouble, and it blocks this process.
 */
const SQLITE_BUSY_MS = 1_000

function openSqlite(dataDir: string): OpenDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'assay.db')
  const database = new Database(file)
  chmodSync(file, 0o600)
  database.pragma(`busy_timeout = ${SQLITE_BUSY_MS}`)
  // Readers go on while another process writes, and what was committed survives a power failure.
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  return { dialect: new SqliteDialect({ database }), lock: ['begin immediate'] }
}

/** The client of PostgreSQL is loaded for those who have one. */
async function loadPostgres(url: string): Promise<OpenDatabase> {
  const { openPostgres } = await import('./open-postgres.js')
  return openPostgres(url)
}

async function migrate(db: Db, lock: readonly string[]): Promise<void> {
  await db.connection().execute(async (connection) => {
    const run = (statement: string) => sql.raw(statement).execute(connection)
    for (const statement of lock) await run(statement)
    try {
      for (const migration of await findMissing(connection)) await apply(connection, migration)
      await run('commit')
    } catch (error) {
      await run('rollback')
      throw error
    }
  })
}

async function findMissing(db: Db): Promise<readonly Migration[]> {
  await sql`create table if not exists assay_migrations (name text primary key)`.execute(db)
  const { rows } = await sql<{ name: string }>`select name from assay_migrations`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}

async function apply(db: Db, { name, statements }: Migration): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await sql`insert into assay_migrations (name) values (${name})`.execute(db)
}
