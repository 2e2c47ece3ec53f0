import { programDataAddress } from '../../solana/account.js'
import { ACCOUNT_WORDS, readAccountWords } from '../../solana/account-words.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { sideOf } from '../../solana/pools/read-pool.js'
import { extraAccountsAddress } from '../../solana/token/hook-accounts.js'
import type { Mint } from '../../solana/token/mint.js'
import type { Dependencies, Word, WordRole } from '../dependencies/trade-dependencies.js'
import type { PoolReport } from './solana-report.js'

/** The deepest pools, whose state and coins are looked after. */
const MAX_POOLS = 4
/** Accounts in which a hook keeps what it decides by. */
const MAX_HOOK_DATA = 16

const { STATE, HOLDERS, AMOUNT } = ACCOUNT_WORDS

/**
 * What a verdict on a mint stands on: its rules and who holds its powers, the code and the data of
 * its hook, and its pools with what sellers are paid from. As they were when it was judged.
 */
export function findAccountDependencies(
  { accounts }: Pick<SolanaState, 'accounts'>,
  mint: Mint,
  { pools, moved }: { pools: readonly PoolReport[]; moved: readonly SolanaAddress[] },
): Dependencies {
  const words: Word[] = []
  const add = (address: SolanaAddress, slot: bigint, role: WordRole) => {
    const value = readAccountWords(address, accounts.get(address)).get(slot) ?? 0n
    words.push({ address, slot, value, role })
  }
  add(mint.address, STATE, 'decides')
  add(mint.address, HOLDERS, 'guards')
  const hookData = addHook({ accounts }, mint, (address, slot, role) =>
    // What each trade changes is told apart from an act.
    add(address, slot, moved.includes(address) ? 'moves' : role),
  )
  for (const { pool } of pools.slice(0, MAX_POOLS)) {
    const side = sideOf(pool, mint.address) ?? 0
    const paying = pool.vaults[side === 0 ? 1 : 0]
    // Coins of a launch curve lie on its own account.
    const own = paying === pool.address ? [pool.address] : [pool.address, paying]
    for (const address of [...own, pool.vaults[side]]) add(address, STATE, 'decides')
    add(paying, AMOUNT, 'liquidity')
  }
  return { words, codes: [], isTruncated: pools.length > MAX_POOLS || hookData > MAX_HOOK_DATA }
}

/** Tells how many accounts the hook keeps data in. */
function addHook(
  { accounts }: Pick<SolanaState, 'accounts'>,
  mint: Mint,
  add: (address: SolanaAddress, slot: bigint, role: WordRole) => void,
): number {
  const program = mint.extensions.transferHook?.program
  if (program === undefined) return 0
  const account = accounts.get(program)
  const code = account && programDataAddress(account)
  if (code !== undefined) {
    add(code, STATE, 'decides')
    add(code, HOLDERS, 'guards')
  }
  const list = extraAccountsAddress(program, mint.address)
  const data = [...accounts].filter(([address, each]) => each?.owner === program && address !== list)
  for (const address of [...(list ? [list] : []), ...data.slice(0, MAX_HOOK_DATA).map(([each]) => each)])
    add(address, STATE, 'decides')
  return data.length
}
