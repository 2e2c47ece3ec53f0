import { ApiError } from '../../../api-error.js'
import type { Webhook } from '../../../batches/batch.js'
import type { Chain } from '../../../chains/chain.js'
import type { Address } from '../../../hex.js'
import { parseAnalysisRequest, parseFields, type RequestConfig } from '../../../reports/parse-analysis-request.js'
import { ALERT_KINDS, type AlertKind } from '../../../watching/watch.js'
import { parseWebhook } from '../batch/parse-batch-request.js'

export interface ParsedWatch {
  chain: Chain
  address: Address
  tells: readonly AlertKind[]
  webhook: Webhook | undefined
}

/** Turns the body of an order into what is to be watched. */
export function parseWatchRequest(body: unknown, options: RequestConfig & { allowPrivate: boolean }): ParsedWatch {
  const { chain, address } = parseAnalysisRequest(body, options)
  const fields = parseFields(body)
  return {
    chain,
    address,
    tells: parseTells(fields.get('tells')),
    webhook: parseWebhook(fields.get('webhook'), options),
  }
}

function parseTells(value: unknown): readonly AlertKind[] {
  if (value === undefined || value === null) return ALERT_KINDS
  const isList = Array.isArray(value) && value.length > 0 && value.length <= ALERT_KINDS.length
  if (!isList || !value.every((each) => ALERT_KINDS.includes(each))) throw new ApiError('invalid_tells')
  return ALERT_KINDS.filter((kind) => value.includes(kind))
}
