import { expect, test } from 'vitest'
import { createTestApp, HONEYPOT, SIMULATE } from '../../test/http/test-app.js'
import { apiErrors } from './api-error.js'

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
  expect(Object.keys(document.paths).toSorted()).toEqual([HONEYPOT, SIMULATE, '/health', '/ready'].toSorted())
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
