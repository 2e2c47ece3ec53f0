import type { Clock } from '../clock.js'
import { createId, isIdOf } from '../keys/secret.js'
import type { Db } from '../stores/database.js'
import {
  type Complaint,
  FALSE_RESULT_KEPT_MS,
  FALSE_RESULT_OWNER_SHARE,
  FALSE_RESULT_SHARE,
  type FalseResult,
} from './false-result.js'
import {
  MAX_REPORT_BYTES,
  type ReportOwner,
  type ReportSummary,
  type SavedAnswers,
  type SavedReport,
} from './saved-report.js'
import type { SavedReportStore } from './saved-report-store.js'
import { createSqlSavedReportStore } from './sql-saved-report-store.js'

/** Results that callers hold to be wrong, for the operator to look at. */
export interface FalseResults {
  keep(order: {
    owner: ReportOwner
    summary: ReportSummary
    answers: SavedAnswers
    complaint: Complaint
  }): Promise<FalseResult | 'too-large'>
  /** Newest first, at most so many. */
  list(limit: number): Promise<FalseResult[]>
  find(id: string): Promise<FalseResult | undefined>
  readAnswers(id: string): Promise<SavedAnswers | undefined>
  remove(id: string): Promise<boolean>
}

/**
 * They stand among the saved reports, under an owner of a kind that no caller is: no link leads to
 * them, and their room is their own.
 */
export function createFalseResults({ store, clock }: { store: SavedReportStore; clock: Clock }): FalseResults {
  const find = async (id: string) => {
    const kept = isIdOf(PREFIX, id) ? await store.find(id, clock.now()) : undefined
    return kept && toFalseResult(kept)
  }
  return {
    async keep({ owner, summary, answers, complaint }) {
      const createdAt = clock.now()
      const kept: SavedReport = {
        ...{ id: createId(PREFIX), createdAt, expiresAt: createdAt + FALSE_RESULT_KEPT_MS },
        owner: { kind: KIND, id: `${owner.kind}:${owner.id}` },
        visibility: 'private',
        summary: { ...summary, complaint },
      }
      const outcome = await store.insert({ ...kept, answers })
      return outcome === 'too-large' ? outcome : (toFalseResult(kept) ?? 'too-large')
    },
    list: async (limit) =>
      (await store.listKind(KIND, clock.now(), limit)).flatMap((kept) => toFalseResult(kept) ?? []),
    find,
    readAnswers: async (id) => ((await find(id)) ? store.readAnswers(id) : undefined),
    async remove(id) {
      const found = await find(id)
      return found !== undefined && store.remove(id, { kind: KIND, id: found.by })
    },
  }
}

/** With room of their own in the tables of the saved reports. */
export const createFalseResultStore = (db: Db): SavedReportStore =>
  createSqlSavedReportStore(db, {
    owner: FALSE_RESULT_OWNER_SHARE,
    kind: FALSE_RESULT_SHARE,
    reportBytes: MAX_REPORT_BYTES,
  })

const KIND = 'false-result'
const PREFIX = 'f'

/** Whether a text names one, rather than a file. */
export const isFalseResultId = (text: string): boolean => isIdOf(PREFIX, text)

function toFalseResult({ id, owner, createdAt, expiresAt, summary }: SavedReport): FalseResult | undefined {
  const { complaint, ...rest } = summary
  if (complaint === undefined) return undefined
  return { id, createdAt, expiresAt, by: owner.id, summary: rest, complaint }
}
