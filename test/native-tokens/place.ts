import { encodeDeployData } from 'viem'
import { readContract } from '../../src/devnet/artifacts.js'
import type { DevnetNode } from '../../src/devnet/node.js'
import { type Address, type Hex, toQuantity } from '../../src/hex.js'

/**
 * Runs the constructor at an address that no deployment can reach, so that what it writes is
 * written there.
 */
export async function place(
  node: DevnetNode,
  from: Address,
  address: Address,
  name: string,
  args: readonly unknown[] = [],
) {
  const { abi, bytecode } = readContract(name)
  const call = { from, to: address, gas: toQuantity(8_000_000) }
  await node.call('anvil_setCode', address, encodeDeployData({ abi, bytecode, args }))
  const code = await node.call<Hex>('eth_call', call, 'latest')
  await node.call('eth_sendTransactionSync', call)
  await node.call('anvil_setCode', address, code)
  await node.call('evm_mine')
}
