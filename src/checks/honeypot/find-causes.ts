import type { TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { type Decision, type Decisions, placeOf } from '../../evm/inspectors/decision.js'
import { isCut, sources, sourcesOf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { readAllowanceWords, readBalanceWords, type Words } from '../conditions/balance-words.js'
import { isOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { type Cause, explainCause, type Names, placeOfWord } from './explain-cause.js'
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

/** What means something in an explanation of a trade; `held`: base units that are sold. */
export function namesOf(context: TradeContext, role = 'the seller', held?: bigint): Names {
  const { pool, venue } = context.market
  const { trader } = context
  const people: [Address, string][] = [
    [trader.address, role],
    [pool.address, 'the pool'],
    [pool.token, 'the token'],
    ...(venue.spender ? [[venue.spender, 'the router'] as [Address, string]] : []),
  ]
  return {
    values: new Map([
      ...(held === undefined ? [] : [[held, 'the amount that is sold'] as const]),
      ...people.map(([address, name]) => [BigInt(address), name] as const),
    ]),
    words: new Map([
      ...balanceWord(context, trader.address, `the balance of ${role}`),
      ...balanceWord(context, pool.address, 'the balance of the pool'),
      ...onlyWord(readAllowanceWords(context), `what ${role} allowed the router`),
    ]),
  }
}

/** The word that holds the whole balance; one that is told from several is none of them. */
function balanceWord(context: TradeContext, account: Address, name: string): [string, string][] {
  const balance = balanceOf(context.fork, context.market.pool.token, account)
  return onlyWord(readBalanceWords(context, account), name, (value) => value === balance)
}

function onlyWord(words: Words, name: string, holds = (_: bigint): boolean => true): [string, string][] {
  const found = [...words].flatMap(([address, slots]) =>
    [...slots].flatMap(([slot, value]) => (holds(value) ? [placeOfWord(address, slot)] : [])),
  )
  return found.length === 1 && found[0] !== undefined ? [[found[0], name]] : []
}
