import { ApiError } from '../../../api-error.js'
import type { Webhook } from '../../../batches/batch.js'
import { SOLANA_ID } from '../../../chains/chain-id.js'
import { isContactId, MAX_CONTACTS } from '../../../contacts/contact.js'
import { parseAnalysisRequest, parseFields, type RequestConfig } from '../../../reports/parse-analysis-request.js'
import { isSolanaRequest, parseSolanaRequest } from '../../../reports/parse-solana-request.js'
import type { TokenAddress } from '../../../solana/token-address.js'
import { ALERT_KINDS, type AlertKind } from '../../../watching/watch.js'
import { parseWebhook } from '../batch/parse-batch-request.js'

export interface ParsedWatch {
  chainId: number
  address: TokenAddress
  tells: readonly AlertKind[]
  webhook: Webhook | undefined
  /** Ids, not looked up yet. */
  contacts: readonly string[]
}

/** Turns the body of an order into what is to be watched. */
export function parseWatchRequest(body: unknown, options: RequestConfig & { allowPrivate: boolean }): ParsedWatch {
  const target = parseTarget(body, options)
  const fields = parseFields(body)
  return {
    ...target,
    tells: parseTells(fields.get('tells')),
    webhook: parseWebhook(fields.get('webhook'), options),
    contacts: parseContacts(fields.get('contacts')),
  }
}

function parseTarget(body: unknown, options: RequestConfig): Pick<ParsedWatch, 'chainId' | 'address'> {
  if (isSolanaRequest(body)) return { chainId: SOLANA_ID, address: parseSolanaRequest(body, options).address }
  const { chain, address } = parseAnalysisRequest(body, options)
  return { chainId: chain.id, address }
}

function parseTells(value: unknown): readonly AlertKind[] {
  if (value === undefined || value === null) return ALERT_KINDS
  const isList = Array.isArray(value) && value.length > 0 && value.length <= ALERT_KINDS.length
  if (!isList || !value.every((each) => ALERT_KINDS.includes(each))) throw new ApiError('invalid_tells')
  return ALERT_KINDS.filter((kind) => value.includes(kind))
}

function parseContacts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_CONTACTS) throw new ApiError('invalid_contacts')
  const ids = value.filter((id): id is string => typeof id === 'string' && isContactId(id))
  if (ids.length < value.length) throw new ApiError('invalid_contacts')
  return [...new Set(ids)]
}
