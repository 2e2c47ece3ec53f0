import type { Chain } from '../chains/chain.js'
import type { Address } from '../hex.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { openState } from '../state/rpc-state-source.js'
import { BlockMismatchError } from '../state/state-source.js'
import type { ReadWords } from './followed-chain.js'
import type { ChangedWord } from './read-block-changes.js'

/** Reads words in as few requests as the nodes of the chain can do with. */
export function createReadWords(chain: Chain, rpc: RpcClient): ReadWords {
  return async (header, words) => {
    const found = new Map<Address, Map<bigint, ChangedWord>>()
    for (let at = 0; at < words.length; at += WORDS_OF_STATE) {
      // Words of a chain with an EVM are of its addresses.
      const part = words.slice(at, at + WORDS_OF_STATE) as { address: Address; slot: bigint }[]
      const state = await openState({ rpc, chain, suspect: 'chain', blockNumber: header.number })
      if (state.block.hash !== header.hash) throw new BlockMismatchError()
      await state.load(part.map(({ address, slot }) => ({ kind: 'storage', address, slot })))
      for (const { address, slot } of part) {
        const slots = found.get(address) ?? new Map<bigint, ChangedWord>()
        found.set(address, slots)
        slots.set(slot, { value: known(state.storage(address, slot)), transaction: undefined })
      }
    }
    return found
  }
}

/** As many as one state gives at once. */
const WORDS_OF_STATE = 4_000

/** `load` has fetched it: what is unknown all the same is no zero. */
function known(value: bigint | undefined): bigint {
  if (value === undefined) throw new RangeError('a word that was loaded is not known')
  return value
}
