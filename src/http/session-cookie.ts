import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session } from '../accounts/sign-in.js'
import type { Config } from '../config.js'

type Origins = Pick<Config, 'publicOrigins'>

/**
 * What the caller's session cookie holds, if he has one. Whether it means anything is for `signIn`
 * to say.
 */
export function readSessionToken(request: FastifyRequest, config: Origins): string | undefined {
  const name = `${nameOf(isSecure(request, config))}=`
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
  // Two of one name: another host put one there, and nothing tells which (RFC 6265, section 8.6).
  return values.length === 1 ? values[0]?.slice(name.length) : undefined
}

/**
 * Hands a session to the browser: out of reach of scripts, of other sites and, where there is TLS,
 * of other hosts and of plain HTTP.
 */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, session, now }: { config: Origins; session: Pick<Session, 'token' | 'expiresAt'>; now: number },
): void {
  const secure = isSecure(request, config)
  const maxAge = Math.max(0, Math.floor((session.expiresAt - now) / 1_000))
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : []), `Max-Age=${maxAge}`]
  // A token consists of letters, digits, `-` and `_`, so that nothing needs an escape.
  reply.header('set-cookie', [`${nameOf(secure)}=${session.token}`, ...attributes].join('; '))
}

/** Takes the session from the browser. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: Origins): void {
  setSessionCookie(request, reply, { config, session: { token: '', expiresAt: 0 }, now: 0 })
}

/**
 * Browsers keep a cookie with this prefix only when it is secure, for this host alone and for all
 * its paths (RFC 6265bis).
 */
const nameOf = (secure: boolean) => (secure ? '__Host-assay_session' : 'assay_session')

/** By the origin that was asked: behind a proxy the connection itself is always plain. */
function isSecure({ headers }: FastifyRequest, { publicOrigins }: Origins): boolean {
  const origin = publicOrigins.find((each) => new URL(each).host === headers.host?.toLowerCase()) ?? publicOrigins[0]
  return origin?.startsWith('https:') ?? true
}
