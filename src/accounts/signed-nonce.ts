import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a nonce was given for. */
export interface NonceTerms {
  /** The origin that it was asked at; the message must be for the same one. */
  origin: string
  /** The chain that the message must name, where one was named: a chain id in digits, or `SOL`. */
  chain: string | undefined
  /** Milliseconds since 1970. */
  issuedAt: number
  expiresAt: number
}

/**
 * A word that makes one signature good for one sign-in, and proves by itself what it was given for:
 * nothing is stored until it is used. 60 hex digits, of the 64 characters that a message has room
 * for.
 */
export function signNonce(secret: Buffer, terms: NonceTerms): string {
  const head = `${randomBytes(RANDOM_BYTES).toString('hex')}${toDigits(terms.issuedAt)}${toDigits(terms.expiresAt)}`
  return `${head}${macOf(secret, head, terms).toString('hex')}`
}

/**
 * What a nonce of ours was given for at `origin`; `undefined` for any other word, site or chain.
 */
export function readNonce(
  secret: Buffer,
  nonce: string,
  { origin, chain }: Pick<NonceTerms, 'origin' | 'chain'>,
): NonceTerms | undefined {
  const { head, issued, expires, mac = '' } = FORM.exec(nonce)?.groups ?? {}
  if (head === undefined) return undefined
  const times = { origin, issuedAt: fromDigits(issued), expiresAt: fromDigits(expires) }
  // Given for the chain that the message names, or for any.
  const terms = [chain, undefined].map((each) => ({ ...times, chain: each }))
  return terms.find((each) => timingSafeEqual(Buffer.from(mac, 'hex'), macOf(secret, head, each)))
}

/** Two of one millisecond are the same once in 2^64. */
const RANDOM_BYTES = 8
/** Until the year 10889. */
const TIME_DIGITS = 12
const MAC_BYTES = 10
/** 2^80 guesses at 30 a minute, and a guess is of no use without the wallet's signature. */
const FORM = new RegExp(
  `^(?<head>[0-9a-f]{${2 * RANDOM_BYTES}}(?<issued>[0-9a-f]{${TIME_DIGITS}})(?<expires>[0-9a-f]{${TIME_DIGITS}}))(?<mac>[0-9a-f]{${2 * MAC_BYTES}})$`,
)

const toDigits = (time: number) => time.toString(16).padStart(TIME_DIGITS, '0')
const fromDigits = (digits = '') => Number.parseInt(digits, 16)

function macOf(secret: Buffer, head: string, { origin, chain = '' }: NonceTerms): Buffer {
  const text = ['sign-in nonce', head, origin, chain].join('\n')
  return createHmac('sha256', secret).update(text).digest().subarray(0, MAC_BYTES)
}
