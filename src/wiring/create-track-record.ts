import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createFamilyMemory, rememberFamilies, rememberSolanaFamilies } from '../families/remember-families.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import type { Log } from '../log.js'
import { followVerdicts } from '../outcomes/follow-verdicts.js'
import { createStatsReader } from '../outcomes/outcome-stats.js'
import { createSqlOutcomeStore } from '../outcomes/sql-outcome-store.js'
import type { Assess } from '../reports/assess.js'
import type { AssessSolana } from '../reports/assess-solana.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { Db } from '../stores/database.js'
import { CALLER as watcher } from '../watching/judge-again.js'

interface RecordParts {
  db: Db
  judge: Assess
  judgeSolana: AssessSolana
  slots: ConcurrencyLimit
  clock: Clock
  log: Log
}

/** Judging with a memory: of copies of one code, and of what became of verdicts. */
export function createTrackRecord(
  { chains, followedVerdicts: sample }: Pick<Config, 'chains' | 'followedVerdicts'>,
  { db, judge, judgeSolana, slots, clock, log }: RecordParts,
) {
  const [families, outcomes] = [createSqlFamilyStore(db), createSqlOutcomeStore(db)]
  const onFailure = (error: unknown) => log.warn({ error }, 'the memory of earlier verdicts failed; judging goes on')
  const memory = createFamilyMemory({ store: families, clock, onFailure })
  const remembering = {
    assess: rememberFamilies(judge, memory),
    assessSolana: rememberSolanaFamilies(judgeSolana, memory),
  }
  const follower = followVerdicts(remembering, {
    ...{ store: outcomes, chains, slots, clock, sample, watcher, onFailure },
  })
  return {
    assess: follower.assess,
    assessSolana: follower.assessSolana,
    stats: createStatsReader({ outcomes, families, clock }),
    start: follower.start,
    async close() {
      await follower.close()
      await memory.close()
    },
  }
}
