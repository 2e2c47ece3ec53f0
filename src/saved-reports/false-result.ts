import type { ReportSummary } from './saved-report.js'

/** What a caller takes the target for. */
export const EXPECTATIONS = ['harmless', 'harmful', 'other'] as const
export type Expectation = (typeof EXPECTATIONS)[number]

/** What a caller says is wrong about a result. */
export interface Complaint {
  /** In their own words, made safe to show; untrusted. */
  message: string
  expected: Expectation
  /** What they saw, by their word; the stored answers are the service's own. */
  seen?: { level?: string; score?: number; digest?: string }
}

/** A result that a caller holds to be wrong, with the answers that were made for it. */
export interface FalseResult {
  id: string
  /** Times in milliseconds since 1970. */
  createdAt: number
  expiresAt: number
  /** `key:` or `wallet:` and an id. */
  by: string
  summary: Omit<ReportSummary, 'complaint'>
  complaint: Complaint
}

/** Enough to say what is wrong; a transaction or a link has room besides. Characters. */
export const MAX_MESSAGE = 1_000

/** Long enough for an operator who looks once a month to look twice. */
export const FALSE_RESULT_KEPT_MS = 90 * 24 * 3_600_000

/** What one caller's may take; beyond it the oldest of its own go. */
export const FALSE_RESULT_OWNER_SHARE = { reports: 20, bytes: 8_000_000 }

/** All together: beyond it the caller with most loses its oldest. */
export const FALSE_RESULT_SHARE = { reports: 2_000, bytes: 128_000_000 }
