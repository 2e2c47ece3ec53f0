import { type TSchema, Type } from 'typebox'
import { type ApiErrorCode, apiErrors, toFailure } from '../api-error.js'

/**
 * Schemas of the failures with these codes, by status: what the documentation of a route lists
 * besides its success.
 */
export function failureSchemas(codes: readonly ApiErrorCode[]): Record<number, TSchema> {
  const statuses = [...new Set(codes.map((code) => apiErrors[code][0]))]
  return Object.fromEntries(
    statuses.map((status) => [status, failureSchema(codes.filter((code) => apiErrors[code][0] === status))]),
  )
}

/**
 * What any route can answer before it is asked. Only its path, its method and the size of its head
 * are judged earlier, for all routes alike.
 */
export const REQUEST_FAILURES = [
  'invalid_request',
  'invalid_json',
  'request_timeout',
  'body_too_large',
  'unsupported_content_type',
  'unsupported_content_encoding',
  'busy',
] as const satisfies readonly ApiErrorCode[]

/** What any route that needs a key can answer, whatever it does. */
export const COMMON_FAILURES = [
  ...REQUEST_FAILURES,
  'authorization_required',
  'invalid_authorization',
  'invalid_key',
  'general_limit',
] as const satisfies readonly ApiErrorCode[]

/** What any route for everyone can answer, whatever it does. */
export const OPEN_FAILURES = [
  ...REQUEST_FAILURES,
  'general_limit',
  'server_error',
] as const satisfies readonly ApiErrorCode[]

/** The schema of failures with one of these codes. */
export function failureSchema(codes: readonly ApiErrorCode[]) {
  const texts = codes.map((code) => apiErrors[code][1])
  const text = Type.Union(texts.map((errorReason) => Type.Literal(errorReason)))
  return Type.Object(
    {
      success: Type.Literal(false),
      errorReason: text,
      error: text,
      code: Type.Union(codes.map((code) => Type.Literal(code))),
    },
    { description: texts.join(' · '), examples: codes.map(toFailure) },
  )
}
