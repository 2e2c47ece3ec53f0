import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { TransferRecord } from '../history/history-report.js'
import type { Candidate, HolderRole } from './holders-report.js'

/** Where tokens are sent to be out of reach. */
export const DEAD: Address = '0x000000000000000000000000000000000000dead'

/** How many of each kind are looked at; some turn out to have nothing or to be contracts. */
const SAMPLE: Record<HolderRole, number> = { 'recent-buyer': 8, largest: 6, oldest: 4 }

/** An account as the transfers show it. */
interface Account extends Omit<Candidate, 'role'> {
  net: bigint
  /** When it last bought from the pool; 0 where it never did. */
  boughtAt: number
}

/**
 * People to sell as: who bought last, who gained most, and who came first. `transfers` newest
 * first; `others` are the pool, the router and each address that else is no person. At most
 * eighteen.
 */
export function chooseCandidates(
  transfers: readonly TransferRecord[],
  pool: Address,
  others: readonly Address[],
): Candidate[] {
  const accounts = [...accountsOf(transfers, pool).values()].filter(
    ({ address, received }) => received > 0n && ![ZERO_ADDRESS, DEAD, pool, ...others].includes(address),
  )
  const ranked: [HolderRole, Account[]][] = [
    ['recent-buyer', accounts.filter(({ boughtAt }) => boughtAt > 0).toSorted((a, b) => b.boughtAt - a.boughtAt)],
    ['largest', accounts.toSorted((a, b) => Number(b.net > a.net) - Number(b.net < a.net))],
    ['oldest', accounts.toSorted((a, b) => a.since - b.since)],
  ]
  const chosen = new Map<Address, Candidate>()
  for (const [role, list] of ranked) {
    const fresh = list.filter(({ address }) => !chosen.has(address)).slice(0, SAMPLE[role])
    for (const { address, received, hasSent, since } of fresh) {
      chosen.set(address, { address, role, received, hasSent, since })
    }
  }
  return [...chosen.values()]
}

function accountsOf(transfers: readonly TransferRecord[], pool: Address): Map<Address, Account> {
  const accounts = new Map<Address, Account>()
  const at = (address: Address): Account => {
    const known = accounts.get(address)
    if (known) return known
    const account = { address, received: 0n, hasSent: false, since: Number.POSITIVE_INFINITY, net: 0n, boughtAt: 0 }
    accounts.set(address, account)
    return account
  }
  for (const { from, to, value, timestamp } of transfers) {
    const [sender, receiver] = [at(from), at(to)]
    sender.hasSent = true
    sender.net -= value
    receiver.received += value
    receiver.net += value
    receiver.since = Math.min(receiver.since, timestamp)
    if (from === pool) receiver.boughtAt = Math.max(receiver.boughtAt, timestamp)
  }
  return accounts
}
