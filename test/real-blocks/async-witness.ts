import { type Address, EMPTY_CODE_HASH, type Hex } from '../../src/hex.js'
import type { BlockFile } from '../../src/replay-blocks/block-file.js'
import { witnessOf } from '../../src/replay-blocks/block-file.js'
import type { Account } from '../../src/state/state-reader.js'
import { type Witness as ProvenState, UnknownStateError } from '../../src/state/witness.js'

/** A witness as a node is asked: by address, and with promises. */
export interface Witness {
  account(address: Address): Promise<Account>
  code(address: Address): Promise<Uint8Array>
  storage(address: Address, slot: bigint): Promise<bigint>
  blockHash(number: bigint): Promise<Hex>
}

export function openWitness(file: BlockFile): Witness {
  const witness = witnessOf(file)
  return {
    account: async (address) => witness.account(address),
    code: async (address) => codeAt(witness, address),
    storage: async (address, slot) => witness.storage(address, slot),
    blockHash: async (number) => witness.blockHash(number),
  }
}

function codeAt(witness: ProvenState, address: Address): Uint8Array {
  const { codeHash } = witness.account(address)
  try {
    return codeHash === EMPTY_CODE_HASH ? new Uint8Array() : witness.code(codeHash)
  } catch (error) {
    throw error instanceof UnknownStateError ? new UnknownStateError(`code of ${address}`) : error
  }
}
