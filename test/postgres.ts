import pg from 'pg'

export const POSTGRES_PORT = 5432
const POSTGRES = `postgres://postgres@127.0.0.1:${POSTGRES_PORT}/test`

/** Whether tests against PostgreSQL can run here. Throws where they must. */
export async function hasPostgres(): Promise<boolean> {
  const isThere = await runSql('select 1').then(
    () => true,
    () => false,
  )
  if (!isThere && process.env.CI === 'true') throw new Error(`no PostgreSQL at ${POSTGRES}`)
  return isThere
}

/** Databases of a test's own: schemas of the one server. `drop` takes them all away. */
export function createTestSchemas(prefix: string) {
  const schemas: string[] = []
  return {
    async newUrl(): Promise<string> {
      const schema = `${prefix}_${process.pid}_${schemas.length}`
      schemas.push(schema)
      await runSql(`create schema ${schema}`)
      return `${POSTGRES}?application_name=${schema}&options=-c%20search_path%3D${schema}`
    },
    /** Name of the newest, which its connections bear as well. */
    newest: () => schemas.at(-1) ?? '',
    async drop(): Promise<void> {
      for (const schema of schemas) await runSql(`drop schema ${schema} cascade`)
    },
  }
}

export async function runSql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}
