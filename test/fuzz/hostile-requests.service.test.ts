import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { Client } from 'undici'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignIn } from '../../src/accounts/sign-in.js'
import { createSqlAccountStore } from '../../src/accounts/sql-account-store.js'
import { createWalletKeys } from '../../src/accounts/wallet-keys.js'
import { ApiError, type ApiErrorCode, apiErrors } from '../../src/api-error.js'
import { createBatches } from '../../src/batches/create-batches.js'
import type { JobQueue } from '../../src/batches/job-queue.js'
import { createSqlBatchStore } from '../../src/batches/sql-batch-store.js'
import { createSystemClock } from '../../src/clock.js'
import { createContacts } from '../../src/contacts/create-contacts.js'
import { createSqlContactStore } from '../../src/contacts/sql-contact-store.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createSqlFeedStore } from '../../src/feed/sql-feed-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { createSqlKeyStore } from '../../src/keys/sql-key-store.js'
import { createKeyVerifier } from '../../src/keys/verify-key.js'
import { RpcUnavailableError } from '../../src/rpc/rpc-client.js'
import { createFalseResultStore, createFalseResults } from '../../src/saved-reports/create-false-results.js'
import { createSavedReports } from '../../src/saved-reports/create-saved-reports.js'
import { createSqlSavedReportStore } from '../../src/saved-reports/sql-saved-report-store.js'
import { type Db, openDatabase } from '../../src/stores/database.js'
import { createWatches } from '../../src/watching/create-watches.js'
import { createSqlWatchStore } from '../../src/watching/sql-watch-store.js'
import { listenTestApp } from '../http/raw-client.js'
import { ORIGIN } from '../http/test-app.js'
import { FROM_PORTAL, signInTo } from '../http/wallet-sign-in.js'
import { createTestSchemas, hasPostgres } from '../postgres.js'
import { type JsonSchema, nearly } from './json-schema.js'
import { fuzz, patience } from './runs.js'

const unlimited = {
  take: async ({ limit = 1 }) => ({ allowed: true, remaining: limit, resetMs: 1 }),
  close: async () => {},
}
const idle: JobQueue = { add: async () => {}, start() {}, depth: async () => 0, close: async () => {} }

/**
 * The application on real stores, with analyses that answer at once and batches that are over at
 * once.
 */
async function listenOn(db: Db) {
  const clock = createSystemClock()
  const [keyStore, accountStore, store] = [createSqlKeyStore(db), createSqlAccountStore(db), createSqlBatchStore(db)]
  const queue: JobQueue = { ...idle, add: ({ id }) => store.finish(id, clock.now()) }
  const never = async () => undefined
  const failures: unknown[] = []
  const server = await listenTestApp({
    services: {
      ...{ clock, limiter: unlimited },
      keys: createKeyVerifier({ store: keyStore, clock }),
      walletKeys: createWalletKeys({ keyStore, accountStore, clock }),
      signIn: createSignIn({
        ...{ store: accountStore, clock, origins: [ORIGIN] },
        callNode: () => Promise.reject(new RpcUnavailableError(1, undefined)),
      }),
      batches: createBatches({
        ...{ store, clock, queue, webhookQueue: idle, work: never, webhookWork: never },
        onFailure: (error) => failures.push(error),
      }),
      savedReports: createSavedReports({ store: createSqlSavedReportStore(db), clock }),
      falseResults: createFalseResults({ store: createFalseResultStore(db), clock }),
      watches: createWatches({
        ...{ store: createSqlWatchStore(db), clock, chainIds: [], queue: idle, work: never },
        follow: () => ({ look: never as never, keep: async () => {}, release: async () => {} }),
        judgeAgain: async () => false,
        onFailure: (error) => failures.push(error),
      }),
      contacts: createContacts({
        ...{ store: createSqlContactStore(db), clock, queue: idle, work: never, origin: ORIGIN },
        ...{ sendMail: async () => {}, telegram: { readName: async () => 'assay_bot' }, listener: undefined },
        onFailure: (error) => failures.push(error),
      }),
      feed: createFeed({
        ...{ store: createSqlFeedStore(db), clock, chainIds: [1] },
        follow: () => ({ look: never as never, release: async () => {} }),
        ...{ judgeListing: async () => false, warmUp: async () => {} },
        onFailure: (error) => failures.push(error),
      }),
      checkSolanaToken: () => Promise.reject(new ApiError('busy')),
    },
  })
  const { key } = await issueKey(
    { store: keyStore, clock },
    { label: 'test', tier: 'partner', limits: { analysis: 9_999 } },
  )
  // One wallet could not sign in as often as there are operations.
  const signIn = async () => (await signInTo(server.app, privateKeyToAccount(generatePrivateKey()))).cookie
  return { server, key, failures, signIn }
}

interface Operation {
  method: string
  path: string
  body: JsonSchema | undefined
  answers: Readonly<Record<string, TSchema | undefined>>
}

/** Every operation of the published document, with references that the checker understands. */
async function readOperations(url: string): Promise<{ operations: Operation[]; named: Record<string, TSchema> }> {
  const text = (await (await fetch(`${url}/openapi.json`)).text()).replaceAll('#/components/schemas/', '')
  const { paths, components } = JSON.parse(text)
  const schemaOf = (part?: { content?: Record<string, { schema: TSchema }> }) =>
    part?.content?.['application/json']?.schema
  const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { requestBody, responses }]) => ({
      ...{ method: method.toUpperCase(), path, body: schemaOf(requestBody) as JsonSchema | undefined },
      answers: Object.fromEntries(
        Object.entries<object>(responses).map(([status, answer]) => [status, schemaOf(answer)]),
      ),
    })),
  )
  return { operations, named: components.schemas }
}

