import { ApiError } from '../../../api-error.js'
import { BATCH_CHECKS, type BatchRequest, MAX_TARGETS, type Webhook } from '../../../batches/batch.js'
import { parseWebhookUrl } from '../../../batches/parse-webhook-url.js'
import { parseFields } from '../../../reports/parse-analysis-request.js'

export interface ParsedBatch {
  requests: readonly BatchRequest[]
  webhook: Webhook | undefined
}

/**
 * Turns the body of a batch into what was ordered. Whether each target can be analysed is not
 * looked at.
 */
export function parseBatchRequest(body: unknown, options: { allowPrivate: boolean }): ParsedBatch {
  const fields = parseFields(body)
  const targets = fields.get('targets')
  if (!Array.isArray(targets) || targets.length === 0 || targets.length > MAX_TARGETS) {
    throw new ApiError('invalid_targets')
  }
  return { requests: targets.map(parseTarget), webhook: parseWebhook(fields.get('webhook'), options) }
}

function parseTarget(target: unknown): BatchRequest {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) throw new ApiError('invalid_targets')
  const { check, ...body } = Object.fromEntries(Object.entries(target))
  if (check === undefined || check === null) return { check: 'all', body }
  const known = BATCH_CHECKS.find((name) => name === check)
  if (known === undefined) throw new ApiError('invalid_check')
  return { check: known, body }
}

/**
 * Without control characters and halves of characters: not every store keeps them as they are, and
 * both sides sign with the same bytes.
 */
const SECRET_FORM = /^[^\p{Cc}\p{Cs}]{16,256}$/u

export function parseWebhook(value: unknown, options: { allowPrivate: boolean }): Webhook | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw new ApiError('invalid_webhook')
  const fields = new Map<string, unknown>(Object.entries(value))
  const url = parseWebhookUrl(fields.get('url'), options)
  const secret = fields.get('secret')
  if (url === undefined || typeof secret !== 'string') throw new ApiError('invalid_webhook')
  if (!SECRET_FORM.test(secret)) throw new ApiError('invalid_webhook')
  return { url, secret }
}
