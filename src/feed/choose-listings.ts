import { createHash } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import { newTokensOf, type PoolCreation, type PoolLogs } from '../dex/pool-creations.js'
import type { Address } from '../hex.js'
import type { LogEntry } from '../rpc/log-entry.js'

/** A token in a pool that was made, with the log that says so. */
export interface Candidate extends Pick<PoolCreation, 'exchange' | 'pool'> {
  id: string
  log: LogEntry
  token: Address
  quote: Address
}

/**
 * The new tokens in these logs; where there are more than there is room for, one of each
 * transaction, then a second of each, and so on: who makes a thousand pools in one displaces no
 * other. How many were left out is told.
 */
export function chooseListings(
  chain: Chain,
  pools: Pick<PoolLogs, 'creation'>,
  logs: readonly LogEntry[],
  room: number,
): { chosen: Candidate[]; leftOut: number } {
  const found = new Map<string, Candidate>()
  for (const log of logs) {
    const creation = pools.creation(log)
    if (creation === undefined) continue
    const { exchange, pool } = creation
    for (const { token, quote } of newTokensOf(chain, creation)) {
      const id = listingId(chain.id, pool, token)
      found.set(id, { id, log, token, quote, exchange, pool })
    }
  }
  const chosen = takeInTurns([...found.values()], ({ log }) => log.transactionHash).slice(0, room)
  return { chosen, leftOut: found.size - chosen.length }
}

/** The first of each group, then the second of each, and so on. */
export function takeInTurns<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const taken = new Map<string, number>()
  const inTurns = items.map((item) => {
    const turn = taken.get(groupOf(item)) ?? 0
    taken.set(groupOf(item), turn + 1)
    return { turn, item }
  })
  return inTurns.toSorted((a, b) => a.turn - b.turn).map(({ item }) => item)
}

/** The same wherever and whenever it is found. */
export function listingId(chainId: number, pool: string, token: string): string {
  const hash = createHash('sha256').update(`${chainId} ${pool} ${token}`).digest('hex')
  return `listing_${hash.slice(0, ID_DIGITS)}`
}

const ID_DIGITS = 32
