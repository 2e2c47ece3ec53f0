import { SolanaStaleNodeError } from '../solana/chain-state.js'
import { mayMakePool } from '../solana/pools/new-pools.js'
import { getBlockHash, getConfirmedSlots } from '../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import { type BlockOfMade, getBlockOfMade } from '../solana/rpc/transaction-methods.js'
import { takeInTurns } from './choose-listings.js'
import { type CreationSource, MAX_TRANSACTIONS } from './creation-source.js'

/**
 * Blocks that one look reads, one after the other: each is some megabytes, and takes a tenth of a
 * second. A second has two or three.
 */
const MAX_BLOCKS = 8

/** Makers of pools by whole blocks, of whatever exchange: for a node that stands near. */
export function createCreationBlocks(rpc: Pick<SolanaRpc, 'call'>): CreationSource {
  /** Slots of a range that have a block, of a node that has seen all of it. */
  const listSlots = (from: bigint, last: bigint) =>
    rpc.call(getConfirmedSlots(from, last), {
      suspect: 'chain',
      accept([slots]) {
        if (slots?.ok && !(slots.value as bigint[]).includes(last))
          throw new SolanaStaleNodeError(`no block in slot ${last}`)
      },
    })
  return {
    async reach(from, head) {
      const slots = await listSlots(from, head.number)
      const number = slots[MAX_BLOCKS - 1]
      if (number === undefined || number === head.number) return head
      return { number, hash: await rpc.call(getBlockHash(number), { suspect: 'chain' }) }
    },
    async read({ from, last }) {
      const blocks: BlockOfMade[] = []
      let parent: bigint | undefined
      for (const slot of await listSlots(from, last.number)) {
        const block = await rpc.call(getBlockOfMade(slot, mayMakePool), { suspect: 'chain' })
        // Blocks of two forks may lack one between them.
        if (parent === undefined ? block.parent >= from : block.parent !== parent)
          throw new SolanaStaleNodeError(`slot ${block.parent} before ${slot}`)
        parent = slot
        blocks.push(block)
      }
      if (blocks.at(-1)?.hash !== last.hash) throw new SolanaStaleNodeError(`another block in slot ${last.number}`)
      const all = blocks.flatMap(({ made }) => made)
      const made = takeInTurns(all, ({ payer }) => payer).slice(0, MAX_TRANSACTIONS)
      return { made, leftOut: all.length - made.length }
    },
  }
}
