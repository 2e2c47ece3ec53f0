import type { Chain } from '../chains/chain.js'
import { ARBOS_STATE } from '../evm/arb-fees.js'
import { L1_BLOCK } from '../evm/op-fees.js'
import { type Address, EMPTY_CODE_HASH, type Hex } from '../hex.js'
import { createByteLru, createCountedLru } from '../scheduling/lru.js'
import type { ReadNotes } from '../simulation/read-notes.js'
import type { RpcStateSource } from '../state/rpc-state-source.js'
import type { SharedHead } from '../state/state-memory.js'
import type { StateMiss } from '../state/state-reader.js'
import type { StateSource } from '../state/state-source.js'

/**
 * The block that a target is judged at: the head, or the one that it was judged at last, for as
 * long as everything that was read of it stands. What is known of that block is then known of the
 * head, and a report names the block that it was made from.
 */
export interface JudgedBlocks {
  /** Told of everything that runs on `target` read at `state`. */
  note(target: Target, state: StateSource & { endpoint?: number }, notes: ReadNotes): void
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
  /** Whether more was read at this block since a later head was asked. */
  hasNews(target: Target, hash: Hex): boolean
  /**
   * Whether all is known of the target that its block tells, and may stand at this time (seconds
   * since 1970).
   */
  isKnown(target: Target, now: number): boolean
  /**
   * Whether the target, which is asked about at one head after the other, is soon too old to stand
   * at this block. Judged at a later one meanwhile, it is taken from there once that is settled,
   * and nothing has to wait.
   */
  isDue(target: Target, hash: Hex): boolean
}

type Target = { chain: Chain; address: Address }

export interface JudgedBlocksOptions {
  maxBytes: number
  /**
   * Whether the target left a log from one block to another, both included: what was read of logs
   * may then be another thing.
   */
  hasLogs(target: Target, fromBlock: bigint, toBlock: bigint): Promise<boolean>
}

/** Seconds of the chain. Code may ask for the time, which is no word that is read. */
const MAX_AGE_SECONDS = 60n
/** So much less for some: targets that were judged together are not all judged anew together. */
const SPREAD_SECONDS = 20n
/** So long before, it is due. The slowest of our chains has its next block within. */
const DUE_SECONDS = 20n
/** Heads at which it stood: for what is asked about now and then it would be work in vain. */
const DUE_HEADS = 2
const READ_BYTES = 160
/** Blocks of targets that were noted: more than results of blocks are kept anywhere. */
const MAX_BEGUN = 10_000
/** A target of which more was read is judged anew at each block. */
const MAX_READS = 4_096

interface Judged {
  block: SharedHead
  /** By the read. */
  values: Map<string, { read: StateMiss; value: string }>
  coinsAsked: Set<Address>
  coinsPaid: Set<Address>
  isFleeting: boolean
  isSettled: boolean
  /** Seconds since 1970. */
  until: number
  /** What came of asking the last head; absent when more was read since. */
  asked?: { hash: Hex; timestamp: bigint; isUnchanged: Promise<boolean>; wasUnchanged?: boolean } | undefined
  /** Heads in place of which it was taken. */
  reuses: number
  /** The same target at a later block, until all of its checks there are done. */
  next?: Judged | undefined
}

