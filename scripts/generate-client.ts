import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { apiErrors } from '../src/api-error.js'
import { createTestApp } from '../test/http/test-app.js'

/**
 * Writes `src/client/operations.ts` from the OpenAPI document of the service itself; with `--check`
 * compares instead, and fails on a difference.
 */

const FILE = resolve(import.meta.dirname, '../src/client/operations.ts')

/** Signing in is for browsers, which keep the session; so is what a session alone opens. */
const OF_BROWSERS = ['Sign-in', 'Keys']
/** Another protocol, which has clients of its own. */
const OF_OTHERS = ['callTool']

const EVENTS = 'text/event-stream'

interface Operation {
  operationId: string
  tags: string[]
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
  /** None of an operation whose answer are events. */
  response: JSONSchema | undefined
}

async function readDocument() {
  const { app } = await createTestApp()
  const response = await app.inject({ url: '/openapi.json' })
  return response.json<{
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JSONSchema> }
  }>()
}

const isForPrograms = ({ operationId, tags }: Operation) =>
  !tags.some((tag) => OF_BROWSERS.includes(tag)) && !OF_OTHERS.includes(operationId)

/** A body stands under its name among the components; its parts stay references. */
type Resolve = (schema: JSONSchema | undefined) => JSONSchema | undefined

function describe(method: string, path: string, operation: Operation, resolveBody: Resolve): Described {
  const name = operation.operationId
  const fields = operation.parameters ?? []
  const namesIn = (place: string) => fields.filter((field) => field.in === place).map((field) => field.name)
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
  const isEvents = success?.content?.[EVENTS] !== undefined
  const response = isEvents ? undefined : resolveBody(success?.content?.['application/json']?.schema)
  if (response === undefined && !isEvents) throw new Error(`${name} has no answer`)
  const body = resolveBody(operation.requestBody?.content['application/json'].schema)
  return {
    name,
    method: method.toUpperCase(),
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
  const resolveBody: Resolve = (schema) =>
    schema?.$ref === undefined ? schema : components.schemas[schema.$ref.replace('#/components/schemas/', '')]
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isForPrograms(operation))
      .map(([method, operation]) => describe(method, path, operation, resolveBody)),
  )
  const named = described.flatMap(({ name, request, response }) => [
    [titleOf(name, 'Request'), request],
    ...(response === undefined ? [] : [[titleOf(name, 'Answer'), response]]),
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
    ({ name, method, path, params, query, response }) =>
      `  ${name}: { method: '${method}', path: '${path}', params: ${JSON.stringify(params)}, query: ${JSON.stringify(query)}, isEvents: ${response === undefined} },`,
  )
  const answering = described.filter(({ response }) => response !== undefined)
  const signatures = answering.map(
    ({ name }) => `  ${name}: { request: ${titleOf(name, 'Request')}; answer: ${titleOf(name, 'Answer')} }`,
  )
  const streams = described.filter(({ response }) => response === undefined)
  const requests = streams.map(({ name }) => `  ${name}: { request: ${titleOf(name, 'Request')} }`)
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

/** What each method sends that gives events. */
export interface Streams {
${requests.join('\n')}
}

/** Where each method goes, and whether it gives events. */
export const operations = {
${operations.join('\n')}
} as const
`
}

/**
 * Examples and notes about the form of texts are for readers of the document; as comments in types
 * they would hide them.
 */
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
