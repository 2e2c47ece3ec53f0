import type { Insertable, Selectable } from 'kysely'
import type { TokenAddress } from '../solana/token-address.js'
import type { Tables } from '../stores/tables.js'
import { readJudgement, writeJudgement } from '../watching/stored-forms.js'
import type { ClaimedListing, ListingVerdict } from './feed-store.js'
import type { Listing, ListingState, Omission, StoredOmission } from './new-listing.js'

type Row = Selectable<Tables['listings']>

/** Rows of the database as the rest knows them, and back. */

export function toListing(row: Row): ClaimedListing {
  return {
    id: row.id,
    place: row.place,
    chainId: row.chain_id,
    token: row.token as TokenAddress,
    quote: row.quote as TokenAddress,
    pool: row.pool,
    exchange: row.exchange,
    block: { number: BigInt(row.block_number), hash: row.block_hash },
    blockTime: row.block_time,
    transaction: row.transaction_hash,
    foundAt: row.found_at,
    familiarity: row.familiarity,
    state: stateOf(row),
    judgement: row.judgement === null ? undefined : readJudgement(JSON.parse(row.judgement)),
    judgedAt: row.judged_at ?? undefined,
    liquidity: row.liquidity === null ? undefined : BigInt(row.liquidity),
    failures: row.failures,
  }
}

function stateOf({ is_undone, judgement, due_at }: Row): ListingState {
  if (is_undone !== 0) return 'undone'
  if (judgement !== null) return 'judged'
  return due_at === null ? 'unjudged' : 'waiting'
}

/** As it is found: whatever was known of it before a reorganisation is not. */
export const listingRow = (listing: Listing, place: number): Insertable<Tables['listings']> => ({
  ...{ id: listing.id, place, chain_id: listing.chainId, token: listing.token, quote: listing.quote },
  ...{ pool: listing.pool, exchange: listing.exchange },
  ...{ block_number: Number(listing.block.number), block_hash: listing.block.hash, block_time: listing.blockTime },
  ...{ transaction_hash: listing.transaction, found_at: listing.foundAt, is_undone: 0 },
  ...{ changed_block: Number(listing.block.number), supplies: 0 },
  familiarity: listing.familiarity,
  ...{ due_at: listing.foundAt, held_until: 0, failures: 0 },
  ...{ judgement: null, level: null, judged_block: null, judged_at: null, liquidity: null, liquidity_gwei: null },
})

export const verdictColumns = ({ judgement, liquidity, judgedAt }: ListingVerdict) => ({
  ...{ judgement: JSON.stringify(writeJudgement(judgement)), level: judgement.level },
  ...{ judged_block: Number(judgement.block.number), judged_at: judgedAt, held_until: 0, failures: 0 },
  liquidity: liquidity === undefined ? null : String(liquidity),
  liquidity_gwei: liquidity === undefined ? null : toGwei(liquidity),
})

const GWEI = 10n ** 9n

/** What a column and a number hold; nine million coins and more are the same. */
export const toGwei = (wei: bigint): number => Math.min(Number(wei / GWEI), Number.MAX_SAFE_INTEGER)

export const toOmission = (row: Selectable<Tables['feed_omissions']>): StoredOmission => ({
  ...{ place: row.place, chainId: row.chain_id, at: row.at, listings: row.listings ?? undefined },
  ...{ fromBlock: BigInt(row.from_block), toBlock: BigInt(row.to_block) },
})

export const omissionRow = (omission: Omission, place: number): Insertable<Tables['feed_omissions']> => ({
  ...{ place, chain_id: omission.chainId, at: omission.at, listings: omission.listings ?? null },
  ...{ from_block: Number(omission.fromBlock), to_block: Number(omission.toBlock) },
})
