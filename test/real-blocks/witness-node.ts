import { type Address, bytesToHex, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { UnknownStateError } from '../../src/state/witness.js'
import type { Witness } from './async-witness.js'
import { type NodeMethods, NodeRefusal, startMethodNode } from './method-node.js'

/** A plain node with one block: methods that every node has, and no other. */
export interface WitnessNode {
  url: string
  /**
   * What was asked for and is not held, in order, each once. Each was answered with an error that
   * names it.
   */
  refused(): readonly string[]
  stop(): Promise<void>
}

/**
 * Serves a witness over HTTP. The head is the block itself, its state that from before its
 * transactions. Whatever the witness does not prove is an error, so that nothing is ever judged on
 * a guess.
 */
export async function startWitnessNode(file: BlockFile, witness: Witness): Promise<WitnessNode> {
  const refused = new Set<string>()
  const orRefuse = async (work: Promise<unknown>) => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof UnknownStateError)) throw error
      refused.add(error.what)
      throw new NodeRefusal(`missing trie node: ${error.message}`)
    }
  }
  const methods = Object.entries(METHODS).map(([name, method]) => [
    name,
    (params: readonly unknown[]) => orRefuse(Promise.resolve().then(() => method(file, witness, params))),
  ])
  const node = await startMethodNode(Object.fromEntries(methods) as NodeMethods)
  return { ...node, refused: () => [...refused] }
}

type Method = (file: BlockFile, witness: Witness, params: readonly unknown[]) => unknown

const METHODS: Record<string, Method> = {
  eth_chainId: ({ chainId }) => toQuantity(chainId),
  eth_blockNumber: ({ number }) => number,
  eth_getBlockByNumber: (file, witness, [block]) =>
    block === 'latest' || block === toQuantity(BigInt(file.number)) ? toBlock(file) : olderBlock(witness, block),
  eth_getBlockByHash: (file, _, [hash]) => (hash === hashOf(file) ? toBlock(file) : null),
  eth_getBalance: async (_, witness, [address]) => toQuantity((await witness.account(address as Address)).balance),
  eth_getTransactionCount: async (_, witness, [address]) =>
    toQuantity((await witness.account(address as Address)).nonce),
  eth_getCode: async (_, witness, [address]) => bytesToHex(await witness.code(address as Address)),
  eth_getStorageAt: async (_, witness, [address, slot]) =>
    toPaddedHex(await witness.storage(address as Address, BigInt(slot as Hex)), 32),
}

const hashOf = ({ header, expectedBlockHash }: BlockFile) => expectedBlockHash ?? header.hash

const toBlock = (file: BlockFile) => ({
  ...file.header,
  hash: hashOf(file),
  miner: file.header.coinbase,
  transactions: [],
  uncles: [],
})

/** Of blocks before it, the hash is all that a witness can hold. */
async function olderBlock(witness: Witness, block: unknown) {
  const number = BigInt(block as Hex)
  throw new UnknownStateError(`the header of block ${number}, hash ${await witness.blockHash(number)}`)
}
