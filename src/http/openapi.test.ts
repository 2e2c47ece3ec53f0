import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { createTestApp, HONEYPOT, ORIGIN, PHISHING, SIMULATE } from '../../test/http/test-app.js'
import { apiErrors, type Failure, toFailure } from '../api-error.js'
import { nameSchemas } from './name-schemas.js'
import { schemaNames } from './schema-names.js'

interface Document {
  openapi: string
  info: { version: string; license: object }
  servers: object[]
  tags: { name: string }[]
  security: object[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: object }
}

interface Operation {
  operationId?: string
  summary?: string
  tags: string[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { description: string }>
  security?: object[]
}

const readDocument = async (): Promise<Document> => {
  const { app } = await createTestApp()
  const response = await app.inject({ url: '/openapi.json' })
  expect(response.statusCode).toBe(200)
  return response.json()
}

test('describes every route that there is, and nothing else', async () => {
  const document = await readDocument()
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.2.3')
  const wallet = ['/api/auth/logout', '/api/auth/nonce', '/api/auth/session', '/api/auth/verify']
  const keys = ['/api/keys', '/api/keys/{id}', '/api/keys/{id}/rotate']
  expect(Object.keys(document.paths).toSorted()).toEqual(
    [
      HONEYPOT,
      PHISHING,
      SIMULATE,
      '/api/analysis/stream',
      '/mcp',
      '/api/batch',
      '/api/batch/webhooks',
      '/api/batch/{id}',
      '/api/batch/{id}/webhook',
      '/api/chains',
      '/api/contacts',
      '/api/contacts/{id}',
      '/api/false-results',
      '/api/feed',
      '/api/feed/events',
      '/api/lookup',
      '/api/reports',
      '/api/reports/{id}',
      '/api/reports/{id}/check',
      '/r/{id}/report.json',
      '/api/signing-key',
      '/api/stats',
      '/api/usage',
      '/api/solana/token-checks',
      '/api/watches',
      '/api/watches/alerts',
      '/api/watches/events',
      '/api/watches/{id}',
      '/api/watches/{id}/dependencies',
      '/health',
      '/ready',
      ...wallet,
      ...keys,
    ].toSorted(),
  )
})

test('lists the exact texts of every status that an analysis can have', async () => {
  const document = await readDocument()
  const responses = document.paths[SIMULATE]?.post?.responses ?? {}
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '408', '413', '415', '429', '500', '503'])
  expect(responses[401]?.description).toBe('Missing Authorization header · Invalid Authorization format')
  for (const [status, answer] of Object.entries<object>(responses)) {
    if (status === '200') continue
    const failures = failuresIn(document, answer)
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toEqual({ ...toFailure(failure.code), status: Number(status) })
  }
})

/** What a response can be, each failure with the status that its code has. */
function failuresIn(document: Document, answer: object): (Failure & { status: number })[] {
  return referencesIn(answer)
    .filter((name) => name.endsWith('Failure'))
    .map((name) => {
      const { properties } = document.components.schemas[name] as { properties: Record<string, { enum: unknown[] }> }
      const fields = Object.entries(properties).map(([field, { enum: values }]) => [field, values[0]])
      const failure = Object.fromEntries(fields) as Failure
      return { ...failure, status: apiErrors[failure.code][0] }
    })
}

const referencesIn = (part: object) =>
  [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)

test('every reference is to a schema that is there, and every schema is referred to', async () => {
  const document = await readDocument()
  expect([...new Set(referencesIn(document))].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
  expect(referencesIn(document.components.schemas.CallFrame ?? {})).toEqual(['CallFrame'])
})

test('every part that has a name stands under it, and no large part stands twice', async () => {
  const { paths, components } = await readDocument()
  const failures = Object.keys(schemaNames()).filter((name) => name.endsWith('Failure'))
  const named = Object.keys(schemaNames()).filter((name) => !failures.includes(name))
  expect(named.filter((name) => !(name in components.schemas))).toEqual([])
  const seen = new Set<string>()
  const twice: string[] = []
  JSON.stringify({ paths, components }, (_, part) => {
    const text = typeof part === 'object' && part?.properties ? JSON.stringify(part) : ''
    if (text.length > 400 && seen.has(text)) twice.push(text.slice(0, 200))
    seen.add(text)
    return part
  })
  expect(twice).toEqual([])
})

test('two schemas of one name are refused', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  const operation = {
    operationId: 'readThing',
    responses: { 200: { content: { 'application/json': { schema: {} } } } },
  }
  expect(() =>
    nameSchemas({ paths: { '/': { get: operation } }, components: { schemas: { ReadThingAnswer: schema } } }, {}),
  ).toThrow('ReadThingAnswer')
})

