import { USED } from '../evm/account-entry.js'
import { L1_BLOCK } from '../evm/op-fees.js'
import type { World } from '../evm/world.js'
import type { Address } from '../hex.js'
import { toWord } from '../instructions/word.js'
import type { StateMiss } from '../state/state-reader.js'

/** What of the pinned block decided a run. */
export interface ReadNotes {
  reads: readonly StateMiss[]
  /** Accounts whose coins code asked for. */
  coinsAsked: readonly Address[]
  /** Accounts that had coins to pay with, or had not. */
  coinsPaid: readonly Address[]
  /**
   * It rests on more than that: on what each block says of itself, but for its time and height, or
   * on what a node executed.
   */
  isFleeting: boolean
}

/** Notes of a run that was played in this `world`. */
export function noteReads(world: World, reads: readonly StateMiss[], isRemote: boolean): ReadNotes {
  const used = (bit: number) =>
    [...world.entries()].flatMap((account) => ((account.used & bit) !== 0 ? account.address : []))
  const asksL1 = (world.entry(L1_BLOCK_WORD).used & USED.code) !== 0
  return {
    reads,
    coinsAsked: used(USED.coinsAsked),
    coinsPaid: used(USED.coinsPaid),
    isFleeting: isRemote || asksL1 || world.asksBlock,
  }
}

const L1_BLOCK_WORD = toWord(BigInt(L1_BLOCK))
