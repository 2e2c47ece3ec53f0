import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { openDatabase } from '../stores/database.js'
import type { ReportShares } from './make-room.js'
import { savedReportStoreConformance } from './saved-report-store.conformance.js'
import { SavedReportStoreError } from './saved-report-store.js'
import { createSqlSavedReportStore } from './sql-saved-report-store.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const open = async (config: { dataDir: string; databaseUrl: string | undefined }, shares?: ReportShares) => {
  const db = await openDatabase(config)
  return { store: createSqlSavedReportStore(db, shares), close: () => db.destroy() }
}
const openFile = (shares?: ReportShares) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-saved-reports-'))
  folders.push(dataDir)
  return open({ dataDir, databaseUrl: undefined }, shares)
}

savedReportStoreConformance('SQLite', openFile)

test('a store that is gone is an error of its own', async () => {
  const { store, close } = await openFile()
  await close()
  await expect(store.find('report_1', 0)).rejects.toThrow(SavedReportStoreError)
})

describe.skipIf(!(await hasPostgres()))('PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_saved_reports')
  afterAll(schemas.drop)

  savedReportStoreConformance('PostgreSQL', async (shares) =>
    open({ dataDir: '/nonexistent', databaseUrl: await schemas.newUrl() }, shares),
  )
})
