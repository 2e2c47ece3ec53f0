import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

/** Lookups take a millisecond; a database that needs longer than this is down for our purpose. */
const POSTGRES_TIMEOUT_MS = 2_000
const POSTGRES_CONNECTIONS = 10
/** Any number that no other program takes in the same database: "assay" as bytes. */
const MIGRATION_LOCK = 0x6173736179

/** A pool of connections; whether there is a server is told by the first query. */
export function openPostgres(connectionString: string) {
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
    dialect: new PostgresDialect({ pool: leaveBrokenOnes(pool) }),
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
      // A busy process lets the time pass without doing its part: no word of the server.
      const client = await pool.connect().catch(() => pool.connect())
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
