import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString } from '@ethereumjs/util'
import type { BlockEnvironment } from '../../src/evm/block-environment.js'
import type { World } from '../../src/evm/world.js'
import { type Address, hexToBytes, toPaddedHex } from '../../src/hex.js'

/**
 * `@ethereumjs/evm` with the state that one of our runs has read, held in maps: no trie, no
 * network, its fastest correct setting.
 */
export async function createPeer(world: World) {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka })
  const stateManager = new SimpleStateManager({ common })
  for (const entry of world.entries()) {
    if (!entry.known) continue
    const address = createAddressFromString(entry.address)
    await stateManager.putAccount(address, new Account(entry.nonce, entry.balance))
    const code = world.code(entry).bytes
    if (code.length > 0) await stateManager.putCode(address, code)
    for (const [key, slot] of entry.slots) {
      if (!slot.known || slot.value === 0) continue
      const bytes = (word: number | bigint) => hexToBytes(toPaddedHex(BigInt(word), 32))
      await stateManager.putStorage(address, bytes(key), trimmed(bytes(slot.value)))
    }
  }
  return { stateManager, evm: await createEVM({ common, stateManager }) }
}

export type Peer = Awaited<ReturnType<typeof createPeer>>

/** One transaction's call, without the fee: this package leaves that to another. */
export async function peerCall(
  { evm }: Peer,
  from: Address,
  to: Address,
  value: bigint,
  data: Uint8Array,
  gasLimit: bigint,
  block: BlockEnvironment,
) {
  const result = await evm.runCall({
    caller: createAddressFromString(from),
    origin: createAddressFromString(from),
    to: createAddressFromString(to),
    value,
    data,
    gasLimit,
    block: peerBlock(block),
  })
  await evm.journal.cleanup()
  return result.execResult
}

function peerBlock(block: BlockEnvironment) {
  return {
    header: {
      number: block.number,
      coinbase: createAddressFromString(block.coinbase),
      timestamp: block.timestamp,
      difficulty: 0n,
      prevRandao: hexToBytes(block.prevRandao),
      gasLimit: block.gasLimit,
      baseFeePerGas: block.baseFeePerGas,
      getBlobGasPrice: () => block.blobBaseFee,
    },
  }
}

function trimmed(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first)
}
