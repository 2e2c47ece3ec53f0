import type { AnalysisTarget } from '../checks/target.js'

type Wishes = { [Wish in keyof AnalysisTarget]?: AnalysisTarget[Wish] | undefined }

/**
 * Whether the question is the plain one: about the token as it stands now, in its own market. What
 * is remembered of tokens comes from answers to this alone: with a pool, an amount or a block of
 * the caller's choice an honest token can be made to look hostile.
 */
export const isPlain = (target: Wishes, only?: string): boolean =>
  only === undefined &&
  [target.blockNumber, target.traderSeed, target.pair, target.poolId, target.hints, target.amount, target.wallet].every(
    (choice) => choice === undefined,
  ) &&
  target.simulateLiquidity !== true
