import { plainText } from '../../../untrusted-text.js'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Text of anyone's, for HTML, SVG and the attributes of both: one line, without characters that
 * change its direction or hide in it, at most `maxLength` of them, and no markup.
 */
export const escapeMarkup = (text: string, maxLength: number): string =>
  plainText(text, maxLength).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
