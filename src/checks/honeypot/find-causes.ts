import type { TradeContext } from '../../dex/legs.js'
import { type Decision, type Decisions, placeOf } from '../../evm/inspectors/decisions.js'
import { isCut, sources, sourcesOf } from '../../evm/inspectors/term.js'
import { isOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { type Cause, explainCause, type Names } from './explain-cause.js'
import type { FailedTrade, SellFacts, WindowFacts } from './honeypot-facts.js'
import { observeRoundTrip, observeSell } from './observe.js'
import { WINDOWS } from './windows.js'

/**
 * Sells of what was bought first that failed are played once more, with a look at what decided. In
 * the order of the windows.
 */
export function findHeldCauses(
  context: TradeContext,
  sells: readonly (SellFacts | undefined)[],
  held: bigint,
): FailedTrade[] {
  return WINDOWS.flatMap(({ label, afterMs }, i) => {
    if (sells[i]?.success !== false) return []
    const { blocking } = onBranch(context, () => observeSell(context, held, afterMs))
    return blocking ? [{ window: label, trade: 'sell' as const, ...explainCause(blocking, namesOf(context)) }] : []
  })
}

/**
 * The same for purchases that failed, and for sells of what was bought late where those of what was
 * held went through.
 */
export function findFreshCauses(context: TradeContext, windows: readonly WindowFacts[], amount: bigint): FailedTrade[] {
  return WINDOWS.flatMap(({ label, afterMs }, i) => {
    const { bought, soldFresh, soldHeld } = windows[i] ?? {}
    const fails = bought?.success === false || (i > 0 && soldFresh?.success === false && soldHeld?.success !== false)
    if (!fails || soldFresh?.ranDry) return []
    const { blocking } = onBranch(context, () => observeRoundTrip(context, amount, afterMs))
    const trade = bought?.success === false ? 'buy' : 'sell-fresh'
    const names = namesOf(context, trade === 'buy' ? 'the buyer' : 'the seller')
    return blocking ? [{ window: label, trade, ...explainCause(blocking, names) } as const] : []
  })
}

export function byWindow(causes: readonly FailedTrade[]): FailedTrade[] {
  return WINDOWS.flatMap(({ label }) => causes.filter(({ window }) => window === label))
}

/**
 * The branch of the token that went one way in the real world and another in the `naive` one: what
 * it compared is how it tells them apart. Where several did, the first that asks for the
 * environment, because the others follow from it.
 */
export function findDivergence(
  context: TradeContext,
  real: Pick<Decisions, 'branches'>,
  naive: Pick<Decisions, 'branches'>,
): Cause | undefined {
  const isOurs = isOfToken(context)
  const naiveWays = waysOf(naive.branches)
  const realWays = waysOf(real.branches)
  const other = real.branches.filter((branch) => {
    if (isCut(branch.condition)) return false
    const [here, there] = [realWays.get(placeOf(branch)), naiveWays.get(placeOf(branch))]
    return isOurs(branch) && here?.size === 1 && there?.size === 1 && !there.has(isTaken(branch))
  })
  const decisive = other.find(asksForEnvironment) ?? other[0]
  return decisive && explainCause(decisive, namesOf(context))
}

const isTaken = ({ condition }: Decision) => condition.value !== 0n
const asksForEnvironment = ({ condition }: Decision) => (sourcesOf(condition) & sources.environment) !== 0

function waysOf(branches: readonly Decision[]): Map<string, Set<boolean>> {
  const ways = new Map<string, Set<boolean>>()
  for (const branch of branches) {
    const place = placeOf(branch)
    ways.set(place, (ways.get(place) ?? new Set()).add(isTaken(branch)))
  }
  return ways
}

/** Addresses of the trade that mean something in an explanation. */
export function namesOf({ market: { pool, venue }, trader }: TradeContext, role = 'the seller'): Names {
  return new Map([
    [BigInt(trader.address), role],
    [BigInt(pool.address), 'the pool'],
    [BigInt(pool.token), 'the token'],
    ...(venue.spender ? [[BigInt(venue.spender), 'the router'] as const] : []),
  ])
}
