import type { Assessment } from '../reports/assess.js'
import type { Overall } from './overall-schema.js'

/** As every answer shows it. */
export function toOverall({ verdict, isWhole }: Pick<Assessment, 'verdict' | 'isWhole'>): Overall {
  if (!isWhole) return null
  const { level, score, headline, reason, inconclusive = null } = verdict
  return { level, score, headline, reason, inconclusive }
}
