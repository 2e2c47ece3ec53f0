import type { Word } from '../checks/dependencies/trade-dependencies.js'
import type { Clock } from '../clock.js'
import { isInability } from '../rpc/capabilities.js'
import { createCountedLru } from '../scheduling/lru.js'
import type { TokenAddress } from '../solana/token-address.js'
import { createFlapping } from './flapping.js'
import { type FollowedChain, type LinkedBlock, REMEMBERED_BLOCKS, stillThere } from './followed-chain.js'
import { createKnownTokens } from './known-tokens.js'
import type { PendingLooks } from './pending-transactions.js'
import { createRecentChanges } from './recent-changes.js'
import { alertsOf, type Event, eventOfPending, eventsOfBlock } from './tell-changes.js'
import type { Alert } from './watch.js'
import { aheadOf, type ChainPlace, type Due, type SeenBlock, type WatchStore } from './watch-store.js'
import type { TokenChange, WordIndex } from './word-index.js'

export interface FollowOptions {
  chainId: number
  chain: FollowedChain
  store: WatchStore
  holder: string
  clock: Clock
  /** Absent where transactions that wait are not looked at. */
  pending?: PendingLooks | undefined
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
  /** Renews the lease while a look goes on, unless its step takes {@link LONGEST_STEP_MS}. */
  keep(): Promise<void>
  /** Lets another process have the chain at once. */
  release(): Promise<void>
}

/** A process that died is replaced after this long; a living one looks many times as often. */
export const LEASE_MS = 6_000
/** A step that hangs for so long is another process's to try. */
export const LONGEST_STEP_MS = 60_000
/** Blocks that one look goes through; the next one goes on. */
const BLOCKS_AT_ONCE = 16
/** What each trade changes is looked at again this often at most. */
const MOVING_MS = 6 * 3_600_000
/** What decides, and changes more often than is told, is looked at again this often at most. */
export const FLAPPING_AGAIN_MS = 600_000
/** More than wait at a time; what is told twice is one alert all the same. */
const MAX_TOLD_PENDING = 4_096
/** A node that cannot do something is asked again then: another may stand there. */
const ASK_AGAIN_MS = 600_000

/**
 * Looks what the blocks since the last look changed of what the verdicts on watched tokens stand
 * on. Each step is written with the alerts that it gives, so that it counts once, whichever process
 * takes it.
 */
