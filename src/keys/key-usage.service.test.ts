import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { createManualClock } from '../clock.js'
import { type Db, openDatabase } from '../stores/database.js'
import { createKeyUsage } from './key-usage.js'
import { createSqlUsageStore } from './sql-usage-store.js'
import { KEPT_DAYS, USAGE_DAYS, type UsageStore } from './usage-store.js'

const schemas = createTestSchemas('usage')
const dataDirs: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-usage-'))
  dataDirs.push(folder)
  return folder
}
afterAll(async () => {
  await schemas.drop()
  for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['SQLite', true, () => openDatabase({ databaseUrl: undefined, dataDir: newFolder() })],
  ['PostgreSQL', await hasPostgres(), async () => openDatabase({ databaseUrl: await schemas.newUrl(), dataDir: '' })],
] as const)('what keys did, in %s', (_name, isThere, open) => {
  describe.skipIf(!isThere)('by day', () => {
    let db: Db
    beforeEach(async () => {
      db = await open()
    })
    afterEach(() => db?.destroy())

    test('two processes add up, and each key has its own', async () => {
      const clock = createManualClock()
      const store = createSqlUsageStore(db)
      const [one, two] = [createKeyUsage({ store, clock }), createKeyUsage({ store, clock })]
      for (const usage of [one, two, one]) {
        usage.count('key_a', 'analysis')
        usage.count('key_b', 'general')
      }
      await Promise.all([one.flush(), two.flush()])
      one.count('key_a', 'general')
      await one.flush()
      await one.flush()
      const read = await two.read(['key_a', 'key_b', 'key_c'])
      expect(read.get('key_a')).toMatchObject([{ analyses: 3, others: 1 }])
      expect(read.get('key_b')).toMatchObject([{ analyses: 0, others: 3 }])
      expect(read.get('key_c')).toEqual([])
      expect(await two.read([])).toEqual(new Map())
    })

    test('a day is a day in UTC; a month is told, and little more is kept', async () => {
      const clock = createManualClock()
      const usage = createKeyUsage({ store: createSqlUsageStore(db), clock })
      for (let day = 0; day < KEPT_DAYS + 5; day += 1) {
        usage.count('key_a', 'analysis')
        await usage.flush()
        clock.advance(24 * 3_600_000)
      }
      // Nothing yet on the last of them.
      const days = (await usage.read(['key_a'])).get('key_a') ?? []
      expect(days).toHaveLength(USAGE_DAYS - 1)
      expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
      await usage.flush()
      const { count } = await db
        .selectFrom('key_usage')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBe(KEPT_DAYS)
    })
  })
})

test('what a store that is down did not take is written once it is back, once', async () => {
  const written: number[] = []
  let isDown = true
  const store: UsageStore = {
    async add(usage) {
      if (isDown) throw new Error('down')
      written.push(...usage.map(({ analyses }) => analyses))
    },
    list: async () => [],
    forgetBefore: async () => {},
  }
  const usage = createKeyUsage({ store, clock: createManualClock() })
  usage.count('key_a', 'analysis')
  await expect(usage.flush()).rejects.toThrow('down')
  usage.count('key_a', 'analysis')
  await expect(usage.flush()).rejects.toThrow('down')
  isDown = false
  await usage.flush()
  await usage.flush()
  expect(written).toEqual([2])
})
