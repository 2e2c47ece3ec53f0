import { createHash, hash, randomBytes } from 'node:crypto'

/**
 * A new API key: `assay_`, 32 random bytes in base 62, and a checksum in base 62. The prefix lets
 * secret scanners find a leaked key, and the checksum lets them be sure without asking the service.
 */
export function createSecret(): string {
  const body = toBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), BODY_LENGTH)
  return `${PREFIX}${body}${checksumOf(body)}`
}

/**
 * SHA-256 of a key. The key has 256 random bits, so that a slow hash would add nothing but load.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Whether a text has the form of a key of this service and its checksum is right. Says nothing of
 * its validity.
 */
export function isWellFormedSecret(text: string): boolean {
  if (!SECRET_FORM.test(text)) return false
  const body = text.slice(PREFIX.length, PREFIX.length + BODY_LENGTH)
  return checksumOf(body) === text.slice(-CHECKSUM_LENGTH)
}

/** First seven and last four characters: enough to recognise a key, and 232 bits short of it. */
export function maskSecret(secret: string): string {
  return `${secret.slice(0, 7)}${'*'.repeat(28)}${secret.slice(-4)}`
}

/** A random public name in base 62, for things that may be seen. */
export function createId(prefix: string): string {
  return `${prefix}_${toBase62(BigInt(`0x${randomBytes(ID_BYTES).toString('hex')}`), ID_LENGTH)}`
}

/**
 * Whether a text can be what {@link createId} gave. Anything else names nothing, and no store is
 * asked for it.
 */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && ID_BODY.test(text.slice(prefix.length + 1))

const PREFIX = 'assay_'
const SECRET_BYTES = 32
/** 62^43 is the first power of 62 above 2^256. */
const BODY_LENGTH = 43
/** 62^6 is the first power of 62 above 2^32, the four checksum bytes. */
const CHECKSUM_LENGTH = 6
const SECRET_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`)

const ID_BYTES = 12
/** 62^17 is the first power of 62 above 2^96. */
const ID_LENGTH = 17
const ID_BODY = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`)

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function checksumOf(body: string): string {
  const bytes = createHash('sha256').update(`${PREFIX}${body}`).digest()
  return toBase62(BigInt(bytes.readUInt32BE(0)), CHECKSUM_LENGTH)
}

function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = `${ALPHABET[Number(rest % 62n)]}${text}`
  return text
}
