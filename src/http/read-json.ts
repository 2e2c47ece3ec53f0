import { isUtf8 } from 'node:buffer'
import { ApiError } from './api-error.js'

/**
 * Parses a request body. The bytes must be UTF-8 without a byte-order mark (RFC 8259, section 8.1). Of a repeated name the last one
 * counts, as everywhere in JavaScript. No bytes are no body: `undefined`.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  try {
    // A byte-order mark stays in the text, where it is no JSON.
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}
