import { encodeDeployData } from 'viem'
import type { Address, Hex } from '../hex.js'
import { toQuantity } from '../hex.js'
import type { Artifact } from './artifacts.js'
import type { DevnetNode } from './node.js'

/** A contract that must stand at an address that no deployment of ours can reach. */
export interface Placement {
  address: Address
  artifact: Artifact
  args?: readonly unknown[]
  /** Slots that are written after the constructor has run. */
  storage?: Record<Hex, Hex>
}

/**
 * Runs each constructor *at* the final address: the creation code is set as that account's code and
 * called by a transaction. So storage is initialised, and immutables such as `address(this)` are
 * right in what the constructor returns, which becomes the code. Constructors must not depend on
 * each other.
 */
export async function placeContracts(node: DevnetNode, from: Address, placements: readonly Placement[]): Promise<void> {
  const creationCodes = placements.map(({ artifact: { abi, bytecode }, args = [] }) =>
    encodeDeployData({ abi, bytecode, args }),
  )
  const call = ({ address }: Placement) => ({ from, to: address, gas: toQuantity(CONSTRUCTOR_GAS) })

  await node.batch(placements.map(({ address }, i) => setCode(address, creationCodes[i] ?? '0x')))
  const codes = await node.batch<Hex>(
    placements.map((placement) => ({ method: 'eth_call', params: [call(placement), 'latest'] })),
  )
  await node.batch(placements.map((placement) => ({ method: 'eth_sendTransaction', params: [call(placement)] })))
  await node.call('evm_mine')
  await node.batch(
    placements.flatMap(({ address, storage = {} }, i) => [
      setCode(address, codes[i] ?? '0x'),
      // A created account begins at 1 (EIP-161).
      { method: 'anvil_setNonce', params: [address, '0x1'] },
      ...Object.entries(storage).map((entry) => ({ method: 'anvil_setStorageAt', params: [address, ...entry] })),
    ]),
  )
  // Code that is set belongs to no block. From this one on, state at a block is what the
  // transactions of the next one see.
  await node.call('evm_mine')
}

const setCode = (address: Address, code: Hex) => ({ method: 'anvil_setCode', params: [address, code] })

/** The dearest constructor is the V3 factory's, which writes three fee tiers. */
const CONSTRUCTOR_GAS = 1_000_000n
