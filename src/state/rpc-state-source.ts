import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { type Address, toQuantity } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import type { RpcBudget } from '../rpc/budget.js'
import { RpcAbilityError, RpcWrongChainError } from '../rpc/capabilities.js'
import { getBlock, getChainId } from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { type RpcOutcome, type RpcRequest, unwrap } from '../rpc/request.js'
import type { RpcClient, RpcNode, RpcPlan } from '../rpc/rpc-client.js'
import type { Suspect } from '../rpc/suspect.js'
import { type BlockIdentity, isSameBlock, toPinnedBlock } from './block-identity.js'
import { type BlockState, createBlockState } from './block-state.js'
import type { CallScript } from './call-script.js'
import { createSnapshot, isEqualAt, isKnown, listReads, mergeInto, pick, readerOf } from './known-state.js'
import { createPinnedLoader, keepValues, toWanted } from './pinned-loader.js'
import { planReads } from './plan-reads.js'
import type { AccountPrefetch } from './prefetch-accounts.js'
import { readByTrace } from './read-by-trace.js'
import { missesOf, type ReadSet } from './read-set.js'
import type { SharedHead, StateMemory } from './state-memory.js'
import { type StateMiss, UNKNOWN_NONCE } from './state-reader.js'
import {
  BlockNotFoundError,
  type PinnedBlock,
  type StateSnapshot,
  type StateSource,
  StateUnavailableError,
} from './state-source.js'

/** A state source over the nodes of a chain. */
export interface RpcStateSource extends StateSource {
  /**
   * What this request has cost the nodes so far. Further calls of the same request go on it too.
   */
  readonly budget: RpcBudget
  /** The node that reported the block. */
  readonly endpoint: number
}

export interface OpenStateOptions {
  rpc: RpcClient
  chain: Chain
  /** What the analysis is of: its code decides what is read. */
  suspect: Suspect
  /** For a replay; the head otherwise. */
  blockNumber?: bigint | undefined
  /** A block that is known already, in place of the head; where it is gone, the head after all. */
  at?: SharedHead | undefined
  /** Whose analysis it is for. */
  caller?: string | undefined
  /** Shared by all requests; without it each one starts from nothing. */
  memory?: StateMemory | undefined
  budget?: RpcBudget | undefined
  plan?: ReadAhead | undefined
}

/**
 * What a job is going to read, as far as its caller can tell. Fetched together with the block
 * itself, in one round trip. No member is looked at unless it is needed, so that those which take
 * work can be getters.
 */
export interface ReadAhead {
  /**
   * Names the job: what it turns out to read is remembered under this name, and fetched in place of
   * the seeds the next time.
   */
  key: string
  seeds: readonly StateMiss[]
  /** The job's calls, for nodes that can trace them and so list what they touch. */
  traces?: readonly CallScript[]
  /** What those calls may touch, for all other nodes. */
  guesses?: readonly StateMiss[]
  /** Of those nodes, what may be asked of the target besides. */
  prefetch?: AccountPrefetch
}

/**
 * Pins a block and everything that is known to be needed of it: no round trip when this block's
 * state is remembered, one in general, two when the node cannot say which block its answers are
 * from. Rejects with `StateUnavailableError`.
 *
 * @example
 * const state = await openState({ rpc, chain, memory, plan: { key: `trade:${token}`, seeds } })
 * state.account(token) // known
 * await state.load(misses) // one more round trip, whatever their number
 */
