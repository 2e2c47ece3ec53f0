import type { Clock } from '../clock.js'
import type { Db } from './database.js'

/**
 * Tries whether anything can be written: a database that only answers has a full disk, or became a
 * read-only replica. Writes one small row of its own, and tries so seldom that a file which another
 * process holds locked cannot take up this process's time.
 */
export function createWriteProbe(db: Db, clock: Clock): () => Promise<void> {
  let tried: Promise<void> | undefined
  let until = Number.NEGATIVE_INFINITY
  return () => {
    if (tried === undefined || clock.monotonic() >= until) {
      until = clock.monotonic() + REMEMBERED_MS
      tried = writeRow(db, clock.now())
    }
    return tried
  }
}

/** SQLite waits for a lock by blocking the thread, for a second at most. */
const REMEMBERED_MS = 5_000
const ROW = 'ready'

async function writeRow(db: Db, now: number): Promise<void> {
  await db
    .insertInto('write_probes')
    .values({ name: ROW, written_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ written_at: now }))
    .execute()
}
