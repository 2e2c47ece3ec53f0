import { balanceOf } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { TradeReport } from './trade-report.js'

/**
 * How much of the chain's major tokens a trader, who had none, has after transactions that left
 * these `logs`. These tokens are known to log every movement, so those that logged nothing need not
 * be asked; how much it is, their balances say.
 */
export function watchedDeltas(fork: Fork, trader: Address, logs: readonly Log[]): TradeReport['watchedDeltas'] {
  const moved = new Set(logs.map(({ address }) => address))
  return fork.chain.watchedTokens.map(({ address }) => ({
    token: address,
    delta: moved.has(address) ? (balanceOf(fork, address, trader) ?? 0n) : 0n,
  }))
}
