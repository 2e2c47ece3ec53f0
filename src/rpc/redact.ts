/**
 * How an endpoint is called in logs: its place in the list and the end of its host name. Everything
 * else may be a credential.
 */
export function labelOf(url: URL, id: number): string {
  const isAddress = /^[\d.]+$|^\[|^localhost$/.test(url.hostname)
  return `${id + 1}:${isAddress ? url.host : url.hostname.split('.').slice(-2).join('.')}`
}

/**
 * Takes out of a node's own words whatever looks like a part of its URL: error messages like to
 * repeat the key they refuse.
 */
export function createRedactor(url: URL): (text: string) => string {
  const parts = [
    url.username,
    url.password,
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    ...url.hostname.split('.'),
  ]
  const secrets = parts.filter((part) => part.length >= MIN_SECRET_CHARACTERS).flatMap((part) => [part, decode(part)])
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}

/** Shorter parts are words like `v3` and `rpc`. */
const MIN_SECRET_CHARACTERS = 8

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
