import { unwrap } from '../rpc/request.js'
import { SolanaStaleNodeError } from './chain-state.js'
import { getBlockHash, getConfirmedSlots, getNewestSlot } from './rpc/solana-methods.js'
import type { SolanaRpc } from './rpc/solana-rpc-client.js'

/** A slot with a block in it, and that block's hash in base58. */
export interface Slot {
  number: bigint
  hash: string
}

/** The newest slot that two thirds have voted for. */
export const readNewestSlot = (rpc: Pick<SolanaRpc, 'call'>): Promise<Slot> =>
  rpc.call(getNewestSlot(), { suspect: 'chain' })

/**
 * Votes name one of so many slots (the sysvar SlotHashes), so that no older block is voted away.
 * Nodes list no slot that they keep no more (agave, `get_blocks`).
 */
const FINAL_AFTER = 512n

/**
 * Whether the cluster still has this block. A node that has not seen the slot yet is passed over;
 * one that does not keep blocks, or this one no more, takes nothing back.
 */
export async function isSlotThere(rpc: Pick<SolanaRpc, 'batch'>, { number, hash }: Slot): Promise<boolean> {
  const requests = [
    getNewestSlot(),
    { ...getConfirmedSlots(number, number), optional: true },
    { ...getBlockHash(number), optional: true },
  ] as const
  const [newest, slots, block] = await rpc.batch(requests, {
    suspect: 'chain',
    accept([newest]) {
      const seen = newest && (unwrap(newest) as Slot).number
      if (seen === undefined || seen < number) throw new SolanaStaleNodeError(`slot ${seen} before ${number}`)
    },
  })
  if (unwrap(newest).number - number > FINAL_AFTER) return true
  return (!slots.ok || slots.value.includes(number)) && (!block.ok || block.value === hash)
}
