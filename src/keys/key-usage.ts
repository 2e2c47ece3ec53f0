import type { Clock } from '../clock.js'
import { type DayUsage, KEPT_DAYS, type KeyDayUsage, USAGE_DAYS, type UsageStore } from './usage-store.js'

/** What keys did, by day. */
export interface KeyUsage {
  /** Counts one request. */
  count(keyId: string, limitClass: string): void
  /**
   * Of each of these keys the last {@link USAGE_DAYS}, oldest first, without days that had nothing.
   * Behind by as much as waits to be written, here and in other processes: about ten seconds.
   */
  read(keyIds: readonly string[]): Promise<ReadonlyMap<string, DayUsage[]>>
  /** Writes what was counted. Rejects with `KeyStoreError`; it is then kept for the next time. */
  flush(): Promise<void>
}

const DAY_MS = 24 * 3_600_000

/** Keys and days that wait for a store that is down; what is beyond is not counted. */
const MAX_WAITING = 20_000

/** Counts in memory, and writes some seconds' worth at a time: nothing is written for a request. */
export function createKeyUsage({ store, clock }: { store: UsageStore; clock: Clock }): KeyUsage {
  let waiting = new Map<string, KeyDayUsage>()
  let forgotAt = Number.NaN
  const today = () => Math.floor(clock.now() / DAY_MS)

  const addTo = (counts: Map<string, KeyDayUsage>, { keyId, day, analyses, others }: KeyDayUsage) => {
    const name = `${day} ${keyId}`
    const known = counts.get(name)
    if (known === undefined && counts.size >= MAX_WAITING) return
    const before = known ?? { analyses: 0, others: 0 }
    counts.set(name, { keyId, day, analyses: before.analyses + analyses, others: before.others + others })
  }

  return {
    count(keyId, limitClass) {
      const isAnalysis = limitClass === 'analysis'
      addTo(waiting, { keyId, day: today(), analyses: isAnalysis ? 1 : 0, others: isAnalysis ? 0 : 1 })
    },
    async read(keyIds) {
      const rows = await store.list(keyIds, today() - USAGE_DAYS + 1)
      const ofKey = (id: string) => rows.filter(({ keyId }) => keyId === id).map(({ keyId: _, ...usage }) => usage)
      return new Map(keyIds.map((id) => [id, ofKey(id)]))
    },
    async flush() {
      const pending = waiting
      waiting = new Map()
      try {
        if (pending.size > 0) await store.add([...pending.values()])
      } catch (error) {
        for (const usage of waiting.values()) addTo(pending, usage)
        waiting = pending
        throw error
      }
      if (forgotAt === today()) return
      await store.forgetBefore(today() - KEPT_DAYS)
      forgotAt = today()
    },
  }
}
