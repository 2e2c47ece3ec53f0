import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import { type Address, toQuantity } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import { type RpcBudget, RpcBudgetError } from '../rpc/budget.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import { getBlock } from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { type RpcOutcome, unwrap } from '../rpc/request.js'
import type { RpcClient, RpcNode, RpcPlan } from '../rpc/rpc-client.js'
import type { Suspect } from '../rpc/suspect.js'
import { isSameBlock } from './block-identity.js'
import type { BlockState } from './block-state.js'
import { isKnown, keyOf } from './known-state.js'
import { planReads } from './plan-reads.js'
import { chunk, type ReadResult, type Wanted } from './read-plan.js'
import type { ReadSet } from './read-set.js'
import type { StateMemory } from './state-memory.js'
import type { StateMiss } from './state-reader.js'
import {
  BlockMismatchError,
  type PinnedBlock,
  StateFloodError,
  type StateSnapshot,
  StateUnavailableError,
} from './state-source.js'

export interface PinnedLoaderOptions {
  rpc: RpcClient
  chain: Chain
  /** What the analysis is of. */
  suspect: Suspect
  block: PinnedBlock
  /** The node that reported the block. */
  endpoint: number
  budget: RpcBudget
  memory: StateMemory | undefined
  /** What earlier runs read: tells which code need not be sent again. */
  readSet: ReadSet | undefined
  /** Where the values go. */
  state: BlockState
}

/** Fetches state of one block. Calls within one turn of the event loop share one HTTP request. */
export function createPinnedLoader(options: PinnedLoaderOptions): (misses: readonly StateMiss[]) => Promise<void> {
  const known = options.state.values
  const fetchAll = createFetcher(options)
  let waiting: Map<string, StateMiss> | undefined
  let flight = Promise.resolve()

  return async (misses) => {
    const missing = misses.filter((miss) => !isKnown(known, miss))
    if (missing.length === 0) return
    if (waiting === undefined) {
      const batch = new Map<string, StateMiss>()
      waiting = batch
      flight = new Promise(setImmediate).then(() => {
        waiting = undefined
        return fetchAll([...batch.values()])
      })
    }
    for (const miss of missing) waiting.set(keyOf(miss), miss)
    await flight
  }
}

/**
 * More than any honest trade reads at once: code that asks for more wants the node's work, not an
 * answer.
 */
const MAX_MISSES = 4_096
/**
 * In all loads of a job together. A trade meets some dozen, and each costs a call of its own for
 * the nonce.
 */
const MAX_ACCOUNTS = 384
/** A job that has asked for more and runs out of calls has flooded them, whatever the nodes did. */
const MANY_VALUES = 1_024
/** With the longest code each (24 KiB) the answer has 3 MB. A job has about a dozen. */
const MAX_ACCOUNTS_PER_REQUEST = 64
/** The first, one for contracts that cannot be overridden, one for code that changed. */
const MAX_ROUNDS = 3

function createFetcher(options: PinnedLoaderOptions): (misses: readonly StateMiss[]) => Promise<void> {
  const { rpc, chain, suspect, block, endpoint, memory, budget, state, readSet } = options
  const unoverridable = new Set<Address>()
  const changed = new Set<Address>()
  let askedAccounts = 0
  let askedValues = 0

  return async (misses) => {
    const accounts = misses.filter(({ kind }) => kind === 'account').length
    if (misses.length > MAX_MISSES) throw new StateFloodError(`${misses.length} values at once`)
    // What is refused is not counted: other parts of the same analysis go on reading.
    if (askedAccounts + accounts > MAX_ACCOUNTS)
      throw new StateFloodError(`${askedAccounts} accounts and ${accounts} more`)
    askedAccounts += accounts
    askedValues += misses.length
    for (const part of splitByAccounts(misses)) await fetchPart(part)
  }

  function toFailure(error: unknown): Error {
    const isOutOfCalls = error instanceof BaseError && error.find(RpcBudgetError)?.reason === 'out of calls'
    return isOutOfCalls && askedValues > MANY_VALUES
      ? new StateFloodError(`${askedValues} values`)
      : new StateUnavailableError(error)
  }

  async function fetchPart(misses: readonly StateMiss[]): Promise<void> {
    let rest = misses
    for (let round = 0; rest.length > 0 && round < MAX_ROUNDS; round += 1) {
      const wanted = toWanted(rest, { chain, readSet, memory, changed })
      const makePlan = (node: RpcNode) => planPinned(options, wanted, unoverridable, node)
      const { values, unread } = await rpc
        .run(makePlan, { suspect, budget, prefer: endpoint })
        .catch((error: unknown) => {
          throw toFailure(error)
        })
      keepValues(values, { memory, block, state })
      for (const { kind, address } of unread.filter((miss) => miss.kind !== 'blockHash')) {
        if (kind === 'storage') unoverridable.add(address)
        else changed.add(address)
      }
      rest = rest.filter((miss) => !isKnown(state.values, miss))
    }
    if (rest.length > 0) throw new StateUnavailableError(undefined, `${rest.length} values left unread`)
  }
}