test('follows the rules by which documents of this kind are checked', async () => {
  const { info, servers, tags, paths, components } = await readDocument()
  expect(info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
  expect(servers).toEqual([{ url: ORIGIN }])
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, ...operation })),
  )
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? ''))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  const known = tags.map(({ name }) => name)
  for (const { operationId, summary, tags: own, responses, path, parameters = [], security } of operations) {
    expect(summary, operationId).toMatch(/^[A-Z].{5,}[^.]$/)
    expect(own.length === 1 && known.includes(own[0] ?? ''), operationId).toBe(true)
    expect(
      Object.keys(responses).some((status) => /^2/.test(status)),
      operationId,
    ).toBe(true)
    expect(
      Object.keys(responses).some((status) => /^4/.test(status)),
      operationId,
    ).toBe(true)
    for (const answer of Object.values(responses)) expect(answer.description, operationId).toMatch(/./)
    const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    for (const way of (security ?? []).flatMap((each) => Object.keys(each))) {
      expect(Object.keys(components.securitySchemes)).toContain(way)
    }
  }
  const lonely = [...JSON.stringify(paths).matchAll(/"(?:any|one|all)Of":\[(\{[^{}]*\})\]/g)]
  expect(lonely).toEqual([])
})

test('is under 60 kB compressed', async () => {
  const { app } = await createTestApp()
  const { rawPayload, headers } = await app.inject({ url: '/openapi.json', headers: { 'accept-encoding': 'gzip' } })
  expect(headers['content-encoding']).toBe('gzip')
  expect(rawPayload.length).toBeLessThan(60_000)
  expect(rawPayload.length).toBeGreaterThan(10_000)
})

test('open routes need no key, all others do', async () => {
  const { paths, security } = await readDocument()
  expect(security).toEqual([{ key: [] }])
  expect(paths['/health']?.get?.security).toEqual([])
  expect(paths[SIMULATE]?.post?.security).toBeUndefined()
})

/**
 * Every example in the document with the schema that it is of: beside it for a whole body, in it
 * for anything else.
 */
function examplesIn(part: unknown): { schema: TSchema; example: unknown }[] {
  if (typeof part !== 'object' || part === null) return []
  const { schema = part, example, examples = [] } = part as Record<string, object | undefined>
  const listed = Array.isArray(examples) ? examples : Object.values(examples).map(({ value }) => value)
  const own = [...(example === undefined ? [] : [example]), ...listed]
  return [
    ...own.map((each) => ({ schema: schema as TSchema, example: each })),
    ...Object.values(part).flatMap((inner) => examplesIn(inner)),
  ]
}

test('every example is of its schema', async () => {
  const document = await readDocument()
  const found = examplesIn(document)
  const { components } = document
  expect(found.length).toBeGreaterThan(4)
  for (const { schema, example } of found)
    expect([...Errors({ ...schema, components } as TSchema, example)], JSON.stringify(example)).toEqual([])
})

test('every failure is named by a route that can answer it, with its status and its exact words', async () => {
  const document = await readDocument()
  const answered = new Set<string>()
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const [status, answer] of Object.entries<object>(operation.responses)) {
      if (status < '400') continue
      for (const { status: own, ...failure } of failuresIn(document, answer)) {
        expect(failure).toEqual(toFailure(failure.code))
        expect(status).toBe(String(own))
        answered.add(failure.code)
      }
    }
  }
  // These are about the connection or the path, and can meet any request.
  const anywhere = ['not_found', 'method_not_allowed', 'url_too_long', 'headers_too_large']
  expect([...new Set([...answered, ...anywhere])].toSorted()).toEqual(Object.keys(apiErrors).toSorted())
})
