import { balanceOf } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { SimulateReport } from './report.js'

/** Remembers what `owner` has of the chain's major tokens; the answer, called later, says how that changed. */
export function watchTokens(fork: Fork, owner: Address): () => SimulateReport['watchedDeltas'] {
  const balances = () => fork.chain.watchedTokens.map(({ address }) => balanceOf(fork, address, owner) ?? 0n)
  const before = balances()
  return () => {
    const after = balances()
    return fork.chain.watchedTokens.map(({ address }, i) => ({
      token: address,
      delta: (after[i] ?? 0n) - (before[i] ?? 0n),
    }))
  }
}
