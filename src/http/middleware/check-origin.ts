import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../api-error.js'
import type { Config } from '../../config.js'

/**
 * Refuses what a browser sends for a page of another site, so that no other page can act with a
 * user's session. A browser names the page's origin with every request that changes something, and
 * says how the page relates to us (Fetch Metadata); a program that is no browser says neither, and
 * carries no cookies but its own. Origins are compared exactly.
 */
export function checkOrigin({ headers }: FastifyRequest, { publicOrigins }: Pick<Config, 'publicOrigins'>): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs = origin === undefined || publicOrigins.includes(origin)
  // `none`: the person himself, by typing the address.
  const isSameSite = site === undefined || site === 'same-origin' || (site === 'none' && origin === undefined)
  if (!isOurs || !isSameSite) throw new ApiError('foreign_origin')
}
