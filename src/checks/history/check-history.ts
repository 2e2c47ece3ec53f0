import { shownSymbol, type TokenMetadata } from '../../dex/token-metadata.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { Simulator } from '../../simulation/simulator.js'
import type { StateSource } from '../../state/state-source.js'
import type { AnalysisTarget } from '../target.js'
import { activityByHour, activityOfDay, activityOfWeek, countWithin, type Seen } from './activity.js'
import { accountsToDoubt, findEmptyTransfers } from './empty-transfers.js'
import type { HistoryReport, HistorySummary, MakeBelieve } from './history-report.js'
import { findMakeBelieve } from './make-believe.js'
import { DAY_SECONDS, describePulse, pulseOf, WEEK_SECONDS } from './pulse.js'
import { readBalances } from './read-balances.js'
import type { ReadTransfers } from './read-transfers.js'
import { newestFirst, parseTransfer } from './transfer-log.js'

const MAX_RECENT_TRANSFERS = 10

export interface HistoryDependencies {
  readTransfers: ReadTransfers
  simulator: Simulator
}

/**
 * Whether the token is alive, from its `Transfer` logs of up to a week. What could not be read is
 * not known, rather than dead. `judgedPool` is where the token is traded, and `metadata` what it
 * says of itself, once that is known.
 */
export async function checkHistory(
  { readTransfers, simulator }: HistoryDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
  judgedPool: Promise<Address | undefined>,
  metadata: Promise<TokenMetadata | undefined>,
): Promise<HistoryReport> {
  const abort = signal ? { signal } : {}
  const [said, reading, pool] = await Promise.all([
    metadata,
    readTransfers({ chain, token: address, head: state.block, ...abort }),
    judgedPool,
  ])
  const seen: Seen = { transfers: reading.logs.flatMap(parseTransfer).sort(newestFirst), reading, head: state.block }

  const accounts = accountsToDoubt(seen.transfers, pool)
  const balances =
    accounts.length === 0
      ? []
      : await simulator
          .simulate({ scenario: readBalances, input: { token: address, accounts }, chain, state, ...abort })
          .catch(() => [])

  const day = countWithin(DAY_SECONDS, seen)
  const week = countWithin(WEEK_SECONDS, seen)
  const activityPulse = pulseOf(day, week)
  return {
    success: activityPulse !== undefined,
    activityPulse,
    message: describePulse(activityPulse, day, week),
    recentTransfers: seen.transfers.slice(0, MAX_RECENT_TRANSFERS),
    summary: summarise(seen, pool, findEmptyTransfers(accounts, balances)),
    symbol: said ? shownSymbol(said) : '',
    decimals: said?.decimals,
  }
}

function summarise(seen: Seen, pool: Address | undefined, emptyTransfers: readonly MakeBelieve[]): HistorySummary {
  const { transfers } = seen
  const accounts = new Set(transfers.flatMap(({ from, to }) => [from, to]))
  accounts.delete(ZERO_ADDRESS)
  return {
    day: activityOfDay(seen, pool),
    week: activityOfWeek(seen, pool),
    hours: activityByHour(seen),
    volume: transfers.reduce((sum, { value }) => sum + value, 0n),
    accounts: accounts.size,
    lastTransfer: transfers[0]?.timestamp,
    firstMint: findFirstMint(seen),
    makeBelieve: [...findMakeBelieve(transfers, pool), ...emptyTransfers],
  }
}

/** The oldest transfer that was read, if it is a mint and the time before it was read too. */
function findFirstMint({ transfers, reading }: Seen): number | undefined {
  const oldest = transfers.at(-1)
  if (oldest?.from !== ZERO_ADDRESS) return undefined
  const isFirst = reading.coveredFrom === 0n || oldest.timestamp - reading.coveredSince >= QUIET_BEFORE_SECONDS
  return isFirst ? oldest.timestamp : undefined
}

/** A token that was silent for less than this before its first mint in sight may well be older. */
const QUIET_BEFORE_SECONDS = 86_400
