import type { Static } from 'typebox'
import type { FeedAnswer } from '../../../src/http/routes/feed/schema.js'
import { ask } from './api-client.js'

export type FeedPageBody = Static<typeof FeedAnswer>
export type Listing = FeedPageBody['listings'][number]
export type Omission = FeedPageBody['omissions'][number]

/** What of the feed is to be seen; an empty text is no filter. */
export interface FeedChoice {
  chainId: string
  level: string
  minLiquidity: string
}

export function readFeed(apiKey: string, choice: FeedChoice) {
  const chosen = Object.entries(choice).filter(([, value]) => value !== '')
  return ask<FeedPageBody>('GET', `/api/feed?${new URLSearchParams(chosen)}`, undefined, apiKey)
}
