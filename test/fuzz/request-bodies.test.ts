import fc from 'fast-check'
import { Client } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api-error.js'
import type { Batch } from '../../src/batches/batch.js'
import { listenTestApp } from '../http/raw-client.js'
import { HONEYPOT, PHISHING, SIMULATE } from '../http/test-app.js'
import { type JsonSchema, nearly } from './json-schema.js'
import { fuzz, patience } from './runs.js'

/** Every route that takes a body in our envelope. */
const PATHS = [SIMULATE, HONEYPOT, PHISHING, '/api/solana/token-checks', '/api/batch', '/api/auth/verify'] as const

const unlimited = {
  take: async ({ limit = 1 }) => ({ allowed: true, remaining: limit, resetMs: 1 }),
  close: async () => {},
}
const batch: Batch = {
  ...{ id: 'batch_1', keyId: 'key_1', createdAt: 0, finishedAt: undefined, webhook: undefined },
  ...{ webhookState: 'none', webhookAttempts: 0 },
}

let server: Awaited<ReturnType<typeof listenTestApp>>
let client: Client
let schemas: ReadonlyMap<string, JsonSchema>
let key: string

beforeAll(async () => {
  server = await listenTestApp({
    services: {
      limiter: unlimited,
      batches: {
        create: async () => batch,
        list: async () => [],
        listWebhooks: async () => [],
        read: async () => undefined,
        redeliver: async () => undefined,
      },
      checkSolanaToken: () => Promise.reject(new ApiError('busy')),
    },
  })
  key = (await server.issue({ tier: 'partner' })).key
  client = new Client(server.url)
  schemas = await readSchemas()
})
afterAll(async () => {
  await client.close()
  await server.app.close()
})

async function readSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  const { body } = await client.request({ method: 'GET', path: '/openapi.json' })
  const { paths } = (await body.json()) as { paths: Record<string, { post?: Operation }> }
  return new Map(
    Object.entries(paths).flatMap(([path, { post }]) => {
      const schema = post?.requestBody?.content['application/json']?.schema
      return schema === undefined ? [] : [[path, schema] as const]
    }),
  )
}

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

/** Sends bytes as they are, over one connection for all. */
async function send(path: string, body: string | Buffer) {
  const response = await client.request({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.statusCode, text: await response.body.text() }
}

/** Nothing of it is our failure, and every answer says in the envelope what it is. */
function expectEnvelope({ status, text }: { status: number; text: string }): void {
  expect(status, text).not.toBe(500)
  const answer: unknown = JSON.parse(text)
  if (status < 300) expect(answer).toMatchObject({ success: true })
  else expect(answer).toMatchObject({ success: false, errorReason: expect.any(String), code: expect.any(String) })
}

describe.each(PATHS)('%s', (path) => {
  test('whatever nearly is a body of this route, the answer is in the envelope', {
    timeout: patience(30_000),
  }, async () => {
    const schema = schemas.get(path)
    if (schema === undefined) throw new Error(`${path} takes no body`)
    const property = fc.asyncProperty(nearly(schema), async (body) => {
      expectEnvelope(await send(path, JSON.stringify(body) ?? ''))
    })
    await fc.assert(property, fuzz(150))
  })
})

test('whatever bytes of a good body are changed, cut or doubled, the answer is in the envelope', {
  timeout: patience(30_000),
}, async () => {
  const good = Buffer.from(JSON.stringify({ targetContractAddress: `0x${'5'.repeat(40)}`, chainId: 1, amount: '1000' }))
  const edit = fc.record({ at: fc.nat(good.length), cut: fc.nat(4), insert: fc.uint8Array({ maxLength: 4 }) })
  const property = fc.asyncProperty(
    fc.constantFrom(...PATHS),
    fc.array(edit, { minLength: 1, maxLength: 4 }),
    async (path, edits) => {
      expectEnvelope(await send(path, edits.reduce(applyEdit, good)))
    },
  )
  await fc.assert(property, fuzz(500))
})

function applyEdit(bytes: Buffer, { at, cut, insert }: { at: number; cut: number; insert: Uint8Array }): Buffer {
  return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + cut)])
}
