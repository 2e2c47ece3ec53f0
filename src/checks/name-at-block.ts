import type { StateSource } from '../state/state-source.js'
import type { AnalysisTarget } from './target.js'

/**
 * Names everything that decides what is found out about a target at a block, whatever amount it is
 * traded for.
 */
export function nameAtBlock(target: AnalysisTarget, { block }: Pick<StateSource, 'block'>): string {
  const { chain, address, pair, poolId, simulateLiquidity, hints, traderSeed } = target
  const where = `${poolId ?? pair ?? ''} ${simulateLiquidity === true} ${hints ? JSON.stringify(hints) : ''}`
  return `${chain.id} ${block.hash} ${address} ${where} ${traderSeed ?? ''}`
}
