import type { Address, Hex } from '../../hex.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { PhishingFacts } from './phishing-facts.js'

/** What was seen of contracts at a block: wallets ask about the same routers and tokens. */
export interface FactsMemory {
  get(of: FactsKey): PhishingFacts | undefined
  /** Keeps what was seen, unless something stayed unseen: the next look may see more. */
  keep(of: FactsKey, facts: PhishingFacts): void
}

interface FactsKey {
  chainId: number
  blockHash: Hex
  address: Address
  /** Of the invented people, which reports show. */
  seed: Hex
}

/** Contracts of the last blocks; a finding's trace has some kilobytes. */
const MAX_KEPT = 128

export function createFactsMemory(): FactsMemory {
  const kept = createCountedLru<string, PhishingFacts>(MAX_KEPT)
  const nameOf = ({ chainId, blockHash, address, seed }: FactsKey) => `${chainId} ${blockHash} ${address} ${seed}`
  return {
    get: (of) => kept.get(nameOf(of)),
    keep(of, facts) {
      if (facts.gaps.length === 0) kept.set(nameOf(of), facts)
    },
  }
}
