import type { BlockEnvironment } from '../../src/evm/block-environment.js'
import { createEvm } from '../../src/evm/create-evm.js'
import type { CallFrame } from '../../src/evm/inspector.js'
import { createCallTraceInspector } from '../../src/evm/inspectors/call-trace.js'
import type { TransactionRequest } from '../../src/evm/transaction.js'
import type { Address, Hex } from '../../src/hex.js'
import { createNodeState } from './node-state.js'
import type { TestRpc } from './rpc.js'

interface NodeTransaction {
  hash: Hex
  from: Address
  to: Address | null
  value: Hex
  input: Hex
  gas: Hex
  nonce: Hex
  type: Hex
  gasPrice?: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  accessList?: { address: Address; storageKeys: Hex[] }[]
}

interface NodeBlock {
  number: Hex
  timestamp: Hex
  miner: Address
  gasLimit: Hex
  baseFeePerGas: Hex
  mixHash: Hex
  transactions: NodeTransaction[]
}

export interface Replayed {
  hash: Hex
  ours: CallFrame
  theirs: CallFrame
}

/**
 * Runs all transactions of a block again on the state before it, and gets the node's own traces of
 * them.
 */
export async function replayBlock(rpc: TestRpc, chainId: number, number: bigint): Promise<Replayed[]> {
  const block = await rpc.call<NodeBlock>('eth_getBlockByNumber', `0x${number.toString(16)}`, true)
  const state = createNodeState(rpc, number - 1n)
  const transactions = block.transactions.map(toRequest)
  for (;;) {
    const evm = createEvm({
      state,
      block: toEnvironment(block, chainId),
      hardfork: 'osaka',
      limits: { wallClockMs: 60_000, precompileMicros: 60_000_000 },
    })
    const traces = runAll(() =>
      transactions.map((tx) => {
        const trace = createCallTraceInspector({ withLog: true })
        evm.transact(tx, [trace])
        return trace.finish()
      }),
    )
    if (evm.misses.length > 0) {
      await state.load(evm.misses)
      continue
    }
    if (traces instanceof Error) throw traces
    const calls = block.transactions.map(({ hash }) => ({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'callTracer', tracerConfig: { withLog: true } }],
    }))
    const theirs = await rpc.batch<CallFrame>(calls)
    const receipts = await rpc.batch<{ gasUsed: Hex }>(
      block.transactions.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    return traces.map((ours, index) => {
      const { hash, gas } = block.transactions[index] as NodeTransaction
      // At the root, geth gives the transaction's gas limit and receipt; anvil the gas after the
      // intrinsic part and the block's sum.
      const root = { gas, gasUsed: receipts[index]?.gasUsed ?? '0x' } as const
      return { hash, ours, theirs: { ...(theirs[index] as CallFrame), ...root } }
    })
  }
}

/** A run on incomplete state may fail in any way. */
function runAll<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error as Error
  }
}

function toEnvironment(block: NodeBlock, chainId: number): BlockEnvironment {
  return {
    chainId,
    number: BigInt(block.number),
    timestamp: BigInt(block.timestamp),
    coinbase: block.miner,
    gasLimit: BigInt(block.gasLimit),
    baseFeePerGas: BigInt(block.baseFeePerGas),
    blobBaseFee: 1n,
    prevRandao: block.mixHash,
  }
}

function toRequest(tx: NodeTransaction): TransactionRequest {
  return {
    from: tx.from,
    ...(tx.to === null ? {} : { to: tx.to }),
    value: BigInt(tx.value),
    data: tx.input,
    gasLimit: BigInt(tx.gas),
    nonce: BigInt(tx.nonce),
    ...(tx.maxFeePerGas === undefined
      ? { gasPrice: BigInt(tx.gasPrice ?? 0) }
      : { maxFeePerGas: BigInt(tx.maxFeePerGas) }),
    ...(tx.maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas) }),
    ...(tx.accessList === undefined ? {} : { accessList: tx.accessList }),
  }
}
