import { type TSchema, Type } from 'typebox'
import { type ApiErrorCode, apiErrors } from '../api-error.js'

/**
 * Schemas of the failures with these codes, by status: what the documentation of a route lists
 * besides its success.
 */
export function failureSchemas(codes: readonly ApiErrorCode[]): Record<number, TSchema> {
  const known = [...new Set(codes)]
  const statuses = [...new Set(known.map((code) => apiErrors[code][0]))]
  return Object.fromEntries(
    statuses.map((status) => [status, failureSchema(known.filter((code) => apiErrors[code][0] === status))]),
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

/** The schema of failures with one of these codes: each has its own text. */
export function failureSchema(codes: readonly ApiErrorCode[]): TSchema {
  const [first, ...others] = codes.map(failureOf)
  if (first !== undefined && others.length === 0) return first
  return Type.Union(codes.map(failureOf), { description: codes.map((code) => apiErrors[code][1]).join(' · ') })
}

/** The schema of one failure. */
export function failureOf(code: ApiErrorCode): TSchema {
  const text = Type.Literal(apiErrors[code][1])
  return Type.Object(
    { success: Type.Literal(false), errorReason: text, error: text, code: Type.Literal(code) },
    { description: apiErrors[code][1] },
  )
}
