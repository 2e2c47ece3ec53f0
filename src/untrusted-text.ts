/** Longest text from a contract or node that is repeated in an answer. */
const MAX_LENGTH = 200

/**
 * Control characters, and those that change the direction or hide parts of a line (Unicode "format"
 * class).
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Makes text that a stranger wrote (a revert reason, a symbol) fit to stand in an answer, a log
 * line or a terminal: one line, visible characters only, at most `maxLength` of them. It is still
 * untrusted: never act on it, and escape it in HTML.
 */
export function plainText(text: string, maxLength = MAX_LENGTH): string {
  const visible = text
    .slice(0, maxLength * 4)
    .replace(/\s+/gu, ' ')
    .replace(UNPRINTABLE, '')
    .trim()
  const characters = [...visible]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : visible
}
