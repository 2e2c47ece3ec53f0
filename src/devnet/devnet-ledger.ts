import type { Address, Hex } from '../hex.js'
import { toQuantity } from '../hex.js'
import { DevnetError, type DevnetNode } from './node.js'

/** What one account does, and what to call it when it fails. */
export interface DevnetTransaction {
  what: string
  from: Address
  /** Absent for a deployment. */
  to?: Address
  data?: Hex
  value?: bigint
  gas?: bigint
}

/**
 * Writes history: blocks with the given transactions at the given times. Automatic mining must be
 * off.
 */
export interface Ledger {
  /**
   * Mines the transactions, in order, at `timestamp` (seconds), and in following seconds what does
   * not fit into a block. Rejects unless every one succeeds.
   */
  mine(timestamp: number, transactions: readonly DevnetTransaction[]): Promise<void>
}

export interface LedgerOptions {
  gasLimit: bigint
  /** Of accounts that have acted before; others begin at 0. */
  nonces: Map<Address, number>
}

export function createLedger(node: DevnetNode, { gasLimit, nonces }: LedgerOptions): Ledger {
  const takeNonce = (from: Address) => {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    return nonce
  }
  const gasOf = ({ to, gas }: DevnetTransaction) => gas ?? (to ? CALL_GAS : DEPLOYMENT_GAS)
  const send = (transaction: DevnetTransaction) => {
    const { from, to, data, value = 0n } = transaction
    const fields = {
      from,
      value: toQuantity(value),
      gas: toQuantity(gasOf(transaction)),
      nonce: toQuantity(takeNonce(from)),
    }
    return { method: 'eth_sendTransaction', params: [{ ...fields, ...(to && { to }), ...(data && { data }) }] }
  }
  const mineBlock = async (timestamp: number, transactions: readonly DevnetTransaction[]) => {
    const hashes = await node.batch<Hex>(transactions.map(send))
    await node.call('evm_mine', toQuantity(timestamp))
    const receipts = await node.call<Receipt[]>('eth_getBlockReceipts', 'latest')
    const status = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt.status]))
    const failed = transactions.filter((_, i) => status.get(hashes[i] ?? '0x') !== '0x1')
    if (failed.length === 0) return
    const names = failed.map(({ what, from, to }) => `${what} (${from} to ${to ?? 'a new contract'})`)
    throw new DevnetError(`The devnet could not write its history: ${names.join(', ')}`)
  }
  return {
    async mine(timestamp, transactions) {
      const blocks = intoBlocks(transactions, (transaction) => gasOf(transaction), gasLimit)
      for (const [index, block] of blocks.entries()) await mineBlock(timestamp + index, block)
    },
  }
}

/** Cuts a list into runs that each fit into a block. */
function intoBlocks<T>(items: readonly T[], gasOf: (item: T) => bigint, gasLimit: bigint): T[][] {
  const blocks: T[][] = []
  let left = 0n
  for (const item of items) {
    const gas = gasOf(item)
    if (gas > left) {
      blocks.push([])
      left = gasLimit
    }
    blocks.at(-1)?.push(item)
    left -= gas
  }
  return blocks
}

/**
 * Anvil reserves the whole limit in the block, so it stays near what the dearest call needs (a
 * first V3 mint: 0.5 million).
 */
const CALL_GAS = 1_000_000n
/** The dearest example creates its pair (2.3 million) while it is created. */
const DEPLOYMENT_GAS = 5_000_000n

interface Receipt {
  transactionHash: Hex
  status: Hex
}
