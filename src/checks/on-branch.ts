import type { TradeContext } from '../dex/legs.js'
import { branch } from '../simulation/fork-verbs.js'

/** Runs `play` and takes back what it did, as `branch` does. */
export const onBranch = <T>({ fork }: Pick<TradeContext, 'fork'>, play: () => T): T => branch(fork, play)
