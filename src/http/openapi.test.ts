import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { createTestApp, HONEYPOT, PHISHING, SIMULATE } from '../../test/http/test-app.js'
import { apiErrors, type Failure, toFailure } from '../api-error.js'

const readDocument = async () => {
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
      '/api/lookup',
      '/api/reports',
      '/api/reports/{id}',
      '/api/reports/{id}/check',
      '/r/{id}/report.json',
      '/api/signing-key',
      '/api/solana/token-checks',
      '/api/watches',
      '/api/watches/alerts',
      '/api/watches/events',
      '/api/watches/{id}',
      '/health',
      '/ready',
      ...wallet,
      ...keys,
    ].toSorted(),
  )
})

test('lists the exact texts of every status that an analysis can have', async () => {
  const { responses } = (await readDocument()).paths[SIMULATE].post
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '408', '413', '415', '429', '500', '503'])
  expect(responses[401].description).toBe('Missing Authorization header · Invalid Authorization format')
  for (const [status, { content }] of Object.entries<{ content: Record<string, { schema: object }> }>(responses)) {
    if (status === '200') continue
    const texts = Object.values(apiErrors)
      .filter(([known]) => String(known) === status)
      .map(([, text]) => text)
    const listed = JSON.stringify(content['application/json']?.schema).matchAll(/"const":"([^"]+)"/g)
    expect([...texts, ...Object.keys(apiErrors)]).toEqual(expect.arrayContaining([...listed].map(([, text]) => text)))
  }
})

test('the call tree refers to itself by a name that is there', async () => {
  const document = await readDocument()
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  expect(new Set(references)).toEqual(new Set(['CallFrame']))
  expect(Object.keys(document.components.schemas)).toEqual(['CallFrame'])
})

test('open routes need no key, all others do', async () => {
  const { paths, security } = await readDocument()
  expect(security).toEqual([{ key: [] }])
  expect(paths['/health'].get.security).toEqual([])
  expect(paths[SIMULATE].post.security).toBeUndefined()
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
  const found = examplesIn((await readDocument()).paths)
  expect(found.length).toBeGreaterThan(100)
  for (const { schema, example } of found) expect([...Errors(schema, example)], JSON.stringify(example)).toEqual([])
})

test('every failure is an example of a route that can answer it, with its status and its exact words', async () => {
  const { paths } = await readDocument()
  const answered = new Set<string>()
  for (const operation of Object.values<object>(paths).flatMap((item) => Object.values(item))) {
    for (const [status, answer] of Object.entries<object>(operation.responses)) {
      if (status < '400') continue
      for (const { example } of examplesIn(answer)) {
        const { code } = example as Failure
        expect(example).toEqual(toFailure(code))
        expect(status).toBe(String(apiErrors[code][0]))
        answered.add(code)
      }
    }
  }
  // These are about the connection or the path, and can meet any request.
  const anywhere = ['not_found', 'method_not_allowed', 'url_too_long', 'headers_too_large']
  expect([...new Set([...answered, ...anywhere])].toSorted()).toEqual(Object.keys(apiErrors).toSorted())
})