export function createJudgedBlocks({ maxBytes, hasLogs }: JudgedBlocksOptions): JudgedBlocks {
  const judged = createByteLru<Judged>({
    maxBytes,
    sizeOf: ({ values, next }) => (values.size + (next?.values.size ?? 0)) * READ_BYTES,
  })
  const nameOf = ({ chain, address }: Target) => `${chain.id}:${address}`
  /**
   * What is shared at a block says once what it read. Where that was forgotten since, the rest is
   * not taken for all of it.
   */
  const begun = createCountedLru<string, true>(MAX_BEGUN)
  const beginAt = (name: string, block: SharedHead): Judged => {
    const isPartial = begun.get(`${name} ${block.block.hash}`) === true
    return { ...begin(block), isFleeting: isPartial }
  }

  const isUnchanged = async (known: Judged, target: Target, head: RpcStateSource): Promise<boolean> => {
    const { values, until, isFleeting } = known
    const { block } = known.block
    const age = head.block.timestamp - block.timestamp
    if (age < 0n || age > maxAgeOf(target) || head.block.timestamp >= until) return false
    if (isFleeting || values.size > MAX_READS) return false
    // On Arbitrum BLOCKHASH goes by the height of L1.
    const hasHashes = target.chain.numberSource === 'block'
    const ancestor: StateMiss[] = hasHashes ? [{ kind: 'blockHash', number: block.number }] : []
    const noted = [...values.values()]
    const [hasLeft] = await Promise.all([
      hasLogs(target, block.number + 1n, head.block.number),
      head.load([...noted.map(({ read }) => read), ...ancestor]),
    ])
    const isThere = !hasHashes || head.blockHash(block.number) === block.hash
    const valueAt = createValueAt(known, target)
    return !hasLeft && isThere && noted.every(({ read, value }) => valueAt(head, read) === value)
  }

  return {
    note(target, state, { reads, coinsAsked, coinsPaid, isFleeting }) {
      if (state.endpoint === undefined) return
      const name = nameOf(target)
      const last = judged.get(name)
      const same = [last, last?.next].find((each) => each?.block.block.hash === state.block.hash)
      const newest = last?.next ?? last
      const isLate = same === undefined && newest !== undefined && newest.block.block.number > state.block.number
      const known = same ?? beginAt(name, { block: state.block, endpoint: state.endpoint })
      begun.set(`${name} ${state.block.hash}`, true)
      // A check of an earlier block that ends late says nothing of this one.
      if (isLate) return
      if (isFleeting && !known.isFleeting) {
        known.isFleeting = true
        known.asked = undefined
      }
      // Invented people have no coins on the chain.
      const isOfChain = (address: Address) => state.account(address) !== undefined
      const asked = addAll(known.coinsAsked, coinsAsked.filter(isOfChain))
      const paid = addAll(known.coinsPaid, coinsPaid.filter(isOfChain))
      const valueAt = createValueAt(known, target)
      const read = (each: StateMiss) => {
        const value = isVolatile(each) ? undefined : valueAt(state, each)
        if (value !== undefined) known.values.set(nameOfRead(each), { read: each, value })
        return value !== undefined
      }
      const isNew = (each: StateMiss) => !known.values.has(nameOfRead(each))
      // Of an account whose coins count from now on, more is compared.
      for (const address of [...asked, ...paid]) if (known.values.has(address)) read({ kind: 'account', address })
      const more = reads.filter(isNew).filter(read)
      if (more.length + asked.length + paid.length > 0) known.asked = undefined
      const stays = last?.isSettled === true && last !== known
      if (stays) last.next = known
      judged.set(name, stays ? last : known)
    },
    settle(target, hash, until = Number.POSITIVE_INFINITY) {
      const name = nameOf(target)
      const last = judged.get(name)
      const known = [last, last?.next].find((each) => each?.block.block.hash === hash)
      if (known === undefined) return
      known.isSettled = true
      known.until = Math.min(until, known.until)
      judged.set(name, known)
    },
    async before(target, head) {
      const known = judged.get(nameOf(target))
      const { hash } = head.block
      if (known === undefined || !known.isSettled || known.block.block.hash === hash) return undefined
      const { timestamp } = head.block
      const again = known.asked?.hash === hash ? known.asked : undefined
      const asked = again ?? { hash, timestamp, isUnchanged: isUnchanged(known, target, head) }
      known.asked = asked
      const stands = await asked.isUnchanged.catch(() => false)
      if (stands) {
        if (!asked.wasUnchanged) known.reuses += 1
        asked.wasUnchanged = true
        return known.block
      }
      if (judged.get(nameOf(target)) === known) judged.delete(nameOf(target))
      return undefined
    },
    hashAt(target, head) {
      const known = judged.get(nameOf(target))
      return known?.asked?.hash === head && known.asked.wasUnchanged ? known.block.block.hash : head
    },
    hasNews(target, hash) {
      const known = judged.get(nameOf(target))
      return known?.block.block.hash === hash && known.reuses > 0 && known.asked === undefined
    },
    isKnown(target, now) {
      const known = judged.get(nameOf(target))
      if (!known?.isSettled || known.isFleeting || now >= known.until) return false
      return BigInt(Math.floor(now)) - known.block.block.timestamp <= maxAgeOf(target)
    },
    isDue(target, hash) {
      const known = judged.get(nameOf(target))
      if (known?.block.block.hash !== hash || !known.asked?.wasUnchanged || known.reuses < DUE_HEADS) return false
      return known.asked.timestamp - known.block.block.timestamp > maxAgeOf(target) - DUE_SECONDS
    },
  }
}