export function createChainFollower(options: FollowOptions): ChainFollower {
  const { chainId, chain, store, holder, clock } = options
  const known = createKnownTokens(options)
  const flapping = createFlapping()
  const pendingFlapping = createFlapping()
  const toldPending = createCountedLru<string, true>(MAX_TOLD_PENDING)
  const recent = createRecentChanges()
  /** When a node that could not tell changes is asked again: another may stand there by then. */
  let traceAt = Number.NEGATIVE_INFINITY
  /** When the step began that goes on; absent between looks. */
  let steppedAt: number | undefined
  let reachedAt: number | undefined

  /** All that a block changed where the node tells it, and words in turn where it does not. */
  async function findChanges(header: SeenBlock, index: WordIndex): Promise<TokenChange[]> {
    if (chain.readChanges === undefined) recent.add(header, undefined)
    else if (clock.monotonic() >= traceAt) {
      try {
        const changes = await chain.readChanges(header)
        recent.add(header, changes)
        return index.find(changes)
      } catch (error) {
        recent.add(header, undefined)
        // An answer that was too long or too late is that block's, which must not be lost: all its
        // words are read. Where that fails too, the next look begins with this block.
        if (!isInability(error)) return findRead(header, index.allWords())
        traceAt = clock.monotonic() + ASK_AGAIN_MS
      }
    }
    return findRead(header, index.takeWords(chain.wordsAtOnce))
  }

  /** What is read at a block says nothing of a verdict that was made later. */
  async function findRead(header: SeenBlock, words: readonly Word[]): Promise<TokenChange[]> {
    if (words.length === 0) return []
    const changes = { words: await chain.readWords(header, words), codes: new Map() }
    const { index, judgementOf } = known
    return index.find(changes).filter(({ token }) => (judgementOf(token)?.block.number ?? 0n) <= header.number)
  }

  /** What changed of tokens between their verdicts and now, which was not looked for then. */
  async function findLate(header: SeenBlock, last: SeenBlock | undefined) {
    const { index } = known
    const late = last === undefined ? [] : known.late(last)
    const unseen = late.filter(({ judgedBlock }) => last && !recent.reachesFrom(judgedBlock, last))
    const judgedAt = new Map(
      late.filter((each) => !unseen.includes(each)).map((each) => [each.address, each.judgedBlock]),
    )
    const seen: BlockOfChanges[] = (judgedAt.size === 0 ? [] : recent.all(index.accounts.places.has)).map(
      ({ block, changes }) => ({
        block,
        changes: index.find(changes).filter(({ token }) => (judgedAt.get(token) ?? block.number) < block.number),
      }),
    )
    // Which block changed these is not known: they are told with the one that they are read at.
    const words = unseen.flatMap(({ words }) => words)
    return { seen, unknown: await findRead(header, words) }
  }

  async function step(place: ChainPlace, header: SeenBlock): Promise<{ place: ChainPlace; due: number } | undefined> {
    const block = { number: header.number, hash: header.hash }
    const late = await findLate(header, place.at(-1))
    const found = [...late.seen, { block, changes: [...late.unknown, ...(await findChanges(header, known.index))] }]
    const after = [...place, block].slice(-REMEMBERED_BLOCKS)
    const due = await tell(found, { before: place, after })
    return due === undefined ? undefined : { place: after, due }
  }

  /**
   * A verdict that was made while the newest block came, or before the first look, does not wait
   * for the next block to be compared with this one.
   */
  async function tellLate(place: ChainPlace): Promise<void> {
    const block = place.at(-1)
    if (block === undefined || known.late(block).length === 0) return
    const { seen, unknown } = await findLate(block, block)
    await tell([...seen, { block, changes: unknown }], { before: place, after: place })
  }

  /** Writes what was found with the alerts that it gives: how many tokens are due, once written. */
  async function tell(found: readonly BlockOfChanges[], places: { before: ChainPlace; after: ChainPlace }) {
    const { judgementOf } = known
    const now = clock.now()
    const tokens = new Set(found.flatMap(({ changes }) => changes.map(({ token }) => token)))
    const watches = await store.listOn(chainId, [...tokens], now)
    const due: Due[] = []
    const alerts: Alert[] = []
    for (const { block, changes } of found)
      for (const [token, all] of groupByToken(changes)) {
        const events = eventsOfBlock(all, block, judgementOf(token))
        const told = permitted(token, events, now)
        const isActed = events.length > 0
        const laterMs = isActed ? FLAPPING_AGAIN_MS : MOVING_MS
        const dueAt = told.length > 0 ? aheadOf(now) : now + laterMs
        due.push({ address: token, dueAt, ...(isActed && { changedBlock: block.number }) })
        alerts.push(...alertsOf(watches, token, told, now))
      }
    if (!(await store.advance({ chainId, holder, ...places, due, alerts }))) return undefined
    known.settle()
    steppedAt = clock.monotonic()
    return due.length
  }

  /** The last one of the hour says so, that silence is not taken for peace. */
  const permitted = (token: TokenAddress, events: readonly Event[], now: number) =>
    events.flatMap((event) => {
      const permission = flapping.permits(token, event.kind, now)
      if (permission === 'no') return []
      return [permission === 'last' ? { ...event, text: `${event.text} ${LAST_OF_HOUR}` } : event]
    })

  /** Goes back to the last block that is still the chain's; what changed since is judged again. */
  async function goBack(place: ChainPlace): Promise<ChainPlace | undefined> {
    const kept = await stillThere(chain, place)
    const last = kept.at(-1)?.number ?? 0n
    const now = clock.now()
    const due = [...known.tokens()]
      .filter(({ judgement }) => (judgement?.block.number ?? 0n) > last)
      .map(({ address }) => ({ address, dueAt: now }))
    const undone = { beyond: last, dueAt: now }
    const isWritten = await store.advance({ chainId, holder, before: place, after: kept, due, undone, alerts: [] })
    return isWritten ? kept : undefined
  }

  /** Begins at the head: everything is judged again where blocks were missed. */
  async function beginAt(place: ChainPlace, { number, hash }: SeenBlock) {
    const now = clock.now()
    const all = place.length === 0 ? {} : { allDueAt: now }
    const after = [{ number, hash }]
    const isWritten = await store.advance({ chainId, holder, before: place, after, due: [], ...all, alerts: [] })
    const due = place.length === 0 ? 0 : [...known.tokens()].length
    return { place: isWritten ? after : place, followed: { isHeld: true, blocks: 0, due } }
  }

  /** Goes through the blocks up to `head`, some at a time. */
  async function goThrough(before: ChainPlace, head: LinkedBlock): Promise<{ place: ChainPlace; followed: Followed }> {
    let place = before
    const last = place.at(-1)
    if (last === undefined || head.number > last.number + chain.maxMissed) return beginAt(place, head)
    let [blocks, due] = [0, 0]
    while (blocks < BLOCKS_AT_ONCE) {
      const from: SeenBlock | undefined = place.at(-1)
      if (from === undefined || from.number >= head.number) break
      const next = await chain.next(from, head)
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
    if (blocks === 0 && last.number >= head.number && last.hash !== head.hash) {
      // A head at or below ours that is another block: the chain was wound back.
      const isOther = !(await stillThere(chain, place.slice(-1))).length
      if (isOther) await goBack(place)
    }
    return { place, followed: { isHeld: true, blocks, due } }
  }

  /** Tells what transactions that wait would change, once all blocks were gone through. */
  async function tellPending(place: ChainPlace): Promise<void> {
    const block = place.at(-1)
    if (block === undefined || !options.pending) return
    const { index, judgementOf } = known
    const now = clock.now()
    const alerts: Alert[] = []
    for (const { transaction, changes } of await options.pending.look(index.accounts, block.number))
      for (const [token, all] of groupByToken(index.find(changes))) {
        const event = eventOfPending(all, { block, transaction }, judgementOf(token))
        const key = `${token} ${transaction}`
        if (event === undefined || toldPending.get(key)) continue
        if (pendingFlapping.permits(token, event.kind, now) === 'no') continue
        toldPending.set(key, true)
        alerts.push(...alertsOf(await store.listOn(chainId, [token], now), token, [event], now))
      }
    if (alerts.length > 0) await store.advance({ chainId, holder, before: place, after: place, due: [], alerts })
  }

  return {
    async look() {
      const held = await store.holdChain(chainId, holder, { now: clock.now(), leaseMs: LEASE_MS, reachedAt })
      if (held === undefined) return { isHeld: false, blocks: 0, due: 0 }
      steppedAt = clock.monotonic()
      try {
        await known.refresh()
        const head = await chain.newest()
        if (head === undefined) return { isHeld: true, blocks: 0, due: 0 }
        const { place, followed } = await goThrough(held, head)
        if (place.at(-1)?.hash === head.hash) {
          await tellLate(place)
          // Only now: a chain is not said to be seen while verdicts wait to be compared with it.
          reachedAt = clock.now()
          await tellPending(place)
        }
        return followed
      } finally {
        steppedAt = undefined
      }
    },
    async keep() {
      if (steppedAt === undefined || clock.monotonic() - steppedAt > LONGEST_STEP_MS) return
      await store.holdChain(chainId, holder, { now: clock.now(), leaseMs: LEASE_MS })
    },
    release: () => store.releaseChain(chainId, holder),
  }
}

const LAST_OF_HOUR =
  'It changes so often that more of this kind is not told for an hour, and only its verdict is made again.'

/** What one block changed of watched tokens. */
interface BlockOfChanges {
  block: SeenBlock
  changes: TokenChange[]
}

function groupByToken(changes: readonly TokenChange[]): Map<TokenAddress, TokenChange[]> {
  const groups = new Map<TokenAddress, TokenChange[]>()
  for (const change of changes) groups.set(change.token, [...(groups.get(change.token) ?? []), change])
  return groups
}
