import { isUtf8 } from 'node:buffer'
import { ApiError } from '../api-error.js'
import { createByteLru } from '../scheduling/lru.js'

/**
 * Parses a request body. The bytes must be UTF-8 without a byte-order mark (RFC 8259, section 8.1).
 * Of a repeated name the last one counts, as everywhere in JavaScript. No bytes are no body:
 * `undefined`. What is nested deeper than {@link MAX_DEPTH} is refused before it is parsed: all
 * that look at bodies call themselves for each level.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes) || isTooDeep(bytes)) throw new ApiError('invalid_json')
  try {
    // A byte-order mark stays in the text, where it is no JSON.
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new ApiError('invalid_json', { cause })
  }
}

/** Typed data of a wallet nests five levels; no request needs more. */
export const MAX_DEPTH = 32

/**
 * Whether brackets outside of texts are open too deeply. Says nothing of bytes that are no JSON.
 */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}')

/**
 * A reader that knows the bodies it has read lately: clients ask the same question again and again,
 * and the same bytes give the same object, which no holder can change.
 */
export function createJsonReader(): (bytes: Buffer) => unknown {
  const known = createByteLru<{ body: object; bytes: number }>({
    maxBytes: MAX_KNOWN_BYTES,
    sizeOf: ({ bytes }) => bytes,
  })
  return (bytes) => {
    if (bytes.length > MAX_KNOWN_BODY_BYTES) return readJson(bytes)
    // One character for each byte, so that no two bodies have one name.
    const name = bytes.toString('latin1')
    const seen = known.get(name)
    if (seen !== undefined) return seen.body
    const body = readJson(bytes)
    if (isObject(body)) known.set(name, { body: freezeWhole(body), bytes: bytes.length * BYTES_PER_BYTE })
    return body
  }
}

/** More than a thousand questions on a token. */
const MAX_KNOWN_BYTES = 4 * 1024 * 1024
/** A question on a token has 100 bytes; what holds a transaction is seldom asked twice. */
const MAX_KNOWN_BODY_BYTES = 512
/** What JSON becomes in V8 at worst: three bytes, `{},`, are an object of 64. */
const BYTES_PER_BYTE = 24

/** No deeper than so short a body can be. */
function freezeWhole(value: object): object {
  for (const member of Object.values(value)) if (isObject(member)) freezeWhole(member)
  return Object.freeze(value)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
