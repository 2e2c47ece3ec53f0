import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A certificate that vouches for itself, as no browser accepts it before it is told to. */
export interface SelfSigned {
  /** Both in PEM. */
  key: string
  cert: string
  /** SHA-256 of its public key in base64: how Chromium is told to accept it. */
  fingerprint: string
}

/** For `host`, for a day. The machine that runs the tests needs no program for it. */
export function createSelfSigned(host: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const now = Date.now()
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(host)))))
  const subjectNames = der(0x04, sequence(der(0x82, Buffer.from(host))))
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    name,
    spki,
    der(0xa3, sequence(sequence(oid('551d11'), subjectNames))),
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', tbs, privateKey)]))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: toPem(sequence(tbs, ECDSA_WITH_SHA256, signature)),
    fingerprint: createHash('sha256').update(spki).digest('base64'),
  }
}

const DAY_MS = 86_400_000

/** A value with its tag and its length, which is below 64 KB here. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const bytes = body.length < 0x100 ? [body.length] : [body.length >> 8, body.length & 0xff]
  const length = body.length < 0x80 ? bytes : [0x80 + bytes.length, ...bytes]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const set = (...parts: Buffer[]) => der(0x31, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (ms: number) => der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
