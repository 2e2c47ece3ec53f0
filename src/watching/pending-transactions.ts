import type { Clock } from '../clock.js'
import { type Address, type Hex, toQuantity } from '../hex.js'
import { isInability } from '../rpc/capabilities.js'
import {
  parseAddress,
  parseData,
  parseHash,
  parseList,
  parseObject,
  parseOptional,
  parseQuantity,
} from '../rpc/parse.js'
import type { RpcRequest } from '../rpc/request.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import { createByteLru } from '../scheduling/lru.js'
import { type BlockChanges, traceCallChanges } from './read-block-changes.js'
import type { WatchedAccounts } from './word-index.js'

/** A transaction that a node knows of and no block has. */
export interface PendingTransaction {
  hash: Hex
  from: Address
  /** Absent where it creates a contract. */
  to: Address | undefined
  /** Wei. */
  value: bigint
  data: Hex
  gas: bigint
}

/** What a transaction would change if it were the next one. */
export interface PendingChanges {
  transaction: Hex
  changes: BlockChanges
}

/** Looks what transactions that wait would change. */
export interface PendingLooks {
  /**
   * Of those alone that one of these accounts sends or is sent, as the first after the newest
   * block, whose number is `head`. Each is played once, and told as long as it waits. Those of
   * holders come first: a flood of others must not keep theirs waiting.
   */
  look(accounts: WatchedAccounts, head: bigint): Promise<PendingChanges[]>
}

export interface PendingLooksOptions {
  rpc: Pick<RpcClient, 'call'>
  clock: Pick<Clock, 'monotonic'>
}

/** More than the gas of any block pays for. */
const MAX_TRANSACTIONS = 100_000
/** Played in one look: each is a request. Later ones wait for the next look. */
const MAX_PLAYED = 16
/** What played transactions change, together. */
const MAX_REMEMBERED_BYTES = 8 * 1024 * 1024
const WORD_BYTES = 200
/** A node that tells of none is asked again then: another may stand there. */
const ASK_AGAIN_MS = 600_000

/** Of the block that a node would make now; geth and anvil put what waits into it. */
const getPendingBlock = (): RpcRequest<PendingBlock> => ({
  method: 'eth_getBlockByNumber',
  params: ['pending', true],
  parse(value) {
    if (value === null) return { number: undefined, transactions: [] }
    const { number, transactions } = parseObject(value)
    return {
      number: number === null ? undefined : parseQuantity(number),
      transactions: parseList(transactions, parseTransaction, MAX_TRANSACTIONS),
    }
  },
})

interface PendingBlock {
  number: bigint | undefined
  transactions: PendingTransaction[]
}

function parseTransaction(value: unknown): PendingTransaction {
  const { hash, from, to, value: wei, input, gas } = parseObject(value)
  return {
    hash: parseHash(hash),
    from: parseAddress(from),
    to: parseOptional(to, parseAddress),
    value: parseQuantity(wei),
    data: parseData(input),
    gas: parseQuantity(gas),
  }
}

export function createPendingLooks({ rpc, clock }: PendingLooksOptions): PendingLooks {
  const played = createByteLru<PendingChanges>({ maxBytes: MAX_REMEMBERED_BYTES, sizeOf })
  let askAt = Number.NEGATIVE_INFINITY

  /** Nothing where the contract that it goes to makes the answer late, or too long. */
  async function play({ hash, from, to, value, data, gas }: PendingTransaction): Promise<void> {
    const call = { from, ...(to !== undefined && { to }), value: toQuantity(value), data, gas: toQuantity(gas) }
    try {
      const changes = await rpc.call(traceCallChanges(call, hash), { suspect: to ?? 'chain', canAskLess: true })
      played.set(hash, { transaction: hash, changes })
    } catch (error) {
      if (isInability(error)) throw error
      played.set(hash, { transaction: hash, changes: { words: new Map(), codes: new Map() } })
    }
  }

  return {
    async look({ places, holders }, head) {
      if (places.size + holders.size === 0 || clock.monotonic() < askAt) return []
      try {
        const { number, transactions } = await rpc.call(getPendingBlock(), { suspect: 'chain', canAskLess: true })
        // Some nodes answer with the newest block instead.
        if (number !== undefined && number <= head) return []
        const isOurs = (account: Address | undefined) =>
          account !== undefined && (places.has(account) || holders.has(account))
        const concerned = transactions
          .filter(({ from, to }) => isOurs(from) || isOurs(to))
          .toSorted((a, b) => Number(holders.has(b.from)) - Number(holders.has(a.from)))
        await Promise.all(
          concerned
            .filter(({ hash }) => !played.get(hash))
            .slice(0, MAX_PLAYED)
            .map(play),
        )
        return concerned.map(({ hash }) => played.get(hash)).filter((each) => each !== undefined)
      } catch (error) {
        if (!isInability(error)) throw error
        askAt = clock.monotonic() + ASK_AGAIN_MS
        return []
      }
    },
  }
}

function sizeOf({ changes: { words, codes } }: PendingChanges): number {
  let count = codes.size
  for (const slots of words.values()) count += 1 + slots.size
  return count * WORD_BYTES
}
