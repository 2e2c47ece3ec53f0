import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createFamilyMemory, rememberFamilies, rememberSolanaFamilies } from '../families/remember-families.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import type { Log } from '../log.js'
import { followVerdicts } from '../outcomes/follow-verdicts.js'
import { createStatsReader } from '../outcomes/outcome-stats.js'
import { createSqlOutcomeStore } from '../outcomes/sql-outcome-store.js'
import type { Assess, AssessOptions, Review } from '../reports/assess.js'
import { type AssessSolana, createAssessSolana } from '../reports/assess-solana.js'
import type { rememberAssessments } from '../reports/recent-assessments.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { Db } from '../stores/database.js'
import { CALLER as watcher } from '../watching/judge-again.js'

export interface RecordParts {
  db: Db
  /** Judges, and does this with each assessment. */
  judgeWith(reviews: readonly Review[], recall?: AssessOptions['recall']): Assess
  judgeSolana: AssessSolana
  recent: ReturnType<typeof rememberAssessments>
  slots: ConcurrencyLimit
  clock: Clock
  log: Log
}

/**
 * Judging with a memory: of the newest answers, of copies of one code, and of what became of
 * verdicts.
 */
export function createTrackRecord(
  { chains, followedVerdicts: sample }: Pick<Config, 'chains' | 'followedVerdicts'>,
  { db, judgeWith, judgeSolana, recent, slots, clock, log }: RecordParts,
) {
  const [families, outcomes] = [createSqlFamilyStore(db), createSqlOutcomeStore(db)]
  const onFailure = (error: unknown) => log.warn({ error }, 'the memory of earlier verdicts failed; judging goes on')
  const memory = createFamilyMemory({ store: families, clock, onFailure })
  const [ofFamily, ofSolanaFamily] = [rememberFamilies(memory), rememberSolanaFamilies(memory)]
  // What looks back is not looked back at.
  const unfollowed = {
    assess: judgeWith([ofFamily]),
    assessSolana: createAssessSolana(judgeSolana, [ofSolanaFamily]),
  }
  const follower = followVerdicts(unfollowed, {
    ...{ store: outcomes, chains, slots, clock, sample, watcher, onFailure },
  })
  return {
    assess: judgeWith([ofFamily, follower.review, recent.keep], recent.recall),
    assessSolana: createAssessSolana(judgeSolana, [ofSolanaFamily, follower.reviewSolana]),
    stats: createStatsReader({ outcomes, families, clock }),
    start: follower.start,
    async close() {
      await follower.close()
      await memory.close()
    },
  }
}
