import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { openDatabase } from '../stores/database.js'
import { accountStoreConformance } from './account-store.conformance.js'
import { AccountStoreError } from './account-store.js'
import { createSqlAccountStore } from './sql-account-store.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-accounts-'))
  folders.push(folder)
  return folder
}

const open = async (config: { dataDir: string; databaseUrl: string | undefined }) => {
  const db = await openDatabase(config)
  return { store: createSqlAccountStore(db), close: () => db.destroy() }
}
const openFile = (dataDir: string) => open({ dataDir, databaseUrl: undefined })

const NONCE = { nonce: 'n'.repeat(60), wallet: 'eip155:0xa', usedAt: 1, expiresAt: 10 }
const SESSION = { hash: 'h', wallet: 'eip155:0xa', createdAt: 1, expiresAt: 10 }

accountStoreConformance('SQLite', () => openFile(newFolder()))

test('a file: what was used, sessions and secrets survive a restart', async () => {
  const dataDir = newFolder()
  const first = await openFile(dataDir)
  await first.store.spendNonce(NONCE)
  const secret = await first.store.sharedSecret('a')
  await first.store.addSession(SESSION)
  await first.close()
  const second = await openFile(dataDir)
  expect(await second.store.spendNonce(NONCE)).toBe('used')
  expect(await second.store.sharedSecret('a')).toEqual(secret)
  expect(await second.store.findSession('h')).toEqual(SESSION)
  await second.close()
})

test('a store that is gone is an error of its own', async () => {
  const { store, close } = await openFile(newFolder())
  await close()
  await expect(store.findSession('h')).rejects.toThrow(AccountStoreError)
})

const isPostgresThere = await hasPostgres()

describe.skipIf(!isPostgresThere)('PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_accounts')
  afterAll(schemas.drop)
  const openServer = (databaseUrl: string) => open({ dataDir: '/nonexistent', databaseUrl })

  accountStoreConformance('PostgreSQL', async () => openServer(await schemas.newUrl()))

  test('processes share secrets and sessions, and a nonce is good in one of them only', async () => {
    const url = await schemas.newUrl()
    const [one, two] = await Promise.all([openServer(url), openServer(url)])
    const [mine, yours] = await Promise.all([one, two].map(({ store }) => store.sharedSecret('a')))
    expect(mine).toEqual(yours)
    const outcomes = await Promise.all([one, two, one, two].map(({ store }) => store.spendNonce(NONCE)))
    expect(outcomes.toSorted()).toEqual(['taken', 'used', 'used', 'used'])
    await one.store.addSession(SESSION)
    expect(await two.store.findSession('h')).toEqual(SESSION)
    await two.store.removeSession('h')
    expect(await one.store.findSession('h')).toBeUndefined()
    await Promise.all([one.close(), two.close()])
  })
})
