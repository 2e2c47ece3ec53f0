import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, test } from 'vitest'
import { compiled } from '../../test/compiled.js'
import { createTestSchemas, hasPostgres, POSTGRES_PORT, runSql } from '../../test/postgres.js'
import { startSilentProxy } from '../../test/silent-proxy.js'
import { guardProcess } from '../devnet/guard.js'
import { createKeyStore } from './create-key-store.js'
import { keyStoreConformance, sampleRecord } from './key-store.conformance.js'
import { KeyStoreError } from './key-store.js'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-keys-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const openFile = (dataDir: string) => createKeyStore({ dataDir, databaseUrl: undefined })

keyStoreConformance('SQLite', () => openFile(newFolder()))

describe('embedded file', () => {
  test('keeps keys over a restart, in a file that only the owner reads', async () => {
    const dataDir = join(newFolder(), 'made', 'on', 'demand')
    const first = await openFile(dataDir)
    await first.insert(sampleRecord())
    await first.close()
    const second = await openFile(dataDir)
    expect(await second.find('key_a')).toEqual(sampleRecord())
    await second.close()
    expect(statSync(join(dataDir, 'assay.db')).mode & 0o077).toBe(0)
  })

  test('lets two connections read and write at the same time', async () => {
    const dataDir = newFolder()
    const one = await openFile(dataDir)
    const two = await openFile(dataDir)
    await one.insert(sampleRecord())
    await two.update('key_a', { revokedAt: 5 })
    expect((await one.findByHash(sampleRecord().hash))?.revokedAt).toBe(5)
    await Promise.all([one.close(), two.close()])
  })

  test('loses no key when the process is killed right after it was told of it', async () => {
    const dataDir = newFolder()
    const script = compiled('test/keys/insert-forever.ts')
    const child = spawn(process.execPath, [script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    guardProcess(child)
    let acknowledged = 0
    for await (const chunk of child.stdout) {
      acknowledged += String(chunk).split('\n').length - 1
      if (acknowledged >= 20) child.kill('SIGKILL')
    }
    await once(child, 'exit').catch(() => {})
    const store = await openFile(dataDir)
    expect((await store.list()).length).toBeGreaterThanOrEqual(acknowledged)
    await store.close()
  })

  test('waits for a process that changes the tables, but not for ever', async () => {
    const dataDir = newFolder()
    await (await openFile(dataDir)).close()
    const other = new Database(join(dataDir, 'assay.db'))
    other.exec('begin immediate')
    await expect(openFile(dataDir)).rejects.toThrow('The key store failed to open (database is locked)')
    other.exec('rollback')
    await (await openFile(dataDir)).close()
    other.close()
  })

  test('41: is read while another process writes', async () => {
    const dataDir = newFolder()
    const store = await openFile(dataDir)
    await store.insert(sampleRecord())
    const other = new Database(join(dataDir, 'assay.db'))
    other.exec('begin exclusive')
    expect(await store.findByHash(sampleRecord().hash)).toEqual(sampleRecord())
    await expect(store.update('key_a', { revokedAt: 1 })).rejects.toThrow(KeyStoreError)
    other.exec('rollback')
    expect(await store.update('key_a', { revokedAt: 1 })).toBe(true)
    other.close()
    await store.close()
  })

  test('42: a damaged file is an error that names no content, and is not overwritten', async () => {
    const dataDir = newFolder()
    const file = join(dataDir, 'assay.db')
    writeFileSync(file, 'this is no database, and long enough to be read as a header of one'.repeat(20))
    await expect(openFile(dataDir)).rejects.toThrow(KeyStoreError)
    expect(statSync(file).size).toBe(66 * 20)
  })

  test('a folder that cannot be made is an error', async () => {
    const file = join(newFolder(), 'a-file')
    writeFileSync(file, '')
    await expect(openFile(resolve(file, 'data'))).rejects.toThrow('The key store failed to open')
  })
})

const isPostgresThere = await hasPostgres()

describe.skipIf(!isPostgresThere)('PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_test')
  afterAll(schemas.drop)
  const open = (databaseUrl: string) => createKeyStore({ dataDir: '/nonexistent', databaseUrl })

  keyStoreConformance('PostgreSQL', async () => open(await schemas.newUrl()))

  test('makes its tables once, however many processes start at the same time', async () => {
    const url = await schemas.newUrl()
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(url)))
    await stores[0]?.insert(sampleRecord())
    for (const store of stores) expect(await store.find('key_a')).toEqual(sampleRecord())
    await Promise.all(stores.map((store) => store.close()))
  })

  test('survives the end of its connections', async () => {
    const store = await open(await schemas.newUrl())
    await store.insert(sampleRecord())
    await runSql(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schemas.newest()}'`,
    )
    // The server ends a connection when it comes to it.
    await expect.poll(() => store.find('key_a').catch(() => undefined)).toEqual(sampleRecord())
    await store.close()
  })

  test('survives the end of connections that are at work: their queries fail, and nothing else does', async () => {
    const store = await open(await schemas.newUrl())
    await store.insert(sampleRecord())
    let isOver = false
    const askOn = async () => {
      while (!isOver) await store.find('key_a').catch(() => {})
    }
    const asking = Array.from({ length: 4 }, askOn)
    for (let i = 0; i < 30; i += 1) {
      await runSql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schemas.newest()}'`,
      )
    }
    isOver = true
    await Promise.all(asking)
    // The server ends a connection when it comes to it.
    await expect.poll(() => store.find('key_a').catch(() => undefined)).toEqual(sampleRecord())
    await store.close()
  })

  test('41: survives connections that fall silent: each costs the time limit of one query', async () => {
    const proxy = await startSilentProxy(POSTGRES_PORT)
    const url = new URL(await schemas.newUrl())
    url.port = String(proxy.port)
    const store = await open(url.href)
    await store.insert(sampleRecord())
    proxy.fallSilent()
    await expect(store.find('key_a')).rejects.toThrow(KeyStoreError)
    expect(await store.find('key_a')).toEqual(sampleRecord())

    // In the middle of a transaction, what undoes it does not wait either.
    proxy.fallSilent()
    await expect(store.replace('key_a', { ...sampleRecord(), id: 'key_b', hash: 'b' })).rejects.toThrow(KeyStoreError)
    expect(await store.find('key_b')).toBeUndefined()
    await store.close()
    await proxy.close()
  })

  test('a server that is not there is an error within seconds', async () => {
    await expect(open('postgres://127.0.0.1:1/test')).rejects.toThrow(KeyStoreError)
  })
})
