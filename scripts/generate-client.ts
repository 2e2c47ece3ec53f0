import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { apiErrors } from '../src/api-error.js'
import { createTestApp } from '../test/http/test-app.js'

/** Writes `src/client/operations.ts` from the OpenAPI document of the service itself; with `--check` compares instead, and fails on a difference. */

const FILE = resolve(import.meta.dirname, '../src/client/operations.ts')

/** Every route that a key opens, by the name that the client gives it. Events are no single answer, and have no method. */
const NAMES: Readonly<Record<string, string>> = {
  'POST /api/simulate/execute-simulation': 'simulate',
  'POST /api/honeypot/honeypot-checks': 'checkHoneypot',
  'POST /api/phishing/phishing-checks': 'checkPhishing',
  'POST /api/solana/token-checks': 'checkSolanaToken',
  'POST /api/batch': 'createBatch',
  'GET /api/batch/{id}': 'readBatch',
  'GET /api/batch/webhooks': 'listWebhooks',
  'POST /api/batch/{id}/webhook': 'redeliverWebhook',
  'POST /api/watches': 'createWatch',
  'GET /api/watches': 'listWatches',
  'GET /api/watches/{id}': 'readWatch',
  'DELETE /api/watches/{id}': 'endWatch',
  'GET /api/watches/alerts': 'listAlerts',
  'POST /api/reports': 'saveReport',
  'GET /api/reports': 'listReports',
  'GET /api/reports/{id}': 'readReport',
  'PATCH /api/reports/{id}': 'showReport',
  'DELETE /api/reports/{id}': 'deleteReport',
  'POST /api/reports/{id}/check': 'checkReportAgain',
}
const LEFT_OUT = ['POST /api/analysis/stream', 'GET /api/watches/events', 'POST /mcp']

interface Operation {
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: JSONSchema }[]
  requestBody?: { content: { 'application/json': { schema: JSONSchema } } }
  responses: Record<string, { content?: Record<string, { schema: JSONSchema }> }>
}

interface Described {
  name: string
  method: string
  path: string
  params: string[]
  query: string[]
  request: JSONSchema
  response: JSONSchema
}

async function readDocument() {
  const { app } = await createTestApp()
  const response = await app.inject({ url: '/openapi.json' })
  return response.json<{
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JSONSchema> }
  }>()
}

/** Routes for a session or for everyone are the portal's, not a program's. */
const needsKey = ({ security }: Operation) => security === undefined || security.some((way) => 'key' in way)

function describe(route: string, path: string, operation: Operation): Described {
  const name = NAMES[route]
  if (name === undefined) throw new Error(`scripts/generate-client.ts has no name for ${route}`)
  const fields = operation.parameters ?? []
  const namesIn = (place: string) => fields.filter((field) => field.in === place).map((field) => field.name)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const response = success?.content?.['application/json']?.schema
  if (response === undefined) throw new Error(`${route} has no answer`)
  const body = operation.requestBody?.content['application/json'].schema
  return {
    name,
    method: route.split(' ')[0] ?? '',
    path,
    params: namesIn('path'),
    query: namesIn('query'),
    request: {
      ...body,
      ...(body?.anyOf === undefined && {
        type: 'object',
        properties: { ...body?.properties, ...Object.fromEntries(fields.map((field) => [field.name, field.schema])) },
        required: [
          ...(Array.isArray(body?.required) ? body.required : []),
          ...fields.filter(({ required }) => required).map((field) => field.name),
        ],
      }),
    },
    response,
  }
}

const titleOf = (name: string, suffix: string) => `${name[0]?.toUpperCase()}${name.slice(1)}${suffix}`

async function generate(): Promise<string> {
  const { paths, components } = await readDocument()
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, path, operation }))
      .filter(({ route, operation }) => needsKey(operation) && !LEFT_OUT.includes(route))
      .map(({ route, operation }) => describe(route, path, operation)),
  )
  const named = described.flatMap(({ name, request, response }) => [
    [titleOf(name, 'Request'), request],
    [titleOf(name, 'Answer'), response],
  ])
  const root = {
    type: 'object',
    properties: Object.fromEntries(named.map(([title, schema]) => [title, { ...(schema as object), title }])),
    required: named.map(([title]) => title),
    components,
  } as JSONSchema
  const types = await compile(withoutExamples(root) as JSONSchema, 'Schemas', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    unreachableDefinitions: false,
    ignoreMinAndMaxItems: true,
  })
  const operations = described.map(
    ({ name, method, path, params, query }) =>
      `  ${name}: { method: '${method}', path: '${path}', params: ${JSON.stringify(params)}, query: ${JSON.stringify(query)} },`,
  )
  const signatures = described.map(
    ({ name }) => `  ${name}: { request: ${titleOf(name, 'Request')}; answer: ${titleOf(name, 'Answer')} }`,
  )
  const codes = Object.keys(apiErrors).map((code) => `  | '${code}'`)
  const plain = types
    .replace(/export interface (\w+) \{\s*\}/g, 'export type $1 = Record<string, never>')
    .replace(/\{\s*\}/g, 'object')
  return `// Made by \`npm run generate:client\` from the OpenAPI document. Do not edit.

${plain.trim()}

/** Every \`code\` of a failure; docs/errors.md explains each. */
export type FailureCode =
${codes.join('\n')}

/** What each method of the client sends and gives. */
export interface Operations {
${signatures.join('\n')}
}

/** Where each method goes. */
export const operations = {
${operations.join('\n')}
} as const
`
}

/** Examples and notes about the form of texts are for readers of the document; as comments in types they would hide them. */
function withoutExamples(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutExamples)
  if (typeof part !== 'object' || part === null) return part
  const kept = Object.entries(part).filter(([name, value]) => !(name === 'examples' && Array.isArray(value)))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutExamples(value)]))
}

const biome = resolve(import.meta.dirname, '../node_modules/.bin/biome')
const text = execFileSync(biome, ['format', `--stdin-file-path=${FILE}`], { input: await generate(), encoding: 'utf8' })
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(
    'src/client/operations.ts is not what the OpenAPI document gives: run "npm run generate:client"\n',
  )
  process.exitCode = 1
}
