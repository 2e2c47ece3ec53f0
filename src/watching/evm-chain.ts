import { type Hex, toQuantity } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import { getBlock } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import type { FollowedChain, ReadWords } from './followed-chain.js'
import { traceBlockChanges } from './read-block-changes.js'
import type { SeenBlock } from './watch-store.js'

type Calls = Pick<RpcClient, 'call'>

export interface EvmChainOptions {
  rpc: Calls
  readWords: ReadWords
  /** Told of the head at each look: others may take an older one for the newest still. */
  onHead?: ((head: BlockHeader) => void) | undefined
}

/** What was missed beyond this is not gone through. */
const MAX_MISSED = 512n
/** Words asked for at a block of a node that does not tell changes: one request's worth. */
const WORDS_AT_ONCE = 4_000

/** A chain with an EVM, block by block. */
export const createEvmChain = ({ rpc, readWords, onHead }: EvmChainOptions): FollowedChain => ({
  ...readEvmBlocks({ rpc, onHead }),
  next: async (last, head) => (last.number + 1n === head.number ? head : readBlock(rpc, last.number + 1n)),
  readChanges: ({ hash }) => rpc.call(traceBlockChanges(hash as Hex), { suspect: 'chain', canAskLess: true }),
  ...{ readWords, wordsAtOnce: WORDS_AT_ONCE, maxMissed: MAX_MISSED },
})

/** The head of a chain, and whether it still has a block. */
export const readEvmBlocks = ({ rpc, onHead }: Omit<EvmChainOptions, 'readWords'>) => ({
  async newest(): Promise<BlockHeader | undefined> {
    const head = await rpc.call(getBlock('latest'), { suspect: 'chain' })
    if (head !== undefined) onHead?.(head)
    return head
  },
  async standing({ number, hash }: SeenBlock): Promise<'there' | 'gone' | 'unknown'> {
    const there = await readBlock(rpc, number)
    if (there === undefined) return 'unknown'
    return there.hash === hash ? 'there' : 'gone'
  },
})

export const readBlock = (rpc: Calls, number: bigint) => rpc.call(getBlock(toQuantity(number)), { suspect: 'chain' })
