import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAddress } from '../../solana/address.js'
import { getSignaturesForAddress, type SignatureRecord } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { DAY_SECONDS, describePulse, pulseOf, type TransferCount, WEEK_SECONDS } from '../history/pulse.js'
import type { SolanaHistory } from './solana-report.js'

/**
 * Whether the token is alive, from the transactions that name its mint or the vault of its main
 * pool: an unchecked transfer names only the accounts between which it moves. What could not be
 * read is not known, rather than dead.
 */
export async function readSolanaHistory(
  rpc: SolanaRpc,
  addresses: readonly SolanaAddress[],
  now: bigint,
  budget: RpcBudget,
): Promise<SolanaHistory> {
  const requests = addresses.map((address) => ({ ...getSignaturesForAddress(address, MAX_SIGNATURES), optional: true }))
  const outcomes = await rpc.batch(requests, { suspect: addresses[0] ?? 'chain', budget }).catch(() => [])
  const lists = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value as SignatureRecord[]] : []))
  if (lists.length === 0) return UNKNOWN
  const bySignature = new Map(lists.flat().map((record) => [record.signature, record]))
  const records = [...bySignature.values()].filter(({ failed }) => !failed).sort(newestFirst)
  const since = Math.max(...lists.map((list) => coveredSince(list)))
  const day = countWithin(DAY_SECONDS, records, Number(now), since)
  const week = countWithin(WEEK_SECONDS, records, Number(now), since)
  const activityPulse = pulseOf(day, week)
  return {
    success: activityPulse !== undefined,
    activityPulse,
    message: describePulse(activityPulse, day, week),
    recent: records.slice(0, MAX_RECENT),
  }
}

/** One page: enough to tell whether more than a hundred came in a day. */
const MAX_SIGNATURES = 200
const MAX_RECENT = 10

const UNKNOWN: SolanaHistory = {
  success: false,
  activityPulse: undefined,
  message: 'Not known: no node gave the transactions of this token.',
  recent: [],
}

const newestFirst = (a: SignatureRecord, b: SignatureRecord) => Number(b.slot - a.slot)

/** The time from which on a list is complete: a list that is full may leave out what is older. */
function coveredSince(list: readonly SignatureRecord[]): number {
  if (list.length < MAX_SIGNATURES) return 0
  return Number(list.at(-1)?.time ?? Number.POSITIVE_INFINITY)
}

function countWithin(
  seconds: number,
  records: readonly SignatureRecord[],
  now: number,
  coveredFrom: number,
): TransferCount {
  const since = now - seconds
  const isComplete = coveredFrom <= since
  return {
    // A transaction without a time is not counted: it may be of any age.
    transfers: records.filter(({ time }) => time !== undefined && Number(time) >= since).length,
    coveredSeconds: isComplete ? seconds : Math.max(0, now - coveredFrom),
    isComplete,
  }
}
