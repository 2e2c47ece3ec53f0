/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface Schema {
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
}

/**
 * What a request or an answer consists of. Examples of the whole stand beside the schema, one alone
 * or several by name.
 */
export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Answer {
  description?: string
  content?: Record<string, Media>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
  description?: string
}

export interface Operation {
  method: string
  path: string
  summary?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, Media> }
  responses: Record<string, Answer>
}

export interface ApiDocument {
  info: { title: string; version: string; description?: string }
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>
  components?: { schemas?: Record<string, Schema> }
  security?: Record<string, string[]>[]
}

/**
 * The same with every named schema where it is used, but for one inside itself: what is shown of an
 * operation needs no second look.
 */
export function inlineSchemas(document: ApiDocument): ApiDocument {
  const inline = (part: unknown, above: readonly string[]): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map((each) => inline(each, above))
    const name = (part as Schema).$ref?.split('/').at(-1)
    if (name !== undefined) {
      const named = document.components?.schemas?.[name]
      return named === undefined || above.includes(name) ? part : inline(named, [...above, name])
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value, above)]))
  }
  return { ...document, paths: inline(document.paths, []) as ApiDocument['paths'] }
}

/** Each failure that an answer can be: both are constants of its schema. */
export function failuresOf(schema: Schema | undefined): { errorReason: string; code: string }[] {
  const constantOf = (name: string) => schema?.properties?.[name]?.enum?.[0]
  const [errorReason, code] = [constantOf('errorReason'), constantOf('code')]
  if (typeof errorReason === 'string' && typeof code === 'string') return [{ errorReason, code }]
  return [...(schema?.anyOf ?? []), ...(schema?.allOf ?? [])].flatMap(failuresOf)
}

/** All operations in the order of the document. */
export function operationsOf({ paths, security = [] }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ security, ...operation, method: method.toUpperCase(), path })),
  )
}

export const idOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) =>
  `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

/** All examples of a request or an answer, wherever they stand. */
export function examplesOf({ schema, example, examples = {} }: Media): unknown[] {
  const parts = [schema, ...(schema?.allOf ?? [])].flatMap((part) => part?.examples ?? [])
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value), ...parts]
}

/**
 * A value to begin with: the schema's own example, or the required fields with theirs; of several
 * forms the first.
 */
export function exampleOf(schema: Schema | undefined): unknown {
  const [own] = schema?.examples ?? []
  if (own !== undefined) return own
  if (schema?.anyOf) return exampleOf(schema.anyOf[0])
  if (schema?.enum) return schema.enum[0]
  if (schema?.properties) {
    const fields = (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name])] as const)
    return Object.fromEntries(fields)
  }
  return schema?.type === 'number' || schema?.type === 'integer' ? 0 : ''
}

export interface Row {
  /** With dots and brackets for what lies deeper. */
  name: string
  type: string
  isRequired: boolean
  description: string
}

/** Deeper than any answer; a schema that contains itself ends here. */
const MAX_DEPTH = 5

/** The fields of a schema, as the lines of one table. */
export function rowsOf(schema: Schema | undefined, document: ApiDocument, prefix = '', depth = 0): Row[] {
  const resolved = resolve(schema, document)
  if (!resolved || depth > MAX_DEPTH) return []
  if (resolved.allOf) return resolved.allOf.flatMap((part) => rowsOf(part, document, prefix, depth))
  const item = resolve(resolved.items, document)
  if (item) return rowsOf(item, document, `${prefix}[]`, depth)
  const named = resolved.anyOf?.map((part) => resolve(part, document)).find((part) => part?.properties)
  return Object.entries((named ?? resolved).properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const target = resolve(field, document)
    const isRequired = (named ?? resolved).required?.includes(name) ?? false
    const description = field.description ?? target?.description ?? ''
    const isLoop = field.$ref !== undefined && depth > 2
    return [
      { name: path, type: typeOf(field, document), isRequired, description },
      ...(isLoop ? [] : rowsOf(field, document, path, depth + 1)),
    ]
  })
}

function resolve(schema: Schema | undefined, { components }: ApiDocument): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : components?.schemas?.[name]
}

/** A type in a few words. */
export function typeOf(schema: Schema | undefined, document: ApiDocument): string {
  const resolved = resolve(schema, document)
  if (!resolved) return ''
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  if (resolved.enum) return resolved.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (resolved.anyOf) return [...new Set(resolved.anyOf.map((part) => typeOf(part, document)))].join(' | ')
  if (resolved.items) return `${typeOf(resolved.items, document)}[]`
  return [resolved.type ?? 'object'].flat().join(' | ')
}
