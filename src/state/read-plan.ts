import type { Address, Hex } from '../hex.js'
import type { RpcOutcome, RpcRequest } from '../rpc/request.js'
import type { BlockIdentity } from './block-identity.js'
import { createSnapshot, mergeInto } from './known-state.js'
import type { AccountPrefetch } from './prefetch-accounts.js'
import type { StateMiss } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

/** What is to be read at one block. */
export interface Wanted {
  accounts: readonly WantedAccount[]
  slots: ReadonlyMap<Address, readonly bigint[]>
  blockHashes: readonly bigint[]
  /** Read besides where the node can, to spare a later request. */
  prefetch?: AccountPrefetch | undefined
}

export interface WantedAccount {
  address: Address
  /**
   * The code is probably still the one with this hash, which is at hand: the node need not send it.
   */
  expectedCodeHash?: Hex | undefined
  /** What the nonce was, where nothing that this code does can depend on it. */
  assumedNonce?: bigint | undefined
}

/** What came of a plan, or of a part of one. */
export interface ReadResult {
  values: StateSnapshot
  /** The blocks that the parts say they were computed on. */
  identities: BlockIdentity[]
  /** What could not be read in this way, although the node is in order. */
  unread: StateMiss[]
}

/** Some JSON-RPC calls, and how to read their answers. */
export interface ReadPart {
  requests: readonly RpcRequest<unknown>[]
  read(outcomes: readonly RpcOutcome<unknown>[]): Partial<ReadResult>
}

export interface JoinedParts extends ReadPart {
  read(outcomes: readonly RpcOutcome<unknown>[]): ReadResult
}

/** Puts parts side by side into one list of calls. */
export function joinParts(parts: readonly ReadPart[]): JoinedParts {
  return {
    requests: parts.flatMap(({ requests }) => requests),
    read(outcomes) {
      const result: ReadResult = { values: createSnapshot(), identities: [], unread: [] }
      let at = 0
      for (const { requests, read } of parts) {
        const { values, identities, unread } = read(outcomes.slice(at, at + requests.length))
        at += requests.length
        if (values) mergeInto(result.values, values)
        result.identities.push(...(identities ?? []))
        result.unread.push(...(unread ?? []))
      }
      return result
    },
  }
}

export function chunk<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size))
  return parts
}

export function groupSlots(pairs: Iterable<readonly [address: Address, slot: bigint]>): Map<Address, bigint[]> {
  const groups = new Map<Address, bigint[]>()
  for (const [address, slot] of pairs) {
    const group = groups.get(address)
    if (group === undefined) groups.set(address, [slot])
    else group.push(slot)
  }
  return groups
}
