import { toWireChainId } from '../chains/chain-id.js'
import { BaseError } from '../errors.js'
import type { VerdictDependencies } from '../reports/dependencies.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Judgement } from './watch.js'
import type { WatchedToken } from './watch-store.js'

/** One judgement, until it is given up. */
const JUDGING_MS = 30_000
/** Attempts that did not finish before one is taken as it is. */
const ENOUGH_FAILURES = 3
/**
 * Pauses after failures, the last one again and again. The first failure is often our own: what was
 * not loaded yet, or not asked yet, is there half a second later.
 */
const PAUSES_MS = [500, 5_000, 30_000, 120_000, 600_000, 3_600_000]

/** How long a token waits that could not be judged. */
export const pauseAfter = (failures: number): number => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0

export interface Judged {
  judgement: Judgement
  dependencies: VerdictDependencies | undefined
  /** Native coin behind all its pools, in parts of 10^-18; absent where nothing can be bought. */
  liquidity: bigint | undefined
}

/**
 * Judges a token of one chain; `undefined` where no part of the verdict could be made: that says
 * nothing about the token.
 */
export type Judge = (target: {
  address: TokenAddress
  caller: string
  signal: AbortSignal
}) => Promise<Judged | undefined>

/** By the chain's id. */
export type Judges = ReadonlyMap<number, Judge>

/**
 * Judges one token when its turn comes, `caller` being one of those that take turns. Rejects where
 * the verdict did not finish, unless that failed often enough before.
 */
export async function judge(
  { judges, slots }: { judges: Judges; slots: ConcurrencyLimit },
  { chainId, address, caller, failures }: Pick<WatchedToken, 'chainId' | 'address' | 'failures'> & { caller: string },
  stop: AbortSignal,
): Promise<Judged> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(JUDGING_MS)])
  const lane = String(toWireChainId(chainId))
  const judged = await slots.run({ caller, lane, signal }, async () =>
    judges.get(chainId)?.({ address, caller, signal }),
  )
  // Some nodes never tell all: then what there is has to do.
  const isEnough = judged?.judgement.isWhole || failures >= ENOUGH_FAILURES
  if (judged === undefined || !isEnough) throw new UnfinishedVerdictError()
  return judged
}

/** The verdict lacks what another attempt may find. */
class UnfinishedVerdictError extends BaseError {
  override readonly name = 'UnfinishedVerdictError'

  constructor() {
    super('The verdict on a watched token did not finish')
  }
}
