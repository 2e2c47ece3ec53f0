import { ApiError } from './api-error.js'

/**
 * Parses a request body. The bytes must be UTF-8 without a byte-order mark (RFC 8259, section 8.1). Of a repeated name the last one
 * counts, as everywhere in JavaScript. No bytes are no body: `undefined`.
 */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}

/** `ignoreBOM` leaves a byte-order mark in the text, where it is no JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
