import type { Clock } from '../clock.js'
import { createId, isIdOf } from '../keys/secret.js'
import {
  GUEST_KEPT_MS,
  KEPT_MS,
  type ReportOwner,
  type ReportSummary,
  type SavedAnswers,
  type SavedReport,
  type Visibility,
} from './saved-report.js'
import type { SavedReportStore } from './saved-report-store.js'

/** A report that was kept, and the owner's own that it took the place of. */
export interface SaveOutcome {
  report: SavedReport
  forgotten: readonly string[]
}

/** Reports that can be shown to others, by a link that cannot be guessed. */
export interface SavedReports {
  save(order: {
    owner: ReportOwner
    visibility: Visibility
    summary: ReportSummary
    answers: SavedAnswers
  }): Promise<SaveOutcome | 'too-large'>
  /**
   * A report that `reader` may see: one behind a link, or its own. Ids of another form name
   * nothing, and no store is asked.
   */
  find(id: string, reader?: ReportOwner): Promise<SavedReport | undefined>
  readAnswers(id: string): Promise<SavedAnswers | undefined>
  list(owner: ReportOwner): Promise<SavedReport[]>
  setVisibility(id: string, owner: ReportOwner, visibility: Visibility): Promise<boolean>
  remove(id: string, owner: ReportOwner): Promise<boolean>
}

export function createSavedReports({ store, clock }: { store: SavedReportStore; clock: Clock }): SavedReports {
  return {
    async save(order) {
      const createdAt = clock.now()
      const { answers, ...summary } = order
      const keptMs = order.owner.kind === 'guest' ? GUEST_KEPT_MS : KEPT_MS
      const report = { id: createId(PREFIX), createdAt, expiresAt: createdAt + keptMs, ...summary }
      const forgotten = await store.insert({ ...report, answers })
      return forgotten === 'too-large' ? forgotten : { report, forgotten }
    },
    async find(id, reader) {
      const report = isSavedReportId(id) ? await store.find(id, clock.now()) : undefined
      if (report === undefined || report.visibility === 'link') return report
      const isOwn = reader?.kind === report.owner.kind && reader.id === report.owner.id
      return isOwn ? report : undefined
    },
    readAnswers: store.readAnswers,
    list: (owner) => store.list(owner, clock.now()),
    setVisibility: async (id, ...change) => isSavedReportId(id) && store.setVisibility(id, ...change),
    remove: async (id, owner) => isSavedReportId(id) && store.remove(id, owner),
  }
}

/** Short, because it stands in links; 96 random bits follow. */
const PREFIX = 'r'

const isSavedReportId = (text: string) => isIdOf(PREFIX, text)
