import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { PinnedBlock } from '../../state/state-source.js'
import type { Activity, TransferRecord } from './history-report.js'
import { DAY_SECONDS, type TransferCount, transfersPerDay, WEEK_SECONDS } from './pulse.js'
import type { TransferReading } from './read-transfers.js'

export interface Seen {
  transfers: readonly TransferRecord[]
  reading: Pick<TransferReading, 'coveredFrom' | 'coveredSince' | 'samples'>
  head: PinnedBlock
}

/** The transfers of the last `seconds`, as far as they were read without gaps. */
export function countWithin(seconds: number, { transfers, reading, head }: Seen): TransferCount {
  const { coveredFrom, coveredSince } = reading
  const since = Number(head.timestamp) - seconds
  const isComplete = coveredFrom === 0n || coveredSince <= since + PACE_TOLERANCE_SECONDS
  return {
    transfers: within(since, transfers).length,
    coveredSeconds: isComplete ? seconds : Number(head.timestamp) - coveredSince,
    isComplete,
  }
}

/** Blocks missed or early make a week by height a little shorter than a week by clock. */
const PACE_TOLERANCE_SECONDS = 2 * 3_600

/** What happened in the last day. `pool`: where the token is traded, if that is known. */
export function activityOfDay(seen: Seen, pool: Address | undefined): Activity {
  const count = countWithin(DAY_SECONDS, seen)
  return describe(DAY_SECONDS, seen, pool, count, transfersPerDay(count))
}

/**
 * What happened in the last week; of a busy token worked out from the newest transfers and from
 * samples of the other days.
 */
export function activityOfWeek(seen: Seen, pool: Address | undefined): Activity {
  const count = countWithin(WEEK_SECONDS, seen)
  const newest = transfersPerDay(countWithin(DAY_SECONDS, seen))
  const sampled = seen.reading.samples.reduce(
    (sum, { seconds, transfers }) => ({ seconds: sum.seconds + seconds, transfers: sum.transfers + transfers }),
    { seconds: 0, transfers: 0 },
  )
  const older = sampled.seconds > 0 ? (sampled.transfers * DAY_SECONDS) / sampled.seconds : transfersPerDay(count)
  return describe(WEEK_SECONDS, seen, pool, count, newest + older * (WEEK_SECONDS / DAY_SECONDS - 1))
}

const HOUR_SECONDS = 3_600

/** Transfers in each hour of the last day, oldest first; what was not read whole has none. */
export function activityByHour({ transfers, reading, head }: Seen): (number | undefined)[] {
  const now = Number(head.timestamp)
  const { isComplete } = countWithin(DAY_SECONDS, { transfers, reading, head })
  return Array.from({ length: DAY_SECONDS / HOUR_SECONDS }, (_, hour) => {
    const start = now - DAY_SECONDS + hour * HOUR_SECONDS
    if (!isComplete && reading.coveredSince > start) return undefined
    // What is in the block itself is of the last hour.
    const end = start + HOUR_SECONDS === now ? now + 1 : start + HOUR_SECONDS
    return transfers.filter(({ timestamp }) => timestamp >= start && timestamp < end).length
  })
}

/**
 * `estimate` stands where the reading has holes. Buys and sells are then taken to have the share
 * that they have among what was seen.
 */
function describe(
  seconds: number,
  { transfers, head }: Seen,
  pool: Address | undefined,
  { isComplete }: TransferCount,
  estimate: number,
): Activity {
  const seen = within(Number(head.timestamp) - seconds, transfers)
  const total = isComplete ? seen.length : Math.max(seen.length, Math.round(estimate))
  const scale = seen.length === 0 ? 0 : total / seen.length
  const among = (isCounted: (transfer: TransferRecord) => boolean) =>
    pool === undefined ? undefined : Math.round(seen.filter(isCounted).length * scale)
  return {
    transfers: total,
    senders: distinct(seen.map(({ from }) => from)),
    receivers: distinct(seen.map(({ to }) => to)),
    buys: among(({ from, to }) => from === pool && to !== ZERO_ADDRESS),
    sells: among(({ to }) => to === pool),
    isEstimate: !isComplete,
  }
}

function within(since: number, transfers: readonly TransferRecord[]): TransferRecord[] {
  return transfers.filter(({ timestamp }) => timestamp >= since)
}

/** Mints come from the zero address and burns go to it. */
const distinct = (accounts: readonly Address[]) => new Set(accounts.filter((account) => account !== ZERO_ADDRESS)).size
