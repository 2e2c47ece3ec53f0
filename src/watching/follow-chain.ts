import type { Word } from '../checks/dependencies/trade-dependencies.js'
import type { Clock } from '../clock.js'
import { type Address, toQuantity } from '../hex.js'
import type { BlockHeader } from '../rpc/block-header.js'
import { isInability } from '../rpc/capabilities.js'
import { getBlock } from '../rpc/methods.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { createCountedLru } from '../scheduling/lru.js'
import { type BlockChanges, traceBlockChanges } from './read-block-changes.js'
import { alertsOf, eventsOfBlock } from './tell-changes.js'
import type { ChainPlace, Due, SeenBlock, WatchedToken, WatchStore } from './watch-store.js'
import { createWordIndex, type TokenChange, type WordIndex } from './word-index.js'

/** Reads words of storage at a block, where its changes are not told. */
export type ReadWords = (
  block: BlockHeader,
  words: readonly { address: Address; slot: bigint }[],
) => Promise<BlockChanges['words']>

export interface FollowOptions {
  chainId: number
  rpc: Pick<RpcClient, 'call'>
  store: WatchStore
  holder: string
  clock: Clock
  readWords: ReadWords
}

/** What one look at a chain came to. */
export interface Followed {
  /** This process follows the chain. */
  isHeld: boolean
  /** Blocks that were gone through. */
  blocks: number
  /** Tokens that are to be judged again. */
  due: number
}

/** Follows one chain, a look at a time. */
export interface ChainFollower {
  look(): Promise<Followed>
  /** Lets another process have the chain at once. */
  release(): Promise<void>
}

/** A process that died is replaced after this long; a living one looks many times as often. */
export const LEASE_MS = 6_000
/** Blocks that are remembered, to find where a reorganisation began. */
const REMEMBERED_BLOCKS = 64
/** Blocks that one look goes through; the next one goes on. */
const BLOCKS_AT_ONCE = 16
/** What was missed beyond this is not gone through: every token is judged again. */
const MAX_MISSED = 512n
/** Words asked for at a block of a node that does not tell changes: one request's worth. */
const WORDS_AT_ONCE = 4_000
/** What each trade changes is looked at again this often at most. */
const MOVING_MS = 6 * 3_600_000
/** Changes of a token that are told within {@link FLAPPING_MS}; what changes more often moves. */
const MAX_TOLD = 12
const FLAPPING_MS = 3_600_000
/** How far clocks of several machines may differ. */
const CLOCKS_MS = 10_000
/** The index is made anew this often, without what is not watched any more. */
const INDEX_MS = 600_000

/**
 * Looks what the blocks since the last look changed of what the verdicts on watched tokens stand
 * on. Each step is written with the alerts that it gives, so that it counts once, whichever process
 * takes it.
 */
export function createChainFollower(options: FollowOptions): ChainFollower {
  const { chainId, rpc, store, holder, clock } = options
  const known = createKnownTokens(options)
  const flapping = createFlapping()
  /** When a node that could not tell changes is asked again: another may stand there by then. */
  let traceAt = Number.NEGATIVE_INFINITY
  let turn = 0

  async function readChanges(header: BlockHeader, index: WordIndex): Promise<BlockChanges> {
    const read = async (words: readonly Word[]) => ({
      words: await options.readWords(header, words),
      codes: new Map(),
    })
    if (clock.monotonic() >= traceAt) {
      try {
        return await rpc.call(traceBlockChanges(header.hash), { suspect: 'chain', canAskLess: true })
      } catch (error) {
        // An answer that was too long or too late is that block's, which must not be lost: all its
        // words are read. Where that fails too, the next look begins with this block.
        if (!isInability(error)) return read(index.takeWords(0, index.size))
        traceAt = clock.monotonic() + INDEX_MS
      }
    }
    const words = index.takeWords(turn, WORDS_AT_ONCE)
    turn += words.length
    return read(words)
  }

  async function step(place: ChainPlace, header: BlockHeader): Promise<{ place: ChainPlace; due: number } | undefined> {
    const block = { number: header.number, hash: header.hash }
    const { index, judgementOf } = known
    const late = known.late(place.at(-1))
    const traced = await readChanges(header, index)
    const found = [
      ...index.find(traced),
      // What changed between its verdict and now was not looked for then.
      ...(late.length > 0 ? index.find({ words: await options.readWords(header, late), codes: new Map() }) : []),
    ]
    const changes = groupByToken(found)
    const now = clock.now()
    const watches = await store.listOn(chainId, [...changes.keys()], now)
    const due: Due[] = []
    const alerts = [...changes].flatMap(([token, all]) => {
      const events = eventsOfBlock(all, block, judgementOf(token))
      const isTelling = events.length > 0 && flapping.permits(token, now)
      due.push({
        address: token,
        dueAt: isTelling ? now : now + MOVING_MS,
        ...(isTelling && { changedBlock: block.number }),
      })
      return isTelling ? alertsOf(watches, token, events, now) : []
    })
    const after = [...place, block].slice(-REMEMBERED_BLOCKS)
    const isWritten = await store.advance({ chainId, holder, before: place, after, due, alerts })
    if (!isWritten) return undefined
    known.settle()
    return { place: after, due: due.length }
  }

  /** Goes back to the last block that is still the chain's; what changed since is judged again. */
  async function goBack(place: ChainPlace): Promise<ChainPlace | undefined> {
    const kept = await stillThere(rpc, place)
    const last = kept.at(-1)?.number ?? 0n
    const now = clock.now()
    const due = [...known.tokens()]
      .filter(({ changedBlock, judgement }) => changedBlock > last || (judgement?.block.number ?? 0n) > last)
      .map(({ address }) => ({ address, dueAt: now }))
    const isWritten = await store.advance({ chainId, holder, before: place, after: kept, due, alerts: [] })
    return isWritten ? kept : undefined
  }

  /** Begins at the head: everything is judged again where blocks were missed. */
  async function beginAt(place: ChainPlace, { number, hash }: SeenBlock): Promise<Followed> {
    const now = clock.now()
    const due = place.length === 0 ? [] : [...known.tokens()].map(({ address }) => ({ address, dueAt: now }))
    await store.advance({ chainId, holder, before: place, after: [{ number, hash }], due, alerts: [] })
    return { isHeld: true, blocks: 0, due: due.length }
  }

  return {
    async look() {
      let place = await store.holdChain(chainId, holder, { now: clock.now(), leaseMs: LEASE_MS })
      if (place === undefined) return { isHeld: false, blocks: 0, due: 0 }
      await known.refresh()
      const head = await rpc.call(getBlock('latest'), { suspect: 'chain' })
      const last = place.at(-1)
      if (head === undefined || head.hash === last?.hash) return { isHeld: true, blocks: 0, due: 0 }
      if (last === undefined || head.number > last.number + MAX_MISSED) return beginAt(place, head)
      let [blocks, due] = [0, 0]
      while (blocks < BLOCKS_AT_ONCE) {
        const from: SeenBlock | undefined = place.at(-1)
        if (from === undefined || from.number >= head.number) break
        const next = from.number + 1n === head.number ? head : await readBlock(rpc, from.number + 1n)
        if (next === undefined) break
        if (next.parentHash !== from.hash) {
          const back: ChainPlace | undefined = await goBack(place)
          if (back === undefined || back.length === 0) break
          place = back
          blocks += 1
          continue
        }
        const done = await step(place, next)
        if (done === undefined) break
        place = done.place
        blocks += 1
        due += done.due
      }
      if (blocks === 0 && last.number >= head.number) {
        // A head at or below ours that is another block: the chain was wound back.
        const isOther = !(await stillThere(rpc, place.slice(-1))).length
        if (isOther) await goBack(place)
      }
      return { isHeld: true, blocks, due }
    },
    release: () => store.releaseChain(chainId, holder),
  }
}

