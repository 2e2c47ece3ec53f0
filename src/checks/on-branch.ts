import type { TradeContext } from '../dex/legs.js'

/** Runs `play` and takes back what it did, the clock included. */
export function onBranch<T>({ fork: { evm } }: Pick<TradeContext, 'fork'>, play: () => T): T {
  const { block } = evm
  const here = evm.snapshot()
  const result = play()
  evm.restore(here)
  evm.setBlock(block)
  return result
}
