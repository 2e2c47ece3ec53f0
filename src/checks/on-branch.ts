import type { TradeContext } from '../dex/legs.js'

/**
 * Runs `play` and takes back what it did, the clock included, also where it was ended by a bound.
 */
export function onBranch<T>({ fork: { evm } }: Pick<TradeContext, 'fork'>, play: () => T): T {
  const { block } = evm
  const here = evm.snapshot()
  try {
    return play()
  } finally {
    evm.restore(here)
    evm.setBlock(block)
  }
}
