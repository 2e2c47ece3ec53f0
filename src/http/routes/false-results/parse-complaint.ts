import { ApiError } from '../../../api-error.js'
import { TRUST_STATUSES } from '../../../checks/levels.js'
import { type Complaint, EXPECTATIONS, MAX_MESSAGE } from '../../../saved-reports/false-result.js'
import { plainText } from '../../../untrusted-text.js'

/** Reads what a caller says is wrong. Throws the failure of the first field that is none. */
export function parseComplaint(body: unknown): Complaint {
  const { message, expected = 'other', seen } = toFields(body)
  if (typeof message !== 'string' || message.length > MAX_MESSAGE) throw new ApiError('invalid_message')
  const words = plainText(message, MAX_MESSAGE)
  if (words === '') throw new ApiError('invalid_message')
  const known = EXPECTATIONS.find((each) => each === expected)
  if (known === undefined) throw new ApiError('invalid_expected')
  return { message: words, expected: known, ...(seen !== undefined && { seen: parseSeen(seen) }) }
}

function parseSeen(value: unknown): NonNullable<Complaint['seen']> {
  const { level, score, digest } = toFields(value)
  const isRight =
    (level === undefined || TRUST_STATUSES.some((each) => each === level)) &&
    (score === undefined || (typeof score === 'number' && score >= 0 && score <= 100)) &&
    (digest === undefined || (typeof digest === 'string' && DIGEST.test(digest)))
  if (typeof value !== 'object' || value === null || !isRight) throw new ApiError('invalid_seen')
  return {
    ...(level !== undefined && { level: String(level) }),
    ...(score !== undefined && { score: Number(score) }),
    ...(digest !== undefined && { digest: String(digest) }),
  }
}

const DIGEST = /^0x[0-9a-f]{64}$/

const toFields = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
