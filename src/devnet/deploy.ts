import { encodeDeployData, getContractAddress } from 'viem'
import type { Address } from '../hex.js'
import { readContract } from './artifacts.js'
import type { DevnetTransaction } from './devnet-ledger.js'

/**
 * A deployment of one of this project's contracts, and the address that it will have. `nonce` is
 * the sender's at that time.
 */
export function deploy(from: Address, nonce: number, contractName: string, args: readonly unknown[] = []) {
  const { abi, bytecode } = readContract(contractName)
  const address = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Address
  const transaction: DevnetTransaction = {
    what: `deploy ${contractName}`,
    from,
    data: encodeDeployData({ abi, bytecode, args }),
  }
  return { address, transaction }
}
