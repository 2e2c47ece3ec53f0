import type { Clock } from '../../src/clock.js'
import type { Address, Hex } from '../../src/hex.js'
import type { VerdictDependencies } from '../../src/reports/dependencies.js'
import { ALERT_KINDS, type Judgement } from '../../src/watching/watch.js'
import type { WatchStore } from '../../src/watching/watch-store.js'

export interface WatchedTokens {
  chainId: number
  /** Each of them is watched by one of a hundred keys, for everything. */
  tokens: readonly Address[]
  block: { number: bigint; hash: Hex }
  wordsOf(token: Address, index: number): VerdictDependencies['words']
}

/** Watches tokens, and writes their verdicts as if they had been judged an hour ago. */
export async function fillStore(
  store: WatchStore,
  clock: Clock,
  { chainId, tokens, block, wordsOf }: WatchedTokens,
): Promise<void> {
  const judgement: Judgement = {
    ...{ level: 'Low Risk', score: 10, headline: 'It is what it is.', buyTaxBps: 0, sellTaxBps: 0 },
    ...{ isHoneypot: false, isWhole: true, token: null, block },
  }
  for (const [i, address] of tokens.entries()) {
    const times = { createdAt: clock.now(), expiresAt: clock.now() + 86_400_000 }
    const watch = { id: `watch_${i}`, keyId: `key_${i % 100}`, chainId, address, tells: ALERT_KINDS, ...times }
    await store.add({ ...watch, webhook: undefined, contacts: [] }, { ofKey: tokens.length, ofChain: tokens.length })
    const dependencies = { words: wordsOf(address, i), codes: [], isTruncated: false, nextChange: undefined }
    const dueAt = clock.now() + 86_400_000
    const judgedAt = clock.now() - 3_600_000
    await store.settle({
      ...{ token: { chainId, address, version: 0 }, judgement, dependencies, judgedAt, dueAt, alerts: [] },
    })
  }
}
