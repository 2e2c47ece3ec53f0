import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { type ApiDocument, nameSchemas } from './name-schemas.js'
import { schemaNames } from './schema-names.js'
import { compressDocument, type Document, sendDocument } from './serve-document.js'

/**
 * Describes every route that is registered after it, from the schemas of the routes themselves, at
 * `GET /openapi.json`.
 */
export async function serveOpenApi(
  app: FastifyInstance,
  { version, origins }: { version: string; origins: readonly string[] },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version,
        description:
          'Tells whether a token or contract is safe to touch, by trading it on a private copy of the live chain.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: origins.map((url) => ({ url })),
      tags: TAGS.map(({ name, description }) => ({ name, description })),
      security: [{ key: [] }],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-assay_session',
            description: 'A wallet that signed in.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: ({ $id }, _baseUri, _fragment, i) => ($id as string | undefined) ?? `schema-${i}`,
    },
  })
  // Once, for the first who asks: any caller may, at any rate.
  let document: Promise<Document> | undefined
  app.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
    document ??= compressDocument('application/json; charset=utf-8', Buffer.from(JSON.stringify(describe(app))))
    return sendDocument(request, reply.header('cache-control', 'no-cache'), await document)
  })
}

function describe(app: FastifyInstance): ApiDocument {
  const document = nameSchemas(app.swagger() as ApiDocument, schemaNames())
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const tag = TAGS.find(({ paths }) => paths.some((start) => path.startsWith(start)))
    for (const operation of Object.values(item)) operation.tags = tag ? [tag.name] : []
  }
  return document
}

/** Parts of the interface by how their paths begin; the first that fits. */
const TAGS = [
  { name: 'Batches', description: 'Up to 100 targets, with a webhook at the end.', paths: ['/api/batch'] },
  { name: 'Watches', description: 'Tokens that are followed, and what happened to them.', paths: ['/api/watches'] },
  { name: 'Feed', description: 'Tokens that came to a market, and the verdicts on them.', paths: ['/api/feed'] },
  { name: 'Contacts', description: 'People who are told of alerts.', paths: ['/api/contacts'] },
  { name: 'Saved reports', description: 'Reports that are kept, and shown by a link.', paths: ['/api/reports', '/r/'] },
  { name: 'Sign-in', description: 'With a wallet.', paths: ['/api/auth'] },
  { name: 'Keys', description: 'Of a wallet that is signed in.', paths: ['/api/keys'] },
  {
    name: 'Analyses',
    description: 'Whether a token or contract is safe to touch.',
    paths: ['/api/simulate', '/api/honeypot', '/api/phishing', '/api/solana', '/api/analysis', '/mcp'],
  },
  { name: 'Service', description: 'What it judges, and whether it can.', paths: ['/'] },
]
