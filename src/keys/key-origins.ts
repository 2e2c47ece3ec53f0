import { BaseError } from '../errors.js'
import { parseOrigin } from '../setting-forms.js'

/** A page, its test page and those on a developer's machine. */
export const MAX_ORIGINS = 10

/**
 * Origins as browsers write them, each once. Throws an {@link InvalidOriginsError}: a page that is
 * named wrongly would be refused without a word that says why.
 */
export function parseKeyOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map(readOrigin)
  const known = origins.filter((origin) => origin !== undefined)
  if (texts.length > MAX_ORIGINS || known.length < texts.length) throw new InvalidOriginsError()
  return [...new Set(known)]
}

/** A star would look as if it stood for several, and is a letter like others to a browser. */
function readOrigin(text: string): string | undefined {
  if (EXTENSION.test(text)) return text
  return text.includes('*') ? undefined : parseOrigin(text)
}

/** Wallets are extensions of a browser; the letters are the extension's id. */
const EXTENSION = /^chrome-extension:\/\/[a-p]{32}$/

export class InvalidOriginsError extends BaseError {
  override readonly name = 'InvalidOriginsError'

  constructor() {
    super(`Origins are up to ${MAX_ORIGINS} of the form https://app.example, without a path`)
  }
}
