import { toWireChainId } from '../chains/chain-id.js'
import { showAddress } from '../solana/token-address.js'
import { toJudgementBody } from '../watching/to-alert-body.js'
import type { FeedChange } from './feed-store.js'
import type { Omission, StoredListing } from './new-listing.js'

/** A listing as clients read it: in answers, events and on a terminal alike. */
export const toListingBody = (listing: StoredListing) => ({
  id: listing.id,
  state: listing.state,
  chainId: toWireChainId(listing.chainId),
  address: showAddress(listing.token),
  quote: showAddress(listing.quote),
  exchange: listing.exchange,
  pool: showAddress(listing.pool),
  block: { number: Number(listing.block.number), hash: listing.block.hash },
  blockTime: toTime(listing.blockTime),
  transaction: listing.transaction,
  isKnownCode: listing.familiarity > 0,
  liquidity: listing.liquidity === undefined ? null : String(listing.liquidity),
  verdict: listing.judgement === undefined ? null : toJudgementBody(listing.judgement),
  judgedAt: listing.judgedAt === undefined ? null : toTime(listing.judgedAt),
})

export const toOmissionBody = ({ chainId, fromBlock, toBlock, listings, at }: Omission) => ({
  ...{ chainId: toWireChainId(chainId), fromBlock: Number(fromBlock), toBlock: Number(toBlock) },
  ...{ listings: listings ?? null, at: toTime(at) },
})

/** A change as an event: its name, its place and its data. */
export const toFeedEvent = (change: FeedChange) =>
  'listing' in change
    ? { name: 'listing', place: change.listing.place, data: toListingBody(change.listing) }
    : { name: 'omission', place: change.omission.place, data: toOmissionBody(change.omission) }

const toTime = (ms: number) => new Date(ms).toISOString()
