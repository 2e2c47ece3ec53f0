import type { Chain } from '../chains/chain.js'
import { toQuantity } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import type { RpcBudget } from '../rpc/budget.js'
import { RpcWrongChainError } from '../rpc/capabilities.js'
import type { RpcClient, RpcNode, RpcPlan } from '../rpc/client.js'
import { getBlock, getChainId } from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { type RpcOutcome, unwrap } from '../rpc/request.js'
import { type BlockIdentity, isSameBlock, toPinnedBlock } from './block-identity.js'
import { createSnapshot, mergeInto, readerOf } from './known-state.js'
import { addRememberedCode, createPinnedLoader, toWanted } from './pinned-loader.js'
import { planReads } from './plan-reads.js'
import { missesOf, type ReadSet } from './read-set.js'
import type { SharedHead, StateMemory } from './state-memory.js'
import type { StateMiss } from './state-reader.js'
import { type StateSnapshot, type StateSource, StateUnavailableError } from './state-source.js'

/** A state source over the nodes of a chain. */
export interface RpcStateSource extends StateSource {
  /** What this request has cost the nodes so far. Further calls of the same request go on it too. */
  readonly budget: RpcBudget
}

export interface OpenStateOptions {
  rpc: RpcClient
  chain: Chain
  /** For a replay; the head otherwise. */
  blockNumber?: bigint | undefined
  /** Shared by all requests; without it each one starts from nothing. */
  memory?: StateMemory | undefined
  budget?: RpcBudget | undefined
  plan?: ReadAhead | undefined
}

/** What a job is going to read, as far as its caller can tell. Fetched together with the block itself, in one round trip. */
export interface ReadAhead {
  /** Names the job: what it turns out to read is remembered under this name, and fetched in place of the seeds the next time. */
  key: string
  seeds: readonly StateMiss[]
}

/**
 * Pins a block and everything that is known to be needed of it: no round trip when this block's state is remembered, one in general, two when
 * the node cannot say which block its answers are from. Rejects with `StateUnavailableError`.
 *
 * @example
 * const state = await openState({ rpc, chain, memory, plan: { key: `trade:${token}`, seeds } })
 * state.account(token) // known
 * await state.load(misses) // one more round trip, whatever their number
 */
export async function openState(options: OpenStateOptions): Promise<RpcStateSource> {
  const { rpc, chain, memory, blockNumber, plan } = options
  const budget = options.budget ?? rpc.createBudget()
  const readSet = plan && (await memory?.recall(chain.id, plan.key))
  const reads = plan === undefined ? [] : readSet ? missesOf(readSet) : plan.seeds
  const shared = blockNumber === undefined ? memory?.head(chain) : undefined
  if (shared !== undefined) {
    const source = createSource({ ...options, budget }, shared, readSet)
    const isThere = await source.load(reads).then(
      () => true,
      () => false,
    )
    if (isThere) return source
    memory?.forgetHead(chain)
  }
  const makePlan = (node: RpcNode) => planFirstRead({ ...options, reads, readSet }, node)
  const { head, values } = await rpc.run(makePlan, { budget }).catch((error: unknown) => {
    throw new StateUnavailableError(error)
  })
  if (blockNumber === undefined) memory?.shareHead(chain, head)
  addRememberedCode(values, memory)
  memory?.keep(head.block.hash, values)
  const source = createSource({ ...options, budget }, head, readSet, values)
  await source.load(reads)
  return source
}

function createSource(
  { rpc, chain, memory, plan, budget }: OpenStateOptions & { budget: RpcBudget },
  { block, endpoint }: SharedHead,
  readSet: ReadSet | undefined,
  values?: StateSnapshot,
): RpcStateSource {
  const known = createSnapshot()
  if (values) mergeInto(known, values)
  // On Arbitrum BLOCKHASH goes by L1's height and has answers of its own.
  if (chain.numberSource === 'block') {
    known.blockHashes.set(block.number, block.hash)
    known.blockHashes.set(block.number - 1n, block.parentHash)
  }
  const load = createPinnedLoader({ rpc, chain, block, endpoint, budget, memory, readSet, known })
  return {
    ...readerOf(known),
    block,
    budget,
    snapshot: () => known,
    async load(misses) {
      await load(misses)
      if (plan) memory?.learn(chain.id, plan.key, misses, known)
    },
  }
}

interface FirstRead {
  head: SharedHead
  values: StateSnapshot
}

/**
 * The block and what is wanted of it in one go, although the block is not known yet: everything is asked of the tag, and an answer that was
 * computed on another block than the reported one is dropped, to be read again by hash.
 */
function planFirstRead(
  {
    rpc,
    chain,
    blockNumber,
    memory,
    reads,
    readSet,
  }: OpenStateOptions & { reads: readonly StateMiss[]; readSet: ReadSet | undefined },
  { id, capabilities }: RpcNode,
): RpcPlan<FirstRead> {
  const block = blockNumber === undefined ? 'latest' : toQuantity(blockNumber)
  const wanted = toWanted(capabilities.stateOverride ? reads : [], { readSet, memory })
  const parts = planReads(wanted, { capabilities, block, mustIdentify: true, unoverridable: new Set() })
  return {
    requests: [getBlock(block), getChainId(), ...parts.requests],
    read([blockOutcome, chainOutcome, ...outcomes]) {
      const header = readHeader(blockOutcome as RpcOutcome<BlockHeader | undefined>, blockNumber)
      if (blockNumber === undefined) rpc.acceptHead(header)
      const { values, identities } = parts.read(outcomes)
      throwIfOtherChain(chain, unwrap(chainOutcome as RpcOutcome<bigint>), identities)
      const head = { block: toPinnedBlock(chain.id, header), endpoint: id }
      const isOneBlock = identities.every((identity) => isSameBlock(chain, head.block, identity))
      return { head, values: isOneBlock ? values : createSnapshot() }
    },
  }
}

function readHeader(outcome: RpcOutcome<BlockHeader | undefined>, blockNumber: bigint | undefined): BlockHeader {
  const header = unwrap(outcome)
  if (header === undefined) throw new RpcRejectedError({ method: 'eth_getBlockByNumber', kind: 'block-unknown' })
  if (blockNumber !== undefined && header.number !== blockNumber) {
    throw new RpcInvalidAnswerError(`block ${blockNumber}`, toQuantity(header.number))
  }
  return header
}

function throwIfOtherChain(chain: Chain, chainId: bigint, identities: readonly BlockIdentity[]): void {
  const other = [chainId, ...identities.map((identity) => identity.chainId)].find((id) => id !== BigInt(chain.id))
  if (other !== undefined) throw new RpcWrongChainError(chain.id, other)
}
