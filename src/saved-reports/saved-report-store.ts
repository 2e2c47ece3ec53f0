import { StoreError } from '../stores/store-error.js'
import type { OwnerKind, ReportOwner, SavedAnswers, SavedReport, Visibility } from './saved-report.js'

/** A report to keep. */
export interface NewReport extends SavedReport {
  answers: SavedAnswers
}

/**
 * Keeps reports for those who made them. Each method rejects with {@link SavedReportStoreError}
 * when the database fails.
 */
export interface SavedReportStore {
  /**
   * Keeps a report and lets go of what it takes the place of: ids of reports of the same owner.
   * `too-large` when it is larger than one may be.
   */
  insert(report: NewReport): Promise<readonly string[] | 'too-large'>
  /** A report that is not past its time at `now`, whose ever it is. */
  find(id: string, now: number): Promise<SavedReport | undefined>
  /** What it holds; `undefined` when it has gone meanwhile. */
  readAnswers(id: string): Promise<SavedAnswers | undefined>
  /** Those of one owner, newest first. */
  list(owner: ReportOwner, now: number): Promise<SavedReport[]>
  /** Those of all owners of one kind, newest first, at most so many. */
  listKind(kind: OwnerKind, now: number, limit: number): Promise<SavedReport[]>
  /** False where the owner has no such report. */
  setVisibility(id: string, owner: ReportOwner, visibility: Visibility): Promise<boolean>
  remove(id: string, owner: ReportOwner): Promise<boolean>
}

/** The database did not answer, or answered nonsense. */
export class SavedReportStoreError extends StoreError {
  override readonly name = 'SavedReportStoreError'

  constructor(operation: string, cause: unknown) {
    super('store of reports', operation, cause)
  }
}
