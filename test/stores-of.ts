import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { type Db, openDatabase } from '../src/stores/database.js'
import { createTestSchemas, hasPostgres } from './postgres.js'

type Create<Store, Options> = (options: Options) => Promise<{ store: Store; close(): Promise<void> }>

/** Runs the promises of a store on both databases. */
export async function onBothDatabases<Store, Options>(
  prefix: string,
  make: (db: Db, options: Options) => Store,
  conformance: (name: string, create: Create<Store, Options>) => void,
): Promise<void> {
  const open = async (config: { dataDir: string; databaseUrl: string | undefined }, options: Options) => {
    const db = await openDatabase(config)
    return { store: make(db, options), close: () => db.destroy() }
  }
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  conformance('SQLite', (options) => {
    const dataDir = mkdtempSync(join(tmpdir(), `${prefix}-`))
    folders.push(dataDir)
    return open({ dataDir, databaseUrl: undefined }, options)
  })
  const isThere = await hasPostgres()
  describe.skipIf(!isThere)('PostgreSQL (skipped where none listens on port 5432)', () => {
    const schemas = createTestSchemas(prefix.replaceAll('-', '_'))
    afterAll(schemas.drop)
    conformance('PostgreSQL', async (options) =>
      open({ dataDir: '/nonexistent', databaseUrl: await schemas.newUrl() }, options),
    )
  })
}
