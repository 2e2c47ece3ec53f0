import { BaseError } from '../errors.js'

/**
 * The one text of a JSON value: no spaces, members sorted by the UTF-16 units of their names,
 * numbers as ECMAScript writes them (RFC 8785). Members that are `undefined` are left out. Throws
 * {@link TooDeepError}; a bigint is a programming error.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TooDeepError()
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`)
  return `{${members.join(',')}}`
}

/**
 * A call tree is at most 512 frames deep, with two levels of JSON each; nothing honest is deeper.
 */
const MAX_DEPTH = 2_048

/** The report was nested to exhaust the stack. */
export class TooDeepError extends BaseError {
  override readonly name = 'TooDeepError'

  constructor() {
    super(`A report is nested no deeper than ${MAX_DEPTH} levels`)
  }
}
