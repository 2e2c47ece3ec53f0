/** What one key did on one day. */
export interface DayUsage {
  /** Days since 1970, in UTC. */
  day: number
  analyses: number
  /** All other requests. */
  others: number
}

export interface KeyDayUsage extends DayUsage {
  keyId: string
}

/** Days that are told; a month and a bit is kept, so that a month is whole. */
export const USAGE_DAYS = 30
export const KEPT_DAYS = 35

/** Where the usage of keys lives. Every promise rejects with `KeyStoreError`. */
export interface UsageStore {
  /** Adds to what is there, all of it or nothing. */
  add(usage: readonly KeyDayUsage[]): Promise<void>
  /** From that day on, oldest first; days without any are left out. */
  list(keyIds: readonly string[], sinceDay: number): Promise<KeyDayUsage[]>
  forgetBefore(day: number): Promise<void>
}
