import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { type Hex, toQuantity } from '../hex.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import type { RpcRequest } from '../rpc/request.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { createWitness, type Witness } from '../state/witness.js'
import { followAncestors, getExecutionWitness, parseProvenHeader, type WitnessHeader } from './execution-witness.js'
import type { Block } from './mined-block.js'
import { getL1Fees, getMinedBlock, getOmmer, type NodeBlock } from './parse-mined-block.js'

/**
 * A block with its witness from a node that has `debug_executionWitness`. The header is proven by
 * its hash, the state before it by the parent's. Rejects with {@link NoWitnessError}.
 */
export async function readFromNode(
  rpc: RpcClient,
  chain: Chain,
  number: bigint,
): Promise<{ block: Block; witness: Witness }> {
  const height = toQuantity(number)
  const budget = rpc.createBudget({ deadlineMs: DEADLINE_MS })
  const ask = <T>(request: RpcRequest<T>) => rpc.call(request, { suspect: 'chain', budget })
  const found = await ask(getMinedBlock(chain, height))
  if (found === undefined || found.header.number !== number) throw new NoWitnessError(`The node has no block ${number}`)
  const { nodes, codes, headers } = await ask(getExecutionWitness(height)).catch(explain)
  const parent = headers.some(({ hash }) => hash === found.header.parentHash)
    ? []
    : [await ask(getParent(toQuantity(number - 1n)))]
  const { stateRoot, blockHashes } = followAncestors(found.header, [...headers, ...parent])
  if (stateRoot === undefined) throw new NoWitnessError('The node does not give the header of the parent')
  const transactions = chain.stack === 'op' ? withL1Fees(found, await ask(getL1Fees(height))) : found.transactions
  const ommers = []
  for (let index = 0; index < found.ommers; index += 1) ommers.push(await ask(getOmmer(height, toQuantity(index))))
  return {
    block: { chain, header: found.header, transactions, withdrawals: found.withdrawals, ommers },
    witness: createWitness({ stateRoot, nodes, codes, blockHashes }),
  }
}

/** A node makes a witness by executing the block; of an old one, after it has found its state. */
const DEADLINE_MS = 300_000

const getParent = (block: Hex): RpcRequest<WitnessHeader> => ({
  method: 'eth_getBlockByNumber',
  params: [block, false],
  parse: parseProvenHeader,
})

function withL1Fees({ transactions }: NodeBlock, fees: readonly bigint[]): Block['transactions'] {
  if (fees.length !== transactions.length) throw new RpcInvalidAnswerError(`${transactions.length} receipts`, fees)
  return transactions.map((each, i) => ('request' in each ? { ...each, l1Fee: fees[i] ?? 0n } : each))
}

function explain(error: unknown): never {
  const isLacking = error instanceof BaseError && error.find(RpcRejectedError)?.kind === 'unsupported'
  throw isLacking
    ? new NoWitnessError(
        'The node does not have debug_executionWitness; geth and reth do, with their debug methods on',
        error,
      )
    : error
}

/** The node cannot give what a replay needs. */
export class NoWitnessError extends BaseError {
  override readonly name = 'NoWitnessError'
  constructor(message: string, cause?: unknown) {
    super(message, { cause, docs: 'docs/real-chain.md' })
  }
}
