import { type SolanaAccount, viewOf } from '../account.js'
import { address, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'

/**
 * Stake pools: an address of the pool's makes new tokens for what is staked, and for nothing else
 * (solana-program-library `stake-pool/program/src`: `state.rs`, `lib.rs`). Sanctum runs the same
 * code under two more addresses (`igneous-labs/sanctum-lst-list`). A copy elsewhere proves nothing.
 */
export const STAKE_POOL_PROGRAMS: readonly SolanaAddress[] = [
  address('SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'),
  address('SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY'),
  address('SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn'),
]

/** In the list of kinds of accounts. */
const STAKE_POOL = 1
/** As far as the mint of the pool and its token program. */
const LEAST_BYTES = 258

/** Whether `holder` is the address with which the stake pool at `at` makes its tokens. */
export function isMinterOf(at: SolanaAddress, account: SolanaAccount | undefined, holder: SolanaAddress): boolean {
  if (account === undefined || !STAKE_POOL_PROGRAMS.includes(account.owner)) return false
  if (account.data.length < LEAST_BYTES || viewOf(account.data).getUint8(0) !== STAKE_POOL) return false
  return findProgramAddress(account.owner, [addressBytes(at), WITHDRAW]) === holder
}

const WITHDRAW = new TextEncoder().encode('withdraw')
