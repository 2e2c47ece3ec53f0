import { BaseError } from '../errors.js'

/** Every failure a client can receive, by its stable `code`: status and exact `errorReason`. `docs/errors.md` explains each. */
export const apiErrors = {
  invalid_request: [400, 'Malformed HTTP request'],
  invalid_json: [400, 'Invalid JSON body'],
  address_required: [400, 'targetContractAddress is required'],
  invalid_address: [400, 'Invalid targetContractAddress'],
  chain_required: [400, 'chainId is required'],
  unsupported_chain: [400, 'Unsupported chainId'],
  invalid_block_number: [400, 'Invalid blockNumber'],
  invalid_pair: [400, 'Invalid pair'],
  invalid_amount: [400, 'Invalid amount'],
  authorization_required: [401, 'Missing Authorization header'],
  invalid_authorization: [401, 'Invalid Authorization format'],
  invalid_key: [403, 'Invalid API key'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timed out'],
  body_too_large: [413, 'Request body too large'],
  url_too_long: [414, 'Request URL too long'],
  unsupported_content_type: [415, 'Content-Type must be application/json'],
  unsupported_content_encoding: [415, 'Content-Encoding is not supported'],
  analysis_limit: [429, 'Analysis rate limit hit'],
  general_limit: [429, 'Too many requests, slow down.'],
  headers_too_large: [431, 'Request headers too large'],
  simulation_failed: [500, 'Simulation failed'],
  honeypot_failed: [500, 'Honeypot check failed'],
  server_error: [500, 'Server error'],
  busy: [503, 'Service busy'],
  not_ready: [503, 'Service not ready'],
} as const satisfies Record<string, readonly [status: number, errorReason: string]>

export type ApiErrorCode = keyof typeof apiErrors

/** The body of every answer that is not a success. `error` repeats the text for clients that read that field. */
export interface Failure {
  success: false
  errorReason: string
  error: string
  code: ApiErrorCode
}

export function toFailure(code: ApiErrorCode): Failure {
  const [, errorReason] = apiErrors[code]
  return { success: false, errorReason, error: errorReason, code }
}

export interface ApiErrorOptions {
  headers?: Readonly<Record<string, string>>
  /** For the log only. */
  cause?: unknown
}

/** Ends a request with one of {@link apiErrors}. */
export class ApiError extends BaseError {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ApiErrorCode, { headers = {}, cause }: ApiErrorOptions = {}) {
    const [status, errorReason] = apiErrors[code]
    super(errorReason, { cause, docs: 'docs/errors.md' })
    this.code = code
    this.status = status
    this.headers = headers
  }
}