/** About the connection or the path, so that they can meet any request and stand at none. */
const ANYWHERE: readonly ApiErrorCode[] = ['not_found', 'method_not_allowed', 'url_too_long', 'headers_too_large']

const PARAM = fc.oneof(
  fc.constantFrom(
    'batch_%00',
    'key_%00',
    '%00',
    '%ZZ',
    '%',
    '..',
    '%2e%2e',
    '%F0%9F%98%80',
    '%C0%80',
    "'%20or%201=1--",
  ),
  fc.constantFrom(`batch_${'0'.repeat(32)}`, `key_${'0'.repeat(17)}`, 'x'.repeat(200), 'x'.repeat(2_000), ''),
  fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent),
)
const QUERY = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom('from', 'chainId', 'address', 'x'), PARAM), { maxLength: 3 })
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  },
)
/** What no request should be made of: depth, odd characters, and bytes that are no text. */
const ODD_BODY = fc.oneof(
  fc.integer({ min: 30, max: 5_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 30, max: 5_000 }).map((depth) => {
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    return `{"targets":[{"targetContractAddress":"0x1","chainId":1,"x":${deep}}]}`
  }),
  fc.constantFrom('\\u0000', '\\ud800', '\\u202e').map((character) => {
    const secret = `sixteen characters ${character}`
    return `{"targets":[{"x":"${character}"}],"label":"${character}","webhook":{"url":"https://a.example/${character}","secret":"${secret}"}}`
  }),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
)
const ACCESS = fc.constantFrom('key', 'session', 'none')

function suite(open: () => Promise<Db>) {
  let db: Db
  let stage: Awaited<ReturnType<typeof listenOn>>
  let client: Client
  beforeAll(async () => {
    db = await open()
    stage = await listenOn(db)
    client = new Client(stage.server.url)
  })
  afterAll(async () => {
    await client.close()
    await stage.server.app.close()
    await db.destroy()
  })

  test('whatever is asked of any route, the answer is no 500 and as the published document says', {
    timeout: patience(120_000),
  }, async () => {
    const { operations, named } = await readOperations(stage.server.url)
    expect(operations.length).toBeGreaterThan(15)
    for (const operation of operations) {
      const { method, path, body, answers } = operation
      // One of them ends its session.
      const cookie = await stage.signIn()
      const bodies = fc.oneof(
        nearly(body ?? {}).map((value) => JSON.stringify(value) ?? ''),
        ODD_BODY,
        fc.constant(undefined),
      )
      const property = fc.asyncProperty(PARAM, QUERY, bodies, ACCESS, async (param, query, sent, access) => {
        const answer = await client.request({
          method: method as 'GET',
          path: `${path.replaceAll(/\{\w+\}/g, () => param)}${query}`,
          headers: {
            ...FROM_PORTAL,
            ...(access === 'key' && { authorization: `Bearer ${stage.key}` }),
            ...(access === 'session' && { cookie }),
            ...(sent !== undefined && { 'content-type': 'application/json' }),
            accept: 'application/json, text/event-stream',
          },
          ...(sent !== undefined && { body: sent }),
        })
        const status = answer.statusCode
        // Has no end of its own.
        if (path.endsWith('/events') && status === 200) return void answer.body.destroy()
        const text = await answer.body.text()
        expect(status, text).not.toBe(500)
        if (String(answer.headers['content-type']).startsWith('text/event-stream')) return
        const said = text === '' ? undefined : JSON.parse(text)
        const isAnywhere = ANYWHERE.some((code) => said?.code === code && apiErrors[code][0] === status)
        const schema = answers[status]
        if (isAnywhere && (schema === undefined || status === 404)) return
        // MCP answers a notification with 202 and nothing.
        if (text === '' && path === '/mcp') return
        expect(schema, `${method} ${path}: ${status} ${text.slice(0, 200)}`).toBeDefined()
        if (schema)
          expect([...Errors(named, schema, said)], `${method} ${path}: ${status} ${text.slice(0, 200)}`).toEqual([])
      })
      await fc.assert(property, fuzz(60))
    }
    expect(stage.failures).toEqual([])
  })

  test.each([
    ['GET', '/api/batch/batch_%00', undefined, 404],
    ['POST', '/api/batch/batch_%00/webhook', undefined, 404],
    ['DELETE', '/api/keys/key_%00', undefined, 404],
    ['POST', '/api/keys/key_%00/rotate', undefined, 404],
    ['POST', '/api/batch', `{"targets":[{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}`, 400],
    [
      'POST',
      '/api/batch',
      '{"targets":[{}],"webhook":{"url":"https://a.example/","secret":"sixteen characters\\u0000"}}',
      400,
    ],
    ['POST', '/api/keys', '{"label":"a\\u0000b"}', 400],
  ] as const)('%s %s is refused before a store is asked', async (method, path, body, expected) => {
    const answer = await client.request({
      ...{ method, path },
      headers: {
        ...FROM_PORTAL,
        ...(path.startsWith('/api/keys') ? { cookie: await stage.signIn() } : { authorization: `Bearer ${stage.key}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
    })
    expect([answer.statusCode, await answer.body.json()]).toMatchObject([expected, { success: false }])
  })
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
describe('on SQLite', () => {
  suite(() => {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-hostile-'))
    folders.push(dataDir)
    return openDatabase({ dataDir, databaseUrl: undefined })
  })
})

const isPostgresThere = await hasPostgres()
describe.skipIf(!isPostgresThere)('on PostgreSQL (skipped where none listens on port 5432)', () => {
  const schemas = createTestSchemas('assay_hostile')
  afterAll(schemas.drop)
  suite(async () => openDatabase({ dataDir: '', databaseUrl: await schemas.newUrl() }))
})
