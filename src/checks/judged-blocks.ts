import type { Chain } from '../chains/chain.js'
import { ARBOS_STATE } from '../evm/arb-fees.js'
import { L1_BLOCK } from '../evm/op-fees.js'
import type { Address, Hex } from '../hex.js'
import { createByteLru } from '../scheduling/lru.js'
import type { RpcStateSource } from '../state/rpc-state-source.js'
import type { SharedHead } from '../state/state-memory.js'
import type { Account, StateMiss } from '../state/state-reader.js'
import type { StateSource } from '../state/state-source.js'

/**
 * The block that a target is judged at: the head, or the one that it was judged at last, for as
 * long as everything that was read of it stands. What is known of that block is then known of the
 * head, and a report names the block that it was made from.
 */
export interface JudgedBlocks {
  /** Told of everything that runs on `target` read at `state`. */
  note(target: Target, state: StateSource & { endpoint?: number }, reads: readonly StateMiss[]): void
  /**
   * All checks of the target at this block are done, and would come to the same again, until the
   * time that they named (seconds since 1970).
   */
  settle(target: Target, hash: Hex, until?: number): void
  /**
   * The block in place of `head`, which is asked for what was read there; `undefined` where that is
   * too old, gone, or has changed since.
   */
  before(target: Target, head: RpcStateSource): Promise<SharedHead | undefined>
  /** The hash of that block, where `head` was found to change nothing. */
  hashAt(target: Target, head: Hex): Hex
}

type Target = { chain: Chain; address: Address }

/**
 * Seconds of the chain. Time itself may change an answer, and so may logs: neither is a word that
 * is read.
 */
const MAX_AGE_SECONDS = 60n
/** Some 200 targets, each with some thousand words. */
const MAX_BYTES = 32 * 1024 * 1024
const READ_BYTES = 160
/** A target of which more was read is judged anew at each block. */
const MAX_READS = 4_096

interface Judged {
  block: SharedHead
  /** By the read; an account's is its balance, nonce and code. */
  values: Map<string, { read: StateMiss; value: string }>
  isSettled: boolean
  /** Seconds since 1970. */
  until?: number | undefined
  /** What came of asking the last head. */
  asked?: { hash: Hex; isUnchanged: Promise<boolean>; wasUnchanged?: boolean } | undefined
}

export function createJudgedBlocks({ maxBytes = MAX_BYTES } = {}): JudgedBlocks {
  const judged = createByteLru<Judged>({ maxBytes, sizeOf: ({ values }) => values.size * READ_BYTES })
  const nameOf = ({ chain, address }: Target) => `${chain.id}:${address}`

  const isUnchanged = async (known: Judged, { chain }: Target, head: RpcStateSource): Promise<boolean> => {
    const {
      values,
      block: { block },
      until = Number.POSITIVE_INFINITY,
    } = known
    const age = head.block.timestamp - block.timestamp
    if (age < 0n || age > MAX_AGE_SECONDS || head.block.timestamp >= until || values.size > MAX_READS) return false
    // On Arbitrum BLOCKHASH goes by the height of L1.
    const hasHashes = chain.numberSource === 'block'
    const ancestor: StateMiss[] = hasHashes ? [{ kind: 'blockHash', number: block.number }] : []
    const noted = [...values.values()]
    await head.load([...noted.map(({ read }) => read), ...ancestor])
    const isThere = !hasHashes || head.blockHash(block.number) === block.hash
    return isThere && noted.every(({ read, value }) => valueAt(chain, head, read) === value)
  }

  return {
    note(target, state, reads) {
      if (state.endpoint === undefined) return
      const name = nameOf(target)
      const last = judged.get(name)
      const isSame = last?.block.block.hash === state.block.hash
      // A check of an earlier block that ends late says nothing of this one.
      if (last && !isSame && last.block.block.number > state.block.number) return
      const block = { block: state.block, endpoint: state.endpoint }
      const known: Judged = isSame ? last : { block, values: new Map(), isSettled: false }
      for (const read of reads) {
        const place = nameOfRead(read)
        const value = isVolatile(read) || known.values.has(place) ? undefined : valueAt(target.chain, state, read)
        if (value === undefined) continue
        known.values.set(place, { read, value })
        known.asked = undefined
      }
      judged.set(name, known)
    },
    settle(target, hash, until) {
      const known = judged.get(nameOf(target))
      if (known?.block.block.hash !== hash) return
      known.isSettled = true
      known.until = Math.min(until ?? Number.POSITIVE_INFINITY, known.until ?? Number.POSITIVE_INFINITY)
    },
    async before(target, head) {
      const known = judged.get(nameOf(target))
      const { hash } = head.block
      if (known === undefined || !known.isSettled || known.block.block.hash === hash) return undefined
      const asked = known.asked?.hash === hash ? known.asked : { hash, isUnchanged: isUnchanged(known, target, head) }
      known.asked = asked
      const stands = await asked.isUnchanged.catch(() => false)
      asked.wasUnchanged = stands
      if (!stands && judged.get(nameOf(target)) === known) judged.delete(nameOf(target))
      return stands ? known.block : undefined
    },
    hashAt(target, head) {
      const known = judged.get(nameOf(target))
      return known?.asked?.hash === head && known.asked.wasUnchanged ? known.block.block.hash : head
    },
  }
}

/** What chains write in each block by themselves, which no token is judged by. */
const isVolatile = (read: StateMiss): boolean =>
  read.kind === 'blockHash' || read.address === L1_BLOCK || read.address === ARBOS_STATE

const nameOfRead = (read: StateMiss): string =>
  read.kind === 'storage' ? `${read.address}:${read.slot}` : read.kind === 'account' ? read.address : `#${read.number}`

function valueAt(chain: Chain, state: StateSource, read: StateMiss): string | undefined {
  if (read.kind === 'storage') return state.storage(read.address, read.slot)?.toString(16)
  if (read.kind === 'blockHash') return state.blockHash(read.number)
  const account = state.account(read.address)
  return account && (addressesOf(chain).has(read.address) ? account.codeHash : textOf(account))
}

const textOf = ({ balance, nonce, codeHash }: Account) => `${balance} ${nonce} ${codeHash}`

/** Everything that the chain's description names: coins come and go there in every block. */
function addressesOf(chain: Chain): ReadonlySet<string> {
  const known = named.get(chain) ?? new Set(JSON.stringify(chain, withoutBigints).match(/0x[0-9a-f]{40}(?![0-9a-f])/g))
  named.set(chain, known)
  return known
}

const named = new WeakMap<Chain, ReadonlySet<string>>()
const withoutBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? 0 : value)
