import type { RouteOptions } from 'fastify'
import { ApiError } from '../../../api-error.js'
import { parseWireChainId, toWireChainId } from '../../../chains/chain-id.js'
import { TRUST_STATUSES } from '../../../checks/levels.js'
import type { ListingFilter } from '../../../feed/feed-store.js'
import { toFeedEvent, toListingBody, toOmissionBody } from '../../../feed/to-listing-body.js'
import { toFollowedBody } from '../../../watching/to-alert-body.js'
import { createEventStreams } from '../../event-streams.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { keyOf } from '../../route-config.js'
import type { Services } from '../../services.js'
import { FeedAnswer, FeedEvents, FeedEventsQuery, FeedQuery } from './schema.js'

type FeedServices = Pick<Services, 'feed'>

/** Of one answer, unless it is asked for others. */
const DEFAULT_LISTINGS = 50
const MAX_LISTINGS = 100

/** `/api/feed`: tokens that came to a market, and the verdicts on them. */
export function feedRoutes(services: FeedServices, stopping: { isStopping(): boolean }): RouteOptions[] {
  return [listRoute(services), eventsRoute(services, stopping)]
}

function listRoute({ feed }: FeedServices): RouteOptions {
  return {
    method: 'GET',
    url: '/api/feed',
    config: { access: 'key' },
    schema: {
      operationId: 'listFeed',
      summary: 'New markets, with the verdicts on their tokens',
      querystring: FeedQuery,
      response: { 200: FeedAnswer, ...failureSchemas([...COMMON_FAILURES, 'server_error', 'invalid_filter']) },
    },
    handler: async ({ query }) => {
      const { limit } = query as { limit?: unknown }
      const { listings, omissions, place } = await feed.listNewest(parseFilter(query), parseLimit(limit))
      return {
        success: true,
        chains: feed.chainIds.map(toWireChainId),
        followed: [...(await feed.listFollowed())].map(([id, followed]) => ({
          ...{ chainId: toWireChainId(id), ...toFollowedBody(followed) },
        })),
        listings: listings.map(toListingBody),
        omissions: omissions.map(toOmissionBody),
        next: place,
      }
    },
  }
}

function eventsRoute({ feed }: FeedServices, stopping: { isStopping(): boolean }): RouteOptions {
  const stream = createEventStreams(stopping)
  return {
    method: 'GET',
    url: '/api/feed/events',
    config: { access: 'key' },
    schema: {
      operationId: 'streamFeed',
      summary: 'New markets as they come',
      querystring: FeedEventsQuery,
      response: {
        200: { description: 'The events.', content: { 'text/event-stream': { schema: FeedEvents } } },
        ...failureSchemas([...COMMON_FAILURES, 'server_error', 'invalid_filter', 'busy']),
      },
    },
    handler: (request, reply) => {
      const filter = parseFilter(request.query)
      return stream(request, reply, {
        caller: keyOf(request).id,
        newestPlace: () => feed.newestPlace(),
        read: async (after) => (await feed.listChanges(filter, { after, limit: MAX_LISTINGS })).map(toFeedEvent),
      })
    },
  }
}

function parseLimit(value: unknown): number {
  if (value === undefined) return DEFAULT_LISTINGS
  if (typeof value !== 'string' || !/^\d{1,3}$/.test(value)) throw new ApiError('invalid_filter')
  const limit = Number(value)
  if (limit < 1 || limit > MAX_LISTINGS) throw new ApiError('invalid_filter')
  return limit
}

/** What is not as documented is refused: a filter that is not applied misleads. */
function parseFilter(query: unknown): ListingFilter {
  const { chainId, level, minLiquidity } = query as Readonly<Record<string, unknown>>
  return {
    ...(chainId !== undefined && { chainId: parseChain(chainId) }),
    ...(level !== undefined && { levels: parseLevels(level) }),
    ...(minLiquidity !== undefined && { leastLiquidity: parseCoins(minLiquidity) }),
  }
}

function parseChain(value: unknown): number {
  const id = typeof value === 'string' ? parseWireChainId(value) : undefined
  if (id === undefined) throw new ApiError('invalid_filter')
  return id
}

function matching(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new ApiError('invalid_filter')
  return value
}

function parseLevels(value: unknown) {
  const named = matching(value, /^.{1,100}$/).split(',')
  const levels = TRUST_STATUSES.filter((level) => named.some((each) => each.trim() === level))
  if (levels.length !== named.length) throw new ApiError('invalid_filter')
  return levels
}

const DECIMALS = 18

function parseCoins(value: unknown): bigint {
  const [whole = '', part = ''] = matching(value, /^\d{1,9}(\.\d{1,18})?$/).split('.')
  return BigInt(whole + part.padEnd(DECIMALS, '0'))
}
