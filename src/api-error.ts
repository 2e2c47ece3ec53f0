import { BaseError } from './errors.js'

/**
 * Every failure a client can receive, by its stable `code`: status and exact `errorReason`.
 * `docs/errors.md` explains each.
 */
export const apiErrors = {
  invalid_request: [400, 'Malformed HTTP request'],
  invalid_json: [400, 'Invalid JSON body'],
  address_required: [400, 'targetContractAddress is required'],
  invalid_address: [400, 'Invalid targetContractAddress'],
  chain_required: [400, 'chainId is required'],
  unsupported_chain: [400, 'Unsupported chainId'],
  invalid_block_number: [400, 'Invalid blockNumber'],
  block_not_found: [400, 'Block not found'],
  invalid_pair: [400, 'Invalid pair'],
  invalid_simulate_liquidity: [400, 'Invalid simulateLiquidity'],
  invalid_amount: [400, 'Invalid amount'],
  invalid_only: [400, 'Invalid only'],
  invalid_trace: [400, 'Invalid trace'],
  invalid_from: [400, 'Invalid from'],
  invalid_value: [400, 'Invalid value'],
  invalid_calldata: [400, 'Invalid calldata'],
  invalid_typed_data: [400, 'Invalid typedData'],
  invalid_to: [400, 'Invalid to'],
  invalid_calls: [400, 'Invalid calls'],
  invalid_authorization_list: [400, 'Invalid authorizationList'],
  invalid_targets: [400, 'Invalid targets'],
  invalid_check: [400, 'Invalid check'],
  invalid_webhook: [400, 'Invalid webhook'],
  invalid_tells: [400, 'Invalid tells'],
  invalid_filter: [400, 'Invalid filter'],
  invalid_contacts: [400, 'Invalid contacts'],
  invalid_contact: [400, 'Invalid contact'],
  contact_way_unknown: [400, 'This service does not tell by that way'],
  invalid_wallet: [400, 'Invalid address'],
  invalid_lookup: [400, 'Invalid q'],
  invalid_visibility: [400, 'Invalid visibility'],
  invalid_message: [400, 'Invalid message'],
  invalid_expected: [400, 'Invalid expected'],
  invalid_seen: [400, 'Invalid seen'],
  invalid_label: [400, 'Invalid label'],
  invalid_origins: [400, 'Invalid origins'],
  invalid_sign_in: [400, 'Message and signature required'],
  invalid_sign_in_message: [400, 'Invalid sign-in message'],
  authorization_required: [401, 'Missing Authorization header'],
  invalid_authorization: [401, 'Invalid Authorization format'],
  session_required: [401, 'Sign in first'],
  foreign_sign_in: [401, 'Sign-in is for another site'],
  sign_in_expired: [401, 'Sign-in expired'],
  invalid_nonce: [401, 'Invalid nonce'],
  invalid_signature: [401, 'Invalid signature'],
  invalid_key: [403, 'Invalid API key'],
  foreign_origin: [403, 'Origin not allowed'],
  not_found: [404, 'Not found'],
  batch_not_found: [404, 'Batch not found'],
  watch_not_found: [404, 'Watch not found'],
  contact_not_found: [404, 'Contact not found'],
  webhook_not_found: [404, 'Batch has no webhook'],
  key_not_found: [404, 'No API key found for this wallet'],
  name_not_found: [404, 'Name not found'],
  report_not_found: [404, 'Report not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timed out'],
  key_limit: [409, 'API key limit reached'],
  body_too_large: [413, 'Request body too large'],
  report_too_large: [413, 'Report too large to keep'],
  url_too_long: [414, 'Request URL too long'],
  unsupported_content_type: [415, 'Content-Type must be application/json'],
  unsupported_content_encoding: [415, 'Content-Encoding is not supported'],
  analysis_limit: [429, 'Analysis rate limit hit'],
  general_limit: [429, 'Too many requests, slow down.'],
  guest_limit: [429, 'Free checks of this hour are used up'],
  batch_limit: [429, 'Too many batches are waiting'],
  storage_limit: [429, 'Stored batches of this key fill its share'],
  webhook_limit: [429, 'Too many webhooks are waiting'],
  watch_limit: [429, 'Too many watches of this key'],
  chain_watch_limit: [429, 'Too many tokens of this chain are watched'],
  contact_limit: [429, 'Too many contacts of this key'],
  contact_ask_limit: [429, 'Too many contacts were asked today'],
  receiver_limit: [429, 'This receiver is not to be asked now'],
  key_order_limit: [429, 'Too many API keys from this address'],
  headers_too_large: [431, 'Request headers too large'],
  simulation_failed: [500, 'Simulation failed'],
  honeypot_failed: [500, 'Honeypot check failed'],
  phishing_failed: [500, 'Phishing check failed'],
  server_error: [500, 'Server error'],
  busy: [503, 'Service busy'],
  machine_busy: [503, 'Machine too busy to finish the analysis'],
  wallet_unavailable: [503, 'Contract wallet could not be checked'],
  contact_unavailable: [503, 'The contact could not be asked'],
  not_ready: [503, 'Service not ready'],
} as const satisfies Record<string, readonly [status: number, errorReason: string]>

export type ApiErrorCode = keyof typeof apiErrors

/**
 * The body of every answer that is not a success. `error` repeats the text for clients that read
 * that field.
 */
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
