import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { MakeBelieve, TransferRecord } from './history-report.js'

/**
 * Accounts that received the token, as its events say, and never sent it on. They must have it
 * still. Newest first, a few: none when the history gives no reason to doubt it, because asking
 * costs a round trip.
 */
export function accountsToDoubt(transfers: readonly TransferRecord[], pool: Address | undefined): Address[] {
  const isTraded = pool !== undefined && transfers.some(({ from, to }) => from === pool || to === pool)
  if (isTraded || transfers.length < MIN_TRANSFERS) return []
  const senders = new Set(transfers.map(({ from }) => from))
  const receivers = new Set(transfers.filter(({ value }) => value > 0n).map(({ to }) => to))
  return [...receivers].filter((account) => account !== ZERO_ADDRESS && !senders.has(account)).slice(0, MAX_ACCOUNTS)
}

const MIN_TRANSFERS = 10
const MAX_ACCOUNTS = 8
/** One receiver may have lost its tokens in another way, such as a burn without an event. */
const MIN_EMPTY = 3

/** `balances` as the token gave them for `accounts`; what it did not give proves nothing. */
export function findEmptyTransfers(
  accounts: readonly Address[],
  balances: readonly (bigint | undefined)[],
): MakeBelieve[] {
  const empty = accounts.filter((_, i) => balances[i] === 0n)
  if (empty.length < MIN_EMPTY || empty.length * 2 < accounts.length) return []
  return [
    {
      id: 'no-balance-change',
      description: `${empty.length} of ${accounts.length} accounts that received the token, by its own events, and never sent it have none of it.`,
    },
  ]
}
