import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Something that does not change while the process lives, as the bytes that are sent, in each form
 * that clients may ask for.
 */
export interface Document {
  contentType: string
  forms: ReadonlyMap<Encoding, Buffer>
  /** Names the content, whatever its form. */
  hash: string
}

/** Best first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

export function createDocument(
  contentType: string,
  bytes: Buffer,
  compressed: { br?: Buffer | undefined; gzip?: Buffer | undefined } = {},
): Document {
  const forms = new Map<Encoding, Buffer>([['identity', bytes]])
  if (compressed.br) forms.set('br', compressed.br)
  if (compressed.gzip) forms.set('gzip', compressed.gzip)
  return { contentType, forms, hash: createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARS) }
}

/** 132 bits. */
const HASH_CHARS = 22

/** A document with forms for clients that inflate. */
export async function compressDocument(contentType: string, bytes: Buffer): Promise<Document> {
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes)])
  return createDocument(contentType, bytes, { br, gzip: gz })
}

/**
 * Sends a document in the best form that the client takes, or says that it has it already. Costs no
 * copy: all who read share the bytes.
 */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '', document.forms)
  const etag = `"${document.hash}-${encoding}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnown(request.headers['if-none-match'] ?? '', document.hash)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(document.contentType).send(document.forms.get(encoding))
}

/** What is not named is not wanted, and neither is what has a weight of nothing. */
function chooseEncoding(accepted: string, forms: Document['forms']): Encoding {
  const wanted = new Set(
    accepted
      .split(',')
      .map((each) =>
        each
          .trim()
          .toLowerCase()
          .split(/\s*;\s*q=/),
      )
      .filter(([, weight = '1']) => Number(weight) > 0)
      .map(([name]) => name),
  )
  return ENCODINGS.find((name) => forms.has(name) && wanted.has(name)) ?? 'identity'
}

/** Whatever form the client has: its content is the same. */
function isKnown(ifNoneMatch: string, hash: string): boolean {
  return ifNoneMatch.includes(`"${hash}-`)
}
