import type { Clock } from '../../src/clock.js'
import type { Address, Hex } from '../../src/hex.js'
import type { VerdictDependencies } from '../../src/reports/dependencies.js'
import type { Db } from '../../src/stores/database.js'
import { writeDependencies, writeJudgement } from '../../src/watching/stored-forms.js'
import { ALERT_KINDS, type Judgement } from '../../src/watching/watch.js'
import { inParts } from '../../src/watching/watch-rows.js'

export interface WatchedTokens {
  chainId: number
  /** Each of them is watched by one of a hundred keys, for everything. */
  tokens: readonly Address[]
  block: { number: bigint; hash: Hex }
  wordsOf(token: Address, index: number): VerdictDependencies['words']
}

/**
 * Watches tokens, and writes their verdicts as if they had been judged an hour ago: rows at once,
 * for ten thousand orders and verdicts of a store take longer than what is measured.
 */
export async function fillStore(
  db: Db,
  clock: Clock,
  { chainId, tokens, block, wordsOf }: WatchedTokens,
): Promise<void> {
  const judgement: Judgement = {
    ...{
      level: 'Low Risk',
      score: 10,
      advice: 'No trap found',
      headline: 'It is what it is.',
      buyTaxBps: 0,
      sellTaxBps: 0,
    },
    ...{ isHoneypot: false, isWhole: true, token: null, block },
  }
  const [now, day] = [clock.now(), 86_400_000]
  const judgedAt = now - 3_600_000
  const numbered = tokens.map((address, i) => ({ address, i }))
  for (const part of inParts(numbered)) {
    const watches = part.map(({ address, i }) => ({
      ...{ id: `watch_${i}`, key_id: `key_${i % 100}`, chain_id: chainId, address, tells: ALERT_KINDS.join(' ') },
      ...{ webhook_url: null, webhook_secret: null, contacts: '', created_at: now, expires_at: now + day },
    }))
    const judged = part.map(({ address, i }) => {
      const dependencies = { words: wordsOf(address, i), codes: [], isTruncated: false, nextChange: undefined }
      return {
        ...{ chain_id: chainId, address, version: 1, judgement: JSON.stringify(writeJudgement(judgement)) },
        ...{ dependencies: JSON.stringify(writeDependencies(dependencies)), judged_at: judgedAt, changed_block: 0 },
        ...{ due_at: now + day, held_until: 0, failures: 0, updated_at: judgedAt },
      }
    })
    await db.insertInto('watches').values(watches).execute()
    await db.insertInto('watched_tokens').values(judged).execute()
  }
}
