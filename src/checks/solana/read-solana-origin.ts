import type { RpcBudget } from '../../rpc/budget.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { SolanaAddress } from '../../solana/address.js'
import { PUMP_CURVE } from '../../solana/pools/layouts.js'
import { getSignaturesForAddress, type SignatureRecord } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { getTransactionKeys } from '../../solana/rpc/transaction-methods.js'
import type { Mint } from '../../solana/token/mint.js'

/** Who made a mint and since when its market is there, as far as a node remembers. */
export interface SolanaOrigin {
  /** Who paid for the first transaction that names the mint and its token program. */
  creator: SolanaAddress | undefined
  /** A launch program that took part. */
  through: SolanaAddress | undefined
  slot: bigint | undefined
  /** Seconds since 1970. */
  time: bigint | undefined
  /** Why the creator is not known. */
  unknown: string | undefined
  /** Of the first transaction of the pool that is judged. */
  marketTime: bigint | undefined
}

export interface OriginQuestion {
  mint: Mint
  pool: SolanaAddress | undefined
  /** The latest that was read. */
  slot: bigint
  budget: RpcBudget
}

export type ReadSolanaOrigin = (question: OriginQuestion) => Promise<SolanaOrigin>

/** What is long past is asked for once. */
export function createReadSolanaOrigin(rpc: SolanaRpc): ReadSolanaOrigin {
  const known = createCountedLru<string, SolanaOrigin>(MAX_KNOWN)
  return async (question) => {
    const key = `${question.mint.address}:${question.pool ?? ''}`
    const before = known.get(key)
    if (before !== undefined) return before
    const { origin, isLasting } = await readOrigin(rpc, question)
    if (isLasting) known.set(key, origin)
    return origin
  }
}

const MAX_KNOWN = 2_000
/** No cluster takes back what is so old. */
const SETTLED_SLOTS = 150n

async function readOrigin(rpc: SolanaRpc, { mint, pool, slot, budget }: OriginQuestion) {
  const [first, market] = await Promise.all([
    readFirst(rpc, mint.address, budget),
    pool && readFirst(rpc, pool, budget),
  ])
  const isTold = first !== UNANSWERED && market !== UNANSWERED
  const record = typeof first === 'object' ? first : undefined
  const keys =
    record &&
    (await rpc.call(getTransactionKeys(record.signature), { suspect: mint.address, budget }).catch(() => undefined))
  // Coins may be sent to an address before there is a mint.
  const isMaking = keys?.includes(mint.tokenProgram) === true
  const origin: SolanaOrigin = {
    creator: isMaking ? keys[0] : undefined,
    through: isMaking && keys.includes(PUMP_CURVE.program) ? PUMP_CURVE.program : undefined,
    slot: isMaking ? record?.slot : undefined,
    time: isMaking ? record?.time : undefined,
    unknown: isMaking ? undefined : record ? (keys ? NOT_MAKING : NO_TRANSACTION) : String(first),
    marketTime: typeof market === 'object' ? market.time : undefined,
  }
  const isSettled = record === undefined || record.slot + SETTLED_SLOTS <= slot
  return { origin, isLasting: isTold && isSettled && (record === undefined || keys !== undefined) }
}

/** The first transaction that names an address and went through, or why it is not known. */
async function readFirst(rpc: SolanaRpc, address: SolanaAddress, budget: RpcBudget): Promise<SignatureRecord | string> {
  let oldest: SignatureRecord | undefined
  let before: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const records = await rpc
      .call(getSignaturesForAddress(address, PAGE, { before }), { suspect: address, budget })
      .catch(() => undefined)
    if (records === undefined) return UNANSWERED
    oldest = records.findLast(({ failed }) => !failed) ?? oldest
    if (records.length < PAGE) return oldest ?? NO_TRACE
    before = records.at(-1)?.signature
  }
  return TOO_MANY
}

/** The most that nodes give at once, and a megabyte in all. */
const PAGE = 1_000
const MAX_PAGES = 3

const UNANSWERED = 'no node gave the transactions of this token'
const NO_TRACE = 'the node has no transaction of it'
const TOO_MANY = 'it has had too many transactions to be read to the first'
const NO_TRANSACTION = 'the node does not have its first transaction any more'
const NOT_MAKING = 'the first transaction that the node has did not make it'
