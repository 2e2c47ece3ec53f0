import type { Overall } from '../reports/fields/overall.js'
import type { Complaint } from './false-result.js'

/** Who may delete a report, and whose share it takes. A wallet and the keys it made are one. */
export interface ReportOwner {
  kind: OwnerKind
  id: string
}

/**
 * Keys of the operator's, wallets, which cost nothing, and guests, which cost less: none can use up
 * another's room. The last is no caller: it has what callers hold to be wrong.
 */
export type OwnerKind = 'key' | 'wallet' | 'guest' | 'false-result'

/** `link` opens for everyone who has the link, `private` for the owner alone. */
export const VISIBILITIES = ['link', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** What a list, a badge and a preview say. Texts of the token are made safe to show, not to run. */
export interface ReportSummary {
  /** A chain id in digits, or `SOL`. */
  chain: string
  chainName: string
  address: string
  /** What the token calls itself; empty where it is none, or does not say. */
  name: string
  symbol: string
  overall: NonNullable<Overall>
  /** The block, or the first slot. */
  block: { number: number; timestamp: string }
  /** Of a result that its reader holds to be wrong. */
  complaint?: Complaint
}

/** The answers by the names of their analyses, as they were sealed, or why one is missing. */
export type SavedAnswers = Readonly<Record<string, object>>

/** What is known of a saved report without reading it. Times in milliseconds since 1970. */
export interface SavedReport {
  id: string
  owner: ReportOwner
  visibility: Visibility
  createdAt: number
  expiresAt: number
  summary: ReportSummary
}

/** Long enough for a link in a chat to be read; the chain has moved on by then. */
export const KEPT_MS = 30 * 24 * 3_600_000

/** Of one without a name, who can neither hide nor delete it. */
export const GUEST_KEPT_MS = 7 * 24 * 3_600_000

/** What the reports of one owner may take; beyond it the oldest of its own go. */
export const OWNER_SHARE = { reports: 100, bytes: 16_000_000 }

/**
 * What those of all owners of one kind may take. Beyond it the owner with most loses its oldest, so
 * that one with many names takes from those names first.
 */
export const KIND_SHARE = { reports: 20_000, bytes: 512_000_000 }

/** One report, compressed. An ordinary one has 30 kB, one with the largest traces 400. */
export const MAX_REPORT_BYTES = 1_000_000
