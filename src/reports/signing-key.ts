import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { BaseError } from '../errors.js'
import { canonicalJson } from './canonical-json.js'

/** Who vouches for a report, and how. */
export interface ReportSignature {
  /** Names the key: the first 16 hex digits of the SHA-256 of its public half (SPKI, DER). */
  keyId: string
  algorithm: 'Ed25519'
  /** Base64, over the canonical JSON of the report without its `signature`. */
  value: string
}

/** The operator's key. The private half never leaves it. */
export interface SigningKey {
  readonly keyId: string
  /** PEM (SPKI). */
  readonly publicKey: string
  sign(report: object): ReportSignature
}

/**
 * Reads an Ed25519 private key in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` writes it.
 * Throws {@link SigningKeyError}.
 */
export function createSigningKey(pem: string): SigningKey {
  const privateKey = read(() => createPrivateKey(pem))
  const publicKey = createPublicKey(privateKey)
  const keyId = keyIdOf(publicKey)
  return {
    keyId,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (report) => ({
      keyId,
      algorithm: 'Ed25519',
      value: sign(null, bytesToSign(report), privateKey).toString('base64'),
    }),
  }
}

/** Reads the public half in PEM. Throws {@link SigningKeyError}. */
export function readPublicKey(pem: string): KeyObject {
  return read(() => createPublicKey(pem))
}

/**
 * Whether `report` is what the owner of `publicKey` signed. The rest of the report may be anything.
 */
export function isSignedBy(publicKey: KeyObject, report: object, signature: unknown): boolean {
  if (typeof signature !== 'object' || signature === null) return false
  const { keyId, algorithm, value } = signature as Partial<ReportSignature>
  if (algorithm !== 'Ed25519' || keyId !== keyIdOf(publicKey) || typeof value !== 'string') return false
  const bytes = Buffer.from(value, 'base64')
  // Base64 has many spellings of the same bytes; only one is ours.
  if (bytes.length !== SIGNATURE_BYTES || bytes.toString('base64') !== value) return false
  return verify(null, bytesToSign(report), publicKey, bytes)
}

const SIGNATURE_BYTES = 64

function bytesToSign(report: object): Buffer {
  return Buffer.from(canonicalJson({ ...report, signature: undefined }))
}

function keyIdOf(publicKey: KeyObject): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('hex').slice(0, KEY_ID_DIGITS)
}

const KEY_ID_DIGITS = 16

function read(parse: () => KeyObject): KeyObject {
  let key: KeyObject
  try {
    key = parse()
  } catch {
    // The cause may quote what was meant to be a secret.
    throw new SigningKeyError()
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new SigningKeyError()
  return key
}

/** What was given is no Ed25519 key in PEM. Never repeats it. */
export class SigningKeyError extends BaseError {
  override readonly name = 'SigningKeyError'

  constructor() {
    super('The signing key must be an Ed25519 key in PEM', { docs: 'docs/replay.md' })
  }
}
