import type { Chain } from '../../chains/chain.js'
import { createReadAhead, type TradePreview, type TradeReadAhead } from '../../dex/read-ahead.js'
import { venuesOf } from '../../dex/venues.js'
import { randomAddress } from '../../state/random-address.js'
import type { ReadAhead } from '../../state/rpc-state-source.js'
import { type StateSource, StateUnavailableError } from '../../state/state-source.js'
import { subjectSeeds } from '../bytecode/read-subject.js'
import type { AnalysisTarget } from '../target.js'

/**
 * Pins one block for the whole request and reads what `plan` foresees along with it. Rejects when
 * no node can be asked.
 */
export type OpenState = (
  target: Pick<AnalysisTarget, 'chain' | 'address' | 'blockNumber' | 'isAnew' | 'caller' | 'signal'>,
  plan: ReadAhead,
) => Promise<StateSource>

/**
 * What a check that trades `target` at these `times` is going to read. `job` tells checks apart
 * that read differently. Worked out when it is asked for: a remembered read set makes it needless.
 */
export function tradePlan(
  job: 'simulate' | 'honeypot',
  { chain, address }: AnalysisTarget,
  times: readonly (bigint | undefined)[] = [undefined],
): ReadAhead {
  let known: TradeReadAhead | undefined
  const readAhead = () => {
    // This trader is new, so nothing that the traces show of it is state of the chain.
    const trader = randomAddress()
    known ??= readAheadOn(chain)({ token: address, trader, times })
    return known
  }
  return {
    key: `${job}:${address}`,
    get seeds() {
      return [...subjectSeeds(address), ...readAhead().seeds]
    },
    get guesses() {
      return readAhead().guesses
    },
    get prefetch() {
      return readAhead().prefetch
    },
    get traces() {
      return readAhead().traces
    },
  }
}

/** Made once for each chain: most of it depends on nothing else. */
const readAheads = new WeakMap<Chain, (preview: TradePreview) => TradeReadAhead>()

function readAheadOn(chain: Chain): (preview: TradePreview) => TradeReadAhead {
  const known = readAheads.get(chain) ?? createReadAhead(chain, venuesOf(chain))
  readAheads.set(chain, known)
  return known
}

/**
 * A check that works on one pinned block. When the nodes replace that block meanwhile, the work is
 * done once more at the new head; a replay of a named height has no other block to go to.
 */
export function onPinnedBlock<T>(
  openState: OpenState,
  planOf: (target: AnalysisTarget) => ReadAhead,
  check: (target: AnalysisTarget, state: StateSource) => Promise<T>,
): (target: AnalysisTarget) => Promise<T> {
  return async (target) => {
    const plan = planOf(target)
    try {
      return await check(target, await openState(target, plan))
    } catch (error) {
      if (target.blockNumber !== undefined || !isBlockGone(error)) throw error
      return check(target, await openState(target, plan))
    }
  }
}

export function isBlockGone(error: unknown): boolean {
  return error instanceof StateUnavailableError && error.isBlockGone
}