export async function openState(options: OpenStateOptions): Promise<RpcStateSource> {
  const { rpc, chain, suspect, memory, blockNumber, plan } = options
  const budget = options.budget ?? rpc.createBudget()
  const readSet = plan && (await memory?.recall(chain.id, plan.key))
  /** Of a job that was not done here before. */
  const unknown = readSet === undefined ? plan : undefined
  const reads = () => (readSet ? missesOf(readSet) : (plan?.seeds ?? []))
  let shared = blockNumber === undefined ? (options.at ?? memory?.head(chain)) : undefined
  if (shared !== undefined && !(unknown && 'traces' in unknown)) {
    const state = memory?.blockState(shared.block.hash) ?? createBlockState()
    const source = createSource({ ...options, budget }, shared, readSet, state)
    if (readSet !== undefined && state.covered.has(readSet)) return source
    const isThere = await source.readAhead([...reads(), ...(unknown?.guesses ?? [])]).then(
      () => true,
      () => false,
    )
    if (isThere && readSet !== undefined) state.covered.add(readSet)
    if (isThere) return source
    // The block may have been replaced since: the head is what the nodes say it is now.
    memory?.forgetHead(chain)
    shared = undefined
  }
  const first: FirstReadOptions = {
    ...options,
    reads: reads(),
    readSet,
    unknown,
    blockNumber: blockNumber ?? shared?.block.number,
  }
  const makePlan = (node: RpcNode) => planFirstRead(first, node)
  const { head, values, further } = await rpc
    .run(makePlan, { suspect, budget, prefer: shared?.endpoint })
    .catch((error: unknown) => {
      throw blockNumber !== undefined && isUnknownBlock(error)
        ? new BlockNotFoundError(error)
        : new StateUnavailableError(error)
    })
  if (first.blockNumber === undefined) memory?.shareHead(chain, head)
  const state = memory?.blockState(head.block.hash) ?? createBlockState()
  keepValues(values, { memory, block: head.block, state })
  const source = createSource({ ...options, budget }, head, readSet, state, listWithoutNonce(values))
  await source.readAhead([...first.reads, ...further])
  return source
}

interface OpenSource extends RpcStateSource {
  /** Loads what may be needed: what of it is not used is not remembered. */
  readAhead(reads: readonly StateMiss[]): Promise<void>
}

const listWithoutNonce = ({ accounts }: StateSnapshot): Address[] =>
  [...accounts].flatMap(([address, { nonce }]) => (nonce === UNKNOWN_NONCE ? address : []))

const isUnknownBlock = (error: unknown) =>
  error instanceof BaseError && error.find(RpcRejectedError)?.kind === 'block-unknown'

function createSource(
  { rpc, chain, suspect, memory, plan, caller, budget }: OpenStateOptions & { budget: RpcBudget },
  { block, endpoint }: SharedHead,
  readSet: ReadSet | undefined,
  state: BlockState,
  withoutNonce: readonly Address[] = [],
): OpenSource {
  // On Arbitrum BLOCKHASH goes by L1's height and has answers of its own.
  if (chain.numberSource === 'block') state.add(withBlockHashes(block))
  const load = createPinnedLoader({ rpc, chain, suspect, block, endpoint, budget, memory, readSet, state })
  const loads: (readonly StateMiss[])[] = []
  const noteUse = (reads: readonly StateMiss[]) => {
    if (plan) memory?.learn(chain.id, plan.key, reads, state.values)
  }
  const readAhead = async (reads: readonly StateMiss[]) => {
    loads.push(reads)
    await load(reads)
  }
  return {
    ...readerOf(state.values),
    block,
    caller,
    suspect,
    budget,
    endpoint,
    snapshot: () => state.values,
    log: state.log,
    asked: () => pick(state.values, [...(readSet ? missesOf(readSet) : []), ...loads.flat()]),
    readAhead,
    noteUse,
    async load(misses) {
      // Where code comes to use one nonce of those that were not read, it may use the next.
      const isNonceAsked = misses.some((miss) => miss.kind === 'account' && withoutNonce.includes(miss.address))
      const others = isNonceAsked ? withoutNonce.map((address) => ({ kind: 'account', address }) as const) : []
      await readAhead([...misses, ...others])
      noteUse(misses)
    },
  }
}

