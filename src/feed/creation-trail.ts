import { unwrap } from '../rpc/request.js'
import { createCountedLru } from '../scheduling/lru.js'
import { CREATION_ACCOUNTS } from '../solana/pools/new-pools.js'
import { getSignaturesForAddress } from '../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import { getMadeAccounts, type MadeAccounts } from '../solana/rpc/transaction-methods.js'
import { takeInTurns } from './choose-listings.js'
import { type CreationSource, MAX_TRANSACTIONS } from './creation-source.js'
import type { MarketRange } from './market-source.js'

/** A transaction that names an account which only makers of pools name. */
interface TrailEntry {
  signature: string
  slot: bigint
  /** The exchange whose account it names. */
  source: string
}

/** What nodes give at most. */
const MAX_SIGNATURES = 1_000
/**
 * Slots before the range that are looked at once more, a minute: what a slot's transactions came to
 * is written down after the slot itself, and later where a node is busy.
 */
const OVERLAP = 150n
/** Transactions that are not looked into twice. */
const MAX_SETTLED = 8_192

/** The trail of those who make pools, as one node tells it. */
export function createCreationTrail(rpc: Pick<SolanaRpc, 'batch'>): CreationSource {
  const settled = createCountedLru<string, true>(MAX_SETTLED)
  /** Told of by a node that had not got them: asked for again as long as the overlap lasts. */
  let open: readonly TrailEntry[] = []
  /** Looked into up to a slot; whether that was written shows where the next look begins. */
  let looked: { done: readonly TrailEntry[]; open: readonly TrailEntry[]; last: bigint } | undefined
  /** Of each account a transaction that is too old to be asked for again. */
  const before = new Map<string, string>()

  /** A step that was written need not be taken again. */
  function settle(from: bigint): void {
    if (looked && from > looked.last) {
      for (const entry of looked.done) settled.set(nameOf(entry), true)
      open = looked.open
    }
    looked = undefined
    // What was undone is listed again, where it came again.
    open = open.filter(({ slot }) => slot < from)
  }

  /** Transactions that were not looked into yet, oldest first. */
  async function list({ from, last, since }: MarketRange) {
    settle(from)
    const first = from - OVERLAP > since ? from - OVERLAP : since
    // A node that has not come to the end of the range would leave it out without a word.
    const requests = CREATION_ACCOUNTS.map(({ address }) =>
      getSignaturesForAddress(address, MAX_SIGNATURES, { until: before.get(address), minSlot: last.number }),
    )
    const answers = await rpc.batch(requests, { suspect: 'chain' })
    const fresh = new Map(open.map((entry) => [entry.signature, entry]))
    let isCut = false
    for (const [i, { name, address }] of CREATION_ACCOUNTS.entries()) {
      const answer = answers[i]
      const records = answer === undefined ? [] : unwrap(answer)
      isCut ||= records.length >= MAX_SIGNATURES && records.every(({ slot }) => slot >= first)
      const old = records.find(({ slot }) => slot < first)
      if (old !== undefined) before.set(address, old.signature)
      for (const { signature, slot, failed } of records)
        if (slot >= first && slot <= last.number && !failed && settled.get(nameOf({ signature, slot })) === undefined)
          fresh.set(signature, { signature, slot, source: name })
    }
    return { fresh: [...fresh.values()].toSorted((a, b) => Number(a.slot - b.slot)), isCut, first }
  }

  async function readTransactions(signatures: readonly string[]): Promise<(MadeAccounts | undefined)[]> {
    if (signatures.length === 0) return []
    const asked = signatures.map((signature) => ({ ...getMadeAccounts(signature), optional: true }))
    const answers = await rpc.batch(asked, { suspect: 'chain' })
    return answers.map((answer) => (answer.ok ? answer.value : undefined))
  }

  return {
    reach: async (_, head) => head,
    async read(range) {
      const { fresh, isCut, first } = await list(range)
      const asked = takeInTurns(fresh, ({ source }) => source).slice(0, MAX_TRANSACTIONS)
      const answers = await readTransactions(asked.map(({ signature }) => signature))
      const found = asked.map(({ signature, slot }, i) => {
        const answer = answers[i]
        return answer?.signature === signature && answer.slot === slot ? answer : undefined
      })
      const unknown = asked.filter((_, i) => found[i] === undefined)
      const stillOpen = unknown.filter(({ slot }) => slot >= first)
      looked = { done: fresh.filter((entry) => !stillOpen.includes(entry)), open: stillOpen, last: range.last.number }
      const givenUp = unknown.length - stillOpen.length
      return {
        made: found.filter((each) => each !== undefined),
        leftOut: isCut ? undefined : fresh.length - asked.length + givenUp,
      }
    },
  }
}

/** A transaction that is undone may come again, in another slot. */
const nameOf = ({ signature, slot }: Pick<TrailEntry, 'signature' | 'slot'>) => `${signature} ${slot}`
