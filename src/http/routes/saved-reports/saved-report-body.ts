import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { ApiError } from '../../../api-error.js'
import type { Config } from '../../../config.js'
import { guestOf } from '../../../limits/caller-address.js'
import { toIsoTime } from '../../../reports/fields/block.js'
import type { ReportOwner, SavedReport } from '../../../saved-reports/saved-report.js'
import type { SavedReportBody } from './schema.js'

/** Where a report is seen, as others are told. */
export const linkTo = (id: string, { publicOrigins }: Pick<Config, 'publicOrigins'>): string =>
  `${publicOrigins[0] ?? ''}/r/${id}`

export function toSavedReportBody(
  { id, visibility, createdAt, expiresAt, summary }: SavedReport,
  config: Pick<Config, 'publicOrigins'>,
): Static<typeof SavedReportBody> {
  const { chain, address, name, symbol, overall, block } = summary
  return {
    ...{ id, url: linkTo(id, config), visibility },
    ...{ createdAt: toIsoTime(createdAt), expiresAt: toIsoTime(expiresAt) },
    ...{ chain, address, name, symbol, overall },
    block: { number: block.number, timestamp: block.timestamp },
  }
}

/** Whose a report is: the wallet's, whether it comes by a session or by a key that it made. */
export function ownerOf({ apiKey, wallet }: FastifyRequest): ReportOwner {
  const person = apiKey?.wallet ?? wallet
  if (person !== undefined) return { kind: 'wallet', id: person }
  if (apiKey === undefined) throw new ApiError('session_required')
  return { kind: 'key', id: apiKey.id }
}

/** Whose room a new report takes. What is kept of a guest's address is not the address itself. */
export function makerOf(request: FastifyRequest): ReportOwner {
  if (request.apiKey !== undefined || request.wallet !== undefined) return ownerOf(request)
  return { kind: 'guest', id: createHash('sha256').update(guestOf(request.ip)).digest('hex').slice(0, GUEST_DIGITS) }
}

/** As short as an address, and none. */
const GUEST_DIGITS = 24
