import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, SqliteDialect, sql } from 'kysely'
import Database from 'libsql'
import pg from 'pg'
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
  const { db, lock } = databaseUrl === undefined ? openSqlite(dataDir) : openPostgres(databaseUrl)
  try {
    await migrate(db, lock)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

interface OpenDatabase {
  db: Db
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
  return { db: new Kysely({ dialect: new SqliteDialect({ database }) }), lock: ['begin immediate'] }
}

/** Lookups take a millisecond; a database that needs longer than this is down for our purpose. */
const POSTGRES_TIMEOUT_MS = 2_000
const POSTGRES_CONNECTIONS = 10
/** Any number that no other program takes in the same database: "assay" as bytes. */
const MIGRATION_LOCK = 0x6173736179

function openPostgres(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: POSTGRES_CONNECTIONS,
    connectionTimeoutMillis: POSTGRES_TIMEOUT_MS,
    query_timeout: POSTGRES_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser: parseInt8AsNumber },
  })
  // A connection that breaks is replaced at the next query, and the query under way fails; without
  // a listener it would end the process besides: the pool listens to the idle ones, and to none
  // that is at work.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    db: new Kysely({ dialect: new PostgresDialect({ pool: leaveBrokenOnes(pool) }) }),
    lock: ['begin', `select pg_advisory_xact_lock(${MIGRATION_LOCK})`],
  }
}

/**
 * The pool, but a connection is not used again after a query on it failed by anything else than the
 * server's own word. One that has fallen silent (a firewall forgot it, the server's address moved)
 * would let every later query wait for the first one's answer until the system gives the connection
 * up, which takes a quarter of an hour.
 */
function leaveBrokenOnes(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      let failure: unknown
      const query = async (text: string, values: readonly unknown[]) => {
        // Such as the rollback of what just failed.
        if (failure !== undefined) throw failure
        try {
          return await client.query(text, [...values])
        } catch (error) {
          if (!(error instanceof pg.DatabaseError)) failure = error
          throw error
        }
      }
      const release = () => client.release(failure !== undefined)
      // Its other form, for cursors, is asked of pools with a cursor class only.
      return { query: query as unknown as PostgresPoolClient['query'], release }
    },
    end: () => pool.end(),
  }
}

/** Our 64-bit columns hold milliseconds and small counts, which a number holds exactly. */
const parseInt8AsNumber: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')

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
