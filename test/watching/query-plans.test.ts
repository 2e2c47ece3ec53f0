import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSqlFeedStore } from '../../src/feed/sql-feed-store.js'
import { type Db, openDatabase } from '../../src/stores/database.js'
import { createSqlWatchStore } from '../../src/watching/sql-watch-store.js'

let db: Db
const dataDir = mkdtempSync(join(tmpdir(), 'assay-plans-'))
beforeAll(async () => {
  db = await openDatabase({ dataDir, databaseUrl: undefined })
})
afterAll(async () => {
  await db?.destroy()
  rmSync(dataDir, { recursive: true, force: true })
})

/** How SQLite goes about the first question of `ask`. */
async function planOf(ask: (db: Db) => Promise<unknown>): Promise<string> {
  const nodes: RootOperationNode[] = []
  const spy: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await ask(db.withPlugin(spy))
  const [first] = nodes
  if (first === undefined) throw new Error('nothing was asked')
  const { sql, parameters } = db.getExecutor().compileQuery(first, { queryId: 'plan' })
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return rows.map(({ detail }) => detail).join('; ')
}

const times = { now: 1, leaseMs: 1 }

/** Asked several times a second, for ever, of a table whose rows are nearly all of one chain. */
test.each([
  ['watched_tokens', (of: Db) => createSqlWatchStore(of).claimDue([1, 2], times)],
  ['listings', (of: Db) => createSqlFeedStore(of).claimDue([1, 2], times)],
])('what is due of %s is found by its time, and not by going through all of its chain', async (table, ask) => {
  expect(await planOf(ask)).toContain(`SEARCH ${table} USING INDEX ${table}_due_at`)
})

test.each([
  ['what was judged lately', 'watched_tokens_updated_at', (of: Db) => createSqlWatchStore(of).listJudged(1, 5)],
  [
    'a page of tokens',
    'sqlite_autoindex_watched_tokens_1',
    (of: Db) => createSqlWatchStore(of).listTokens(1, { after: '0x70', limit: 20 }),
  ],
])('%s is found by an index, and not sorted', async (_, index, ask) => {
  const plan = await planOf(ask)
  expect(plan).toContain(`USING INDEX ${index}`)
  expect(plan).not.toMatch(/TEMP B-TREE/)
})
