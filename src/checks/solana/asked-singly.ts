import { randomInt } from 'node:crypto'
import type { SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import { SYSTEM_PROGRAM, SYSVARS } from '../../solana/programs.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'

/** An account as one node gave it. */
export type Entry = readonly [SolanaAddress, SolanaAccount | undefined]

interface Choice {
  mint: SolanaAddress
  /** What was looked for in any case: that it is not there says something too. */
  steady: ReadonlySet<SolanaAddress>
  /** What is known of it needs no second source. */
  isSettled(address: SolanaAddress): boolean
}

/**
 * What the only node is asked once more, account by account: everything that has rules in it, and
 * of the many holders and wallets the largest and some that no node can foresee. Each is a call
 * that nodes count.
 */
export function chooseForSingle(accounts: Iterable<Entry>, { mint, steady, isSettled }: Choice): Entry[] {
  const rules: Entry[] = []
  const wallets: Entry[] = []
  const holdings: { entry: Entry; amount: bigint }[] = []
  for (const entry of accounts) {
    const [address, account] = entry
    if (SYSVARS.includes(address) || isSettled(address) || (account === undefined && !steady.has(address))) continue
    const holding = parseTokenAccount(address, account)
    if (holding?.mint === mint) holdings.push({ entry, amount: holding.amount })
    else if (account?.owner === SYSTEM_PROGRAM && account.data.length === 0) wallets.push(entry)
    else rules.push(entry)
  }
  const largest = holdings.sort((a, b) => (b.amount > a.amount ? 1 : -1)).map(({ entry }) => entry)
  return [
    ...rules.slice(0, MAX_RULES),
    ...largest.slice(0, LARGEST),
    ...drawn(largest.slice(LARGEST), DRAWN),
    ...drawn(wallets, DRAWN),
  ]
}

/** A token with a hook, pools and a multisig needs 30. */
const MAX_RULES = 64
const LARGEST = 4
const DRAWN = 3

function drawn(entries: readonly Entry[], count: number): Entry[] {
  const left = [...entries]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(randomInt(left.length), 1)).flat()
}
