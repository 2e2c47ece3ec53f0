import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { createTestApp } from '../http/test-app.js'

interface Operation {
  operationId: string
  tags: string[]
}

const ROOT = resolve(import.meta.dirname, '../..')

/** What asks and follows, by the names of the document. */
type Methods = Record<string, (request: object) => Promise<unknown> | AsyncGenerator<unknown>>

async function readOperations() {
  const { app } = await createTestApp()
  const { paths } = (await app.inject({ url: '/openapi.json' })).json() as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
}

test('the client has a method for each documented operation, which asks just that', async () => {
  const operations = await readOperations()
  const asked: string[] = []
  const client = createClient({
    ...{ baseUrl: 'https://assay.example', apiKey: 'k' },
    async fetch(url, init) {
      asked.push(`${init?.method} ${new URL(String(url)).pathname}`)
      return new Response('{}')
    },
  }) as unknown as Methods
  const missing: string[] = []
  for (const { operationId, path, method } of operations) {
    const ask = client[operationId]
    if (ask === undefined) {
      missing.push(operationId)
      continue
    }
    const given = ask({ id: 'x' })
    await (given instanceof Promise ? given : given.next())
    expect(asked.at(-1), operationId).toBe(`${method} ${path.replace('{id}', 'x')}`)
  }
  // A browser's session, and another protocol.
  const ofBrowsers = operations.filter(({ tags }) => tags.includes('Sign-in') || tags.includes('Keys'))
  expect(missing.toSorted()).toEqual([...ofBrowsers.map(({ operationId }) => operationId), 'callTool'].toSorted())
  expect(Object.keys(client)).toHaveLength(operations.length - missing.length)
})

test('docs/interfaces.md names each of them', async () => {
  const page = readFileSync(resolve(ROOT, 'docs/interfaces.md'), 'utf8')
  const [, part = ''] = /^## TypeScript client\n([\s\S]*?)^## /m.exec(page) ?? []
  const client = createClient({ baseUrl: '', apiKey: '' })
  expect(Object.keys(client).filter((name) => !part.includes(`\`${name}\``))).toEqual([])
})