const readBlock = (rpc: FollowOptions['rpc'], number: bigint) =>
  rpc.call(getBlock(toQuantity(number)), { suspect: 'chain' })

/** The blocks up to the newest one that the node has by the same hash. */
async function stillThere(rpc: FollowOptions['rpc'], place: ChainPlace): Promise<ChainPlace> {
  for (let length = place.length; length > 0; length -= 1) {
    const block = place[length - 1]
    if (block && (await readBlock(rpc, block.number))?.hash === block.hash) return place.slice(0, length)
  }
  return []
}

function groupByToken(changes: readonly TokenChange[]): Map<Address, TokenChange[]> {
  const groups = new Map<Address, TokenChange[]>()
  for (const change of changes) groups.set(change.token, [...(groups.get(change.token) ?? []), change])
  return groups
}

/** What this process knows of the tokens of a chain: kept, and brought up to date at each look. */
function createKnownTokens({ chainId, store, clock }: Pick<FollowOptions, 'chainId' | 'store' | 'clock'>) {
  let tokens = new Map<Address, WatchedToken>()
  let index = createWordIndex()
  let since = 0
  let madeAt = Number.NEGATIVE_INFINITY
  /** Tokens that were judged since the last step. */
  let fresh: WatchedToken[] = []
  return {
    get index() {
      return index
    },
    tokens: () => tokens.values(),
    judgementOf: (token: Address) => tokens.get(token)?.judgement,
    /**
     * Words of verdicts that were made lately, at blocks that were gone through before this process
     * knew them, unless a change since has been told.
     */
    late(last: SeenBlock | undefined) {
      const late = fresh.filter(({ judgement, changedBlock }) => {
        if (!judgement || !last) return false
        const { number } = judgement.block
        return number < last.number && last.number - number <= REMEMBERED_BLOCKS && changedBlock <= number
      })
      return late.flatMap(({ dependencies }) => dependencies?.words ?? [])
    },
    /** A step was written: what was judged before it is not late any more. */
    settle() {
      fresh = []
    },
    async refresh() {
      if (clock.monotonic() - madeAt > INDEX_MS) {
        ;[tokens, index, since, madeAt] = [new Map(), createWordIndex(), 0, clock.monotonic()]
      }
      const now = clock.now()
      const newer = await store.listTokens(chainId, Math.max(0, since - CLOCKS_MS))
      since = now
      for (const token of newer) {
        if (tokens.get(token.address)?.judgedAt === token.judgedAt) continue
        tokens.set(token.address, token)
        fresh.push(token)
        index.set(token.address, token.dependencies)
      }
    },
  }
}

/** Tells tokens whose words change all the time from those that are changed by an act. */
function createFlapping() {
  const told = createCountedLru<Address, { since: number; count: number }>(MAX_FLAPPING)
  return {
    permits(token: Address, now: number): boolean {
      const known = told.get(token)
      const { since, count } = known && now - known.since < FLAPPING_MS ? known : { since: now, count: 0 }
      told.set(token, { since, count: count + 1 })
      return count < MAX_TOLD
    },
  }
}

/** Those that changed last; the others have been quiet since. */
const MAX_FLAPPING = 4_096