const begin = (block: SharedHead): Judged => ({
  block,
  values: new Map(),
  coinsAsked: new Set(),
  coinsPaid: new Set(),
  isFleeting: false,
  isSettled: false,
  until: Number.POSITIVE_INFINITY,
  reuses: 0,
})

/** Seconds for which a block of the target may stand. */
const maxAgeOf = ({ address }: Target): bigint => MAX_AGE_SECONDS - (BigInt(address) % SPREAD_SECONDS)

/** Those that were not there. */
function addAll<T>(known: Set<T>, added: readonly T[]): T[] {
  const fresh = added.filter((each) => !known.has(each))
  for (const each of fresh) known.add(each)
  return fresh
}

/** What chains write in each block by themselves; code that asks for it makes a run fleeting. */
const isVolatile = (read: StateMiss): boolean =>
  read.kind === 'blockHash' || read.address === L1_BLOCK || read.address === ARBOS_STATE

const nameOfRead = (read: StateMiss): string =>
  read.kind === 'storage' ? `${read.address}:${read.slot}` : read.kind === 'account' ? read.address : `#${read.number}`

/**
 * Reads what counts, as text; `undefined` where it is not known. Of an account that is its code,
 * and the coins and the nonce where they can decide: people's coins and nonces change with
 * everything that they do elsewhere, and those of the chain's own contracts in every block.
 */
function createValueAt(
  { coinsAsked, coinsPaid }: Pick<Judged, 'coinsAsked' | 'coinsPaid'>,
  { chain, address: target }: Target,
): (state: StateSource, read: StateMiss) => string | undefined {
  const named = addressesOf(chain)
  return (state, read) => {
    if (read.kind === 'storage') return state.storage(read.address, read.slot)?.toString(16)
    if (read.kind === 'blockHash') return state.blockHash(read.number)
    const account = state.account(read.address)
    if (account === undefined) return undefined
    const { codeHash, balance, nonce } = account
    const isNamed = named.has(read.address)
    const isContract = codeHash !== EMPTY_CODE_HASH && !isNamed
    const hasCoins = coinsAsked.has(read.address) || (!isNamed && coinsPaid.has(read.address))
    const counts = read.address === target || isContract
    return `${codeHash} ${counts ? nonce : nonce === 0n} ${counts || hasCoins ? balance : ''}`
  }
}

/** Everything that the chain's description names: coins come and go there in every block. */
function addressesOf(chain: Chain): ReadonlySet<string> {
  const known =
    namedIn.get(chain) ?? new Set(JSON.stringify(chain, withoutBigints).match(/0x[0-9a-f]{40}(?![0-9a-f])/g))
  namedIn.set(chain, known)
  return known
}

const namedIn = new WeakMap<Chain, ReadonlySet<string>>()
const withoutBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? 0 : value)
