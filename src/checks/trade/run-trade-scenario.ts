import type { BaseError } from '../../errors.js'
import { UnsupportedExecutionError } from '../../evm/chain-extras.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import type { Address, Hex } from '../../hex.js'
import type { Scenario } from '../../simulation/scenario.js'
import { type Simulator, StateUnsettledError } from '../../simulation/simulator.js'
import { seedFor, traderSeedAt } from '../../simulation/trader-seed.js'
import type { StateSource } from '../../state/state-source.js'
import type { MarketHints } from '../market-hints.js'
import type { AnalysisTarget, TraceLength } from '../target.js'
import type { ReadMarketHints } from './read-market-hints.js'

export interface TradeDependencies {
  simulator: Simulator
  /** Without it, a token that trades nowhere we look has no market. */
  readMarketHints?: ReadMarketHints
  /**
   * Makes traders that cannot be foreseen: a token that knows the next trader's address can let
   * that one alone sell.
   */
  traderSecret: Uint8Array
}

/** What every trading scenario is told. */
export interface TradeInput {
  address: Address
  /** Unguessable, and the same each time this report is computed. */
  seed: Hex
  /** Judge this pool instead of the deepest one. */
  pair?: Address
  /** Judge this Uniswap V4 pool instead. */
  poolId?: Hex
  /** Make a pool on the fork where there is none. */
  simulateLiquidity?: boolean
  /** Where else it may trade, by its logs. */
  hints?: MarketHints
  /** Spend this much, in wei, instead of an amount that suits the pool. */
  amount?: bigint
  /** How much of the trace is wanted. */
  trace?: TraceLength
}

/** Either what happened, or why nothing did: in words, and as a kind. */
export type TradeOutcome<Facts> =
  | { facts: Facts; resisted?: undefined; doubt?: undefined }
  | { facts?: undefined; resisted: string; doubt: VoidRun }

/**
 * `resisted`: the code exhausted a bound. `unfinished`: our time was over. `not-executable`: only
 * the chain itself can run it.
 */
export type VoidRun = 'resisted' | 'unfinished' | 'not-executable'

/**
 * Plays a trading scenario on the target; where it finds no market, once more with what logs tell
 * about others. Only then, because each look at logs is a request that most tokens do not need.
 * Hints that cannot be had change nothing. A node that cannot be asked rejects; code that exhausts
 * a bound is an outcome. `extra` is what the scenario is told besides.
 */
export async function runTradeScenario<Facts, Extra extends object = object>(
  { simulator, traderSecret, readMarketHints }: TradeDependencies,
  scenario: Scenario<TradeInput & Extra, Facts>,
  target: AnalysisTarget,
  state: StateSource,
  extra: Extra = {} as Extra,
): Promise<TradeOutcome<Facts>> {
  const { chain, address, pair, poolId, simulateLiquidity, hints, amount, trace, signal } = target
  const seed = tradeSeed(traderSecret, target, state)
  const where = { ...(pair && { pair }), ...(poolId && { poolId }), ...(simulateLiquidity && { simulateLiquidity }) }
  const how = { ...(amount && { amount }), ...(trace && { trace }) }
  const request = { scenario, secret: seed, chain, state, ...(signal && { signal }) }
  const input = { ...extra, address, seed, ...where, ...(hints && { hints }), ...how }
  try {
    const facts = await simulator.simulate({ ...request, input })
    if (!isStranded(facts) || !readMarketHints) return { facts }
    const found = await readMarketHints(target, state).catch(() => undefined)
    return { facts: found ? await simulator.simulate({ ...request, input: { ...input, hints: found } }) : facts }
  } catch (error) {
    const doubt = voidRunOf(error)
    if (doubt === undefined) throw error
    return { resisted: (error as BaseError).shortMessage, doubt }
  }
}

/**
 * New for each block, because reports show the trader; the same within one, so that a report can be
 * repeated.
 */
export function tradeSeed(
  secret: Uint8Array,
  { chain, address, traderSeed }: Pick<AnalysisTarget, 'chain' | 'address' | 'traderSeed'>,
  { block }: StateSource,
): Hex {
  return seedFor(traderSeed ?? traderSeedAt(secret, chain.id, block.hash), address)
}

/** Scenarios that look for a market tell whether there was a token and nowhere to trade it. */
const isStranded = (facts: unknown): boolean =>
  typeof facts === 'object' && facts !== null && 'isStranded' in facts && facts.isStranded === true

/** What can become of a run that says nothing: neither guilt nor safety. */
function voidRunOf(error: unknown): VoidRun | undefined {
  if (error instanceof UnsupportedExecutionError) return 'not-executable'
  if (error instanceof StateUnsettledError) return 'resisted'
  if (!(error instanceof AnalysisResistedError)) return undefined
  return error.isOurs ? 'unfinished' : 'resisted'
}
