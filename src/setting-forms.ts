import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/*
 * The forms that settings have. Each reader gives `undefined` for a text that has another form.
 */

/** More endpoints than this of one setting are a mistake in the list. */
const MAX_URLS = 16

export function parseBaseUrl(text: string): string | undefined {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return isUrl ? text.replace(/\/+$/, '') : undefined
}

export function parseSender(text: string): string | undefined {
  return /^([^<>\r\n"]{0,100}<)?[^\s<>@]+@[^\s<>@]+>?$/.test(text) && text.includes('<') === text.endsWith('>')
    ? text
    : undefined
}

export function parseBotToken(text: string): string | undefined {
  return /^\d{1,20}:[\w-]{10,100}$/.test(text) ? text : undefined
}

export function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
}

export function parseHeadAge(text: string): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text) * 1_000
}

export function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Megabytes: with less, nothing is known long enough to be of use. */
export function parseMemory(text: string): number | undefined {
  const count = parseCount(text)
  return count !== undefined && count >= 128 && count <= 65_536 ? count : undefined
}

export function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(text) ? text : undefined
}

export function parsePath(text: string): string | undefined {
  return text.includes('\0') ? undefined : text
}

export function parseHttpUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',').map((url) => url.trim())
  const isUrl = parseUrlOf(['http:', 'https:'])
  return urls.length <= MAX_URLS && urls.every((url) => isUrl(url) !== undefined) ? Object.freeze(urls) : undefined
}

export function parseUrlOf(protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined)
}

export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((origin) => parseOrigin(origin.trim()))
  const known = origins.filter((origin) => origin !== undefined)
  return origins.length <= MAX_URLS && known.length === origins.length ? Object.freeze(known) : undefined
}

/** The origin of an http(s) URL that has no more than that. */
export function parseOrigin(text: string): string | undefined {
  if (parseUrlOf(['http:', 'https:'])(text) === undefined) return undefined
  const { origin, pathname, search, hash, username } = new URL(text)
  return pathname === '/' && search === '' && hash === '' && username === '' ? origin : undefined
}

export function parseSwitch(text: string): boolean | undefined {
  return text === '0' || text === '1' ? text === '1' : undefined
}

export function parseAddressRanges(text: string): readonly string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim())
  return ranges.every(isAddressRange) ? Object.freeze(ranges) : undefined
}

/** The key itself, as secret stores give it, or the path of its file. */
export function parseSigningKey(text: string): string | undefined {
  try {
    const pem = text.startsWith('-----BEGIN ') ? text.replaceAll('\\n', '\n') : readFileSync(text, 'utf8')
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519' ? pem : undefined
  } catch {
    return undefined
  }
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
