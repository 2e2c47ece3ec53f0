import { BaseError } from '../errors.js'

/** As much of an OpenAPI document as is changed here. */
export interface ApiDocument {
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

interface Operation {
  operationId?: string
  tags?: string[]
  requestBody?: Answer
  responses?: Record<string, Answer>
}

interface Answer {
  content?: Record<string, { schema?: unknown }>
}

/**
 * The document with each of `names` standing once, under its name, wherever it is used; and with
 * the bodies of each operation named after it.
 */
export function nameSchemas<Document extends ApiDocument>(
  document: Document,
  names: Readonly<Record<string, unknown>>,
): Document {
  const nameOf = new Map(Object.entries(names).map(([name, schema]) => [keyOf(schema), name]))
  const schemas: Record<string, unknown> = {}

  const refer = (name: string, schema: unknown) => {
    schemas[name] ??= schema
    return { $ref: `#/components/schemas/${name}` }
  }
  /** From the outside in, so that the parts of what has a name get theirs, too. */
  const shorten = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(shorten)
    const choice = toEnum(part)
    if (choice !== undefined) return choice
    const name = isSchema(part) ? nameOf.get(keyOf(part)) : undefined
    if (name !== undefined && name in schemas) return refer(name, undefined)
    const shortened = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, shorten(value)]))
    return name === undefined ? shortened : refer(name, shortened)
  }
  const nameBody = (name: string, body: Answer | undefined) => {
    const media = body?.content?.['application/json']
    if (media?.schema === undefined || isReference(media.schema)) return
    if (name in schemas) throw new SchemaNameError(name)
    media.schema = refer(name, media.schema)
  }

  const named = shorten({ ...document, components: { ...document.components, schemas: undefined } }) as Document
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) schemas[name] = shorten(schema)
  for (const operation of Object.values(named.paths ?? {}).flatMap((item) => Object.values(item))) {
    const title = operation.operationId?.replace(/^./, (letter) => letter.toUpperCase())
    if (title === undefined) continue
    nameBody(`${title}Request`, operation.requestBody)
    const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))
    nameBody(`${title}Answer`, success?.[1])
  }
  return { ...named, components: { ...named.components, schemas } }
}

const isSchema = (part: object) => 'type' in part || 'anyOf' in part || 'allOf' in part
const isReference = (schema: unknown) => typeof schema === 'object' && schema !== null && '$ref' in schema

/** The same for schemas that say the same: one value is a `const` here and an `enum` there. */
function keyOf(schema: unknown): string {
  return JSON.stringify(schema, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    const { const: value, ...rest } = part as Record<string, unknown>
    const fields = value === undefined ? rest : { ...rest, enum: [value] }
    return Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** One of several texts, as readers and generators of clients expect it. */
function toEnum(part: object): object | undefined {
  const { anyOf, ...rest } = part as { anyOf?: unknown }
  if (!Array.isArray(anyOf)) return undefined
  const values = anyOf.flatMap(({ type, const: value, enum: [only] = [value], ...more }) =>
    type === 'string' && only !== undefined && Object.keys(more).length === 0 ? [only] : [],
  )
  return values.length === anyOf.length ? { type: 'string', enum: values, ...rest } : undefined
}

/** Two schemas of the OpenAPI document would have one name. */
export class SchemaNameError extends BaseError {
  override readonly name = 'SchemaNameError'

  constructor(name: string) {
    super(`Two schemas of the OpenAPI document are called ${name}`)
  }
}
