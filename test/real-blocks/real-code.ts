import type { DevnetNode } from '../../src/devnet/node.js'
import { type Address, bytesToHex, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import { witnessOf } from '../../src/replay-blocks/block-file.js'
import { readBlock } from './block-names.js'

/**
 * A contract of a chain as one of its blocks proves it: the code at its address, and those of its
 * words that it is to begin with here.
 */
export interface RealContract {
  address: Address
  /** The block that holds it. */
  block: string
  slots?: readonly bigint[]
}

/**
 * Puts contracts as blocks prove them at their addresses on a devnet, in place of what stands
 * there. Other words of theirs stay as they are: constructors of the authors' packages, or of
 * stand-ins with the same layout, have written them.
 */
export async function placeRealCode(node: DevnetNode, contracts: readonly RealContract[]): Promise<void> {
  for (const { address, block, slots = [] } of contracts) {
    const witness = witnessOf(readBlock(block))
    const code: Hex = bytesToHex(witness.code(witness.account(address).codeHash))
    await node.call('anvil_setCode', address, code)
    for (const slot of slots) {
      const words = [slot, witness.storage(address, slot)].map((word) => toPaddedHex(word, 32))
      await node.call('anvil_setStorageAt', address, ...words)
    }
    await node.call('anvil_setNonce', address, toQuantity(1n))
  }
  // What is set changes the newest block, until it has a successor.
  await node.call('evm_mine')
}
