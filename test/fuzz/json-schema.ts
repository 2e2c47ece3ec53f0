import fc from 'fast-check'

/** The part of JSON Schema that the interface uses. */
export interface JsonSchema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  items?: JsonSchema
  pattern?: string
}

/** Deeper than any body of ours. */
const MAX_DEPTH = 6

/**
 * Values that nearly are what a schema describes: every member may be missing, in its place may
 * stand anything, and texts and numbers are drawn from what parsers stumble over.
 */
export function nearly(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if (depth > MAX_DEPTH) return fc.jsonValue()
  return fc.oneof({ weight: 7, arbitrary: after(schema, depth) }, { weight: 1, arbitrary: ODD })
}

function after(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => nearly(choice, depth + 1)))
  if (schema.allOf !== undefined) return fc.tuple(...schema.allOf.map((part) => after(part, depth + 1))).map(merge)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, member]) => [name, nearly(member, depth + 1)]),
        ),
        { requiredKeys: [] },
      )
    case 'array':
      return fc.array(nearly(schema.items ?? {}, depth + 1), { maxLength: 4 })
    case 'string':
      return TEXT
    case 'integer':
    case 'number':
      return NUMBER
    case 'boolean':
      return fc.boolean()
    default:
      return fc.jsonValue()
  }
}

const merge = (parts: readonly unknown[]): unknown =>
  parts.every((part) => typeof part === 'object' && part !== null) ? Object.assign({}, ...parts) : parts[0]

const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })

const ADDRESS = '0x514910771af9ca656af840dff83e8264ecf986ca'
const TEXT = fc.oneof(
  fc.constantFrom(ADDRESS, ADDRESS.toUpperCase(), `${ADDRESS}\0`, '', ' ', '0x', '0X', '1', '-1', '1e3', 'SOL', 'all'),
  hexDigits(40).map((digits) => `0x${digits}`),
  hexDigits(64).map((digits) => `0x${digits}`),
  fc.nat({ max: 400 }).chain((bytes) => hexDigits(bytes * 2).map((digits) => `0x${digits}`)),
  fc.constantFrom(
    'http://127.0.0.1:1/',
    'https://[::1]/',
    'file:///etc/passwd',
    'https://example.org/a',
    'javascript:1',
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.bigInt({ min: 0n, max: 2n ** 300n }).map(String),
)
const NUMBER = fc.oneof(
  fc.constantFrom(1, 56, 8453, 42161, 10, 0, -0, -1, 1.5, 137, 2 ** 53, 2 ** 53 + 2, 1e308, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
/** What does not belong there. */
const ODD = fc.oneof(
  fc.constantFrom(null, true, [], {}, [[]], 0, ''),
  fc.constantFrom('__proto__', 'constructor', 'toString').map((name) => JSON.parse(`{"${name}":{"chainId":1}}`)),
  TEXT,
  NUMBER,
  fc.jsonValue({ maxDepth: 3 }),
)