/**
 * Hostile code can ask for any number of long codes; an answer that is too long would be held
 * against the node.
 */
function splitByAccounts(misses: readonly StateMiss[]): StateMiss[][] {
  const accounts = chunk(
    misses.filter(({ kind }) => kind === 'account'),
    MAX_ACCOUNTS_PER_REQUEST,
  )
  const [first = [], ...others] = accounts
  return [[...first, ...misses.filter(({ kind }) => kind !== 'account')], ...others]
}

function planPinned(
  { chain, block }: PinnedLoaderOptions,
  wanted: Wanted,
  unoverridable: ReadonlySet<Address>,
  { capabilities }: RpcNode,
): RpcPlan<ReadResult> {
  const isByHash = capabilities.blockHash
  const reads = planReads(wanted, {
    capabilities,
    unoverridable,
    mustIdentify: false,
    block: isByHash ? { blockHash: block.hash } : toQuantity(block.number),
  })
  return {
    requests: isByHash ? reads.requests : [...reads.requests, getBlock(toQuantity(block.number))],
    read(outcomes) {
      if (!isByHash) checkHeader(block, outcomes.at(-1) as RpcOutcome<BlockHeader | undefined> | undefined)
      const result = reads.read(outcomes)
      if (result.identities.every((identity) => isSameBlock(chain, block, identity))) return result
      // By hash no other block can be meant, so it is the programs that do not work here as they
      // should.
      throw isByHash ? new RpcAbilityError('stateOverride', 'ran on another block') : new BlockMismatchError()
    },
  }
}

/**
 * Without blocks by hash, the node must say after the reads that the number still means the block.
 */
function checkHeader(block: PinnedBlock, outcome: RpcOutcome<BlockHeader | undefined> | undefined): void {
  const header = outcome && unwrap(outcome)
  if (header === undefined) throw new RpcRejectedError({ method: 'eth_getBlockByNumber', kind: 'block-unknown' })
  if (header.hash !== block.hash) throw new BlockMismatchError()
}

/**
 * Each question once: callers list what every part of their job needs, and the parts share most of
 * it.
 */
export function toWanted(
  questions: readonly StateMiss[],
  {
    chain,
    readSet,
    memory,
    changed,
  }: Pick<PinnedLoaderOptions, 'chain' | 'readSet' | 'memory'> & { changed?: ReadonlySet<Address> },
): Wanted {
  const accounts = new Set<Address>()
  const slots = new Map<Address, Set<bigint>>()
  const blockHashes = new Set<bigint>()
  for (const miss of questions) {
    if (miss.kind === 'account') accounts.add(miss.address)
    else if (miss.kind === 'blockHash') blockHashes.add(miss.number)
    else {
      const keys = slots.get(miss.address)
      if (keys === undefined) slots.set(miss.address, new Set([miss.slot]))
      else keys.add(miss.slot)
    }
  }
  return {
    slots: new Map([...slots].map(([address, keys]) => [address, [...keys]])),
    blockHashes: [...blockHashes],
    accounts: [...accounts].map((address) => {
      const last = readSet?.accounts.get(address) ?? memory?.lastCode(chain.id, address)
      const remembered = changed?.has(address) ? undefined : last
      if (remembered === undefined || memory?.code(remembered.codeHash) === undefined) return { address }
      return { address, expectedCodeHash: remembered.codeHash, assumedNonce: remembered.nonce }
    }),
  }
}

/**
 * Adds what was read to the block's state, with the codes that were not sent because their hash is
 * one that is remembered.
 */
export function keepValues(
  values: StateSnapshot,
  { memory, block, state }: Pick<PinnedLoaderOptions, 'memory' | 'block' | 'state'>,
): void {
  if (memory === undefined) {
    state.add(values)
    return
  }
  for (const { codeHash } of values.accounts.values()) {
    const remembered = values.code.has(codeHash) ? undefined : memory.code(codeHash)
    if (remembered !== undefined) values.code.set(codeHash, remembered)
  }
  memory.keep(block.chainId, block.hash, values, state)
}
