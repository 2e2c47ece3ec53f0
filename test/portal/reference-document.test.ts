import { expect, test } from 'vitest'
import {
  type ApiDocument,
  exampleOf,
  examplesOf,
  failuresOf,
  inlineSchemas,
  operationsOf,
  rowsOf,
} from '../../portal/src/reference/document.js'
import { apiErrors } from '../../src/api-error.js'
import { createTestApp, HONEYPOT, SIMULATE } from '../http/test-app.js'

async function readOperations() {
  const { app } = await createTestApp()
  const document = inlineSchemas((await app.inject({ url: '/openapi.json' })).json<ApiDocument>())
  const operations = operationsOf(document)
  const find = (path: string) => operations.find((each) => each.path === path)
  return { document, operations, find }
}

test('the reference shows the fields of an answer, those of named parts too, and ends where one holds itself', async () => {
  const { document, find } = await readOperations()
  const answer = find(SIMULATE)?.responses[200]?.content?.['application/json']?.schema
  const names = rowsOf(answer, document).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      ...['overall.level', 'checks.simulateResult.sellTax', 'checks.byteCodeResult.conditions[].text'],
      ...['checks.simulateResult.simulation.calls[].calls', 'inputs.digest'],
    ]),
  )
  expect(names.length).toBeLessThan(400)
})

test('it begins a request with an example of its body', async () => {
  const { find } = await readOperations()
  for (const path of [SIMULATE, HONEYPOT]) {
    const media = find(path)?.requestBody?.content?.['application/json'] ?? {}
    expect(examplesOf(media)[0] ?? exampleOf(media.schema), path).toMatchObject({ chainId: expect.any(Number) })
  }
})

test('it lists each failure with its text, for every operation', async () => {
  const { operations } = await readOperations()
  for (const { method, path, responses } of operations) {
    const failures = Object.entries(responses)
      .filter(([status]) => status >= '400')
      .flatMap(([status, { content }]) =>
        failuresOf(content?.['application/json']?.schema).map((failure) => ({ status, ...failure })),
      )
    expect(failures.length, `${method} ${path}`).toBeGreaterThan(4)
    for (const { status, errorReason, code } of failures) {
      expect([Number(status), errorReason]).toEqual(apiErrors[code as keyof typeof apiErrors])
    }
  }
})
