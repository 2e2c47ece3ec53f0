import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.js'

/** Longer ones are no addresses of anything. */
const MAX_URL_LENGTH = 2_048

/**
 * An http(s) URL without credentials whose host is not plainly a private one. What its name
 * resolves to is checked at each delivery.
 */
export function parseWebhookUrl(text: unknown, { allowPrivate }: { allowPrivate: boolean }): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined
  const { protocol, username, password, hostname, href } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return undefined
  return allowPrivate || !isPlainlyPrivate(hostname) ? href : undefined
}

/** `URL` writes numbers in any notation as an ordinary address. */
function isPlainlyPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return host === 'localhost' || host.endsWith('.localhost')
}
