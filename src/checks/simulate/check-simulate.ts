import { createHmac } from 'node:crypto'
import type { Clock } from '../../clock.js'
import { createVenues, venueSeeds } from '../../dex/venues.js'
import { BaseError } from '../../errors.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import type { Hex } from '../../hex.js'
import { type Simulator, StateUnsettledError } from '../../simulation/simulator.js'
import type { StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import type { SimulateReport } from './report.js'
import { roundTrip } from './round-trip.js'
import { nothingHappened } from './round-trip-facts.js'
import { judgeRoundTrip } from './verdict.js'

export interface SimulateDependencies {
  simulator: Simulator
  clock: Clock
  /** Makes traders that nobody can foresee: whoever knows the next trader's address can let that one alone sell. */
  traderSecret: Uint8Array
}

/**
 * Trades the target on a private copy of the chain. Code that exhausts a bound gives a failed report that says so;
 * a node that cannot be asked rejects.
 */
export async function checkSimulate(
  { simulator, clock, traderSecret }: SimulateDependencies,
  { chain, address, pair, amount, signal }: AnalysisTarget,
  state: StateSource,
): Promise<SimulateReport> {
  const simulatedAt = clock.now()
  const input = {
    target: address,
    // New for each block, because reports show the trader; the same within one, so that a report can be repeated.
    seed: traderSeed(traderSecret, `${chain.id}:${address}:${state.block.hash}`),
    ...(pair && { pair }),
    ...(amount && { amount }),
  }
  try {
    const seeds = venueSeeds(createVenues(chain), address)
    const facts = await simulator.simulate({ scenario: roundTrip, input, chain, state, seeds, ...(signal && { signal }) })
    return { ...facts, ...judgeRoundTrip(facts), simulatedAt }
  } catch (error) {
    if (!isResistance(error)) throw error
    const { shortMessage } = error
    return { ...nothingHappened('contract'), success: false, errorReason: shortMessage, isHoneypot: false, inconclusive: shortMessage, simulatedAt }
  }
}

function isResistance(error: unknown): error is BaseError {
  return error instanceof AnalysisResistedError || error instanceof StateUnsettledError
}

function traderSeed(secret: Uint8Array, subject: string): Hex {
  return `0x${createHmac('sha256', secret).update(subject).digest('hex')}`
}