function withBlockHashes({ number, hash, parentHash }: PinnedBlock): StateSnapshot {
  const values = createSnapshot()
  values.blockHashes.set(number, hash)
  values.blockHashes.set(number - 1n, parentHash)
  return values
}

interface FirstReadOptions extends OpenStateOptions {
  reads: readonly StateMiss[]
  readSet: ReadSet | undefined
  unknown: ReadAhead | undefined
}

interface FirstRead {
  head: SharedHead
  values: StateSnapshot
  /**
   * What is needed besides: what the traces touched, or else the guesses. To be loaded where it is
   * not among the values.
   */
  further: readonly StateMiss[]
}

/**
 * The block and what is wanted of it in one go, although the block is not known yet: everything is
 * asked of the tag, and an answer that was computed on another block than the reported one is
 * dropped, to be read again by hash.
 */
function planFirstRead(options: FirstReadOptions, { id, capabilities }: RpcNode): RpcPlan<FirstRead> {
  const { rpc, chain, blockNumber, memory, reads, readSet, unknown } = options
  const block = blockNumber === undefined ? 'latest' : toQuantity(blockNumber)
  const traces = capabilities.prestateTracer ? (unknown?.traces ?? []) : []
  const guesses = traces.length > 0 ? undefined : (unknown?.guesses ?? [])
  const questions = [...reads, ...(guesses ?? [])]
  const wanted = {
    ...toWanted(capabilities.stateOverride ? questions : [], { chain, readSet, memory }),
    prefetch: traces.length > 0 ? undefined : unknown?.prefetch,
  }
  const parts = planReads(wanted, { capabilities, block, mustIdentify: true, unoverridable: new Set() })
  const traced = readByTrace(traces, block, chain, (address) => recallCode(chain, memory, address))
  const head: RpcRequest<unknown>[] = [getBlock(block), getChainId()]
  return {
    requests: [...head, ...parts.requests, ...traced.requests],
    spare: traced.requests.length > 0 ? 'prestateTracer' : undefined,
    read([blockOutcome, chainOutcome, ...outcomes]) {
      const header = readHeader(blockOutcome as RpcOutcome<BlockHeader | undefined>, blockNumber)
      if (capabilities.provableHeaders && !header.isProven)
        throw new RpcInvalidAnswerError('a block that has its hash', header)
      if (blockNumber === undefined) rpc.acceptHead(header)
      const { values, identities } = parts.read(outcomes.slice(0, parts.requests.length))
      throwIfOtherChain(chain, unwrap(chainOutcome as RpcOutcome<bigint>), identities)
      const pinned = toPinnedBlock(chain.id, header)
      const isOneBlock = identities.every((identity) => isSameBlock(chain, pinned, identity))
      const states = traced.read(outcomes.slice(parts.requests.length))
      const known = isOneBlock ? values : createSnapshot()
      for (const state of states) if (state.isOf(pinned)) addTraced(known, state.values)
      return {
        head: { block: pinned, endpoint: id },
        values: known,
        further:
          states.length > 0
            ? states.flatMap((state) => listReads(state.values)).slice(0, MAX_HINTS)
            : (guesses ?? unknown?.guesses ?? []),
      }
    },
  }
}

function recallCode(chain: Chain, memory: StateMemory | undefined, address: Address) {
  const last = memory?.lastCode(chain.id, address)
  const code = last && memory?.code(last.codeHash)
  return code && { codeHash: last.codeHash, code }
}

/**
 * More than a trade touches. Code that touches more in a trace decides what is asked for next, and
 * is not to decide how much.
 */
const MAX_HINTS = 1_024

/** Two readings of one block on one node agree, or neither is to be believed. */
function addTraced(known: StateSnapshot, traced: StateSnapshot): void {
  const conflicts = listReads(traced).filter((read) => isKnown(known, read) && !isEqualAt(known, traced, read))
  if (conflicts.length > 0) throw new RpcAbilityError('prestateTracer', 'disagrees with the state that was read')
  mergeInto(known, traced)
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
