import type { Db } from '../stores/database.js'
import { KeyStoreError } from './key-store.js'
import type { UsageStore } from './usage-store.js'

/** Usage of keys in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlUsageStore(db: Db): UsageStore {
  return {
    add: (usage) =>
      guard('count uses', async () => {
        // Sorted, so that two processes cannot wait for each other.
        const sorted = [...usage].sort((a, b) => a.day - b.day || (a.keyId < b.keyId ? -1 : 1))
        await db.transaction().execute(async (transaction) => {
          for (const { keyId, day, analyses, others } of sorted)
            await transaction
              .insertInto('key_usage')
              .values({ key_id: keyId, day, analyses, others })
              .onConflict((conflict) =>
                conflict.columns(['key_id', 'day']).doUpdateSet((is) => ({
                  analyses: is('key_usage.analyses', '+', analyses),
                  others: is('key_usage.others', '+', others),
                })),
              )
              .execute()
        })
      }),
    list: (keyIds, sinceDay) =>
      guard('read uses', async () => {
        if (keyIds.length === 0) return []
        const rows = await db
          .selectFrom('key_usage')
          .selectAll()
          .where('key_id', 'in', keyIds)
          .where('day', '>=', sinceDay)
          .orderBy('day')
          .execute()
        return rows.map(({ key_id, day, analyses, others }) => ({ keyId: key_id, day, analyses, others }))
      }),
    forgetBefore: (day) =>
      guard('forget uses', async () => {
        await db.deleteFrom('key_usage').where('day', '<', day).execute()
      }),
  }
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new KeyStoreError(operation, error)
  }
}
