import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { compressDocument, type Document, sendDocument } from './serve-document.js'

/**
 * Describes every route that is registered after it, from the schemas of the routes themselves, at
 * `GET /openapi.json`.
 */
export async function serveOpenApi(app: FastifyInstance, { version }: { version: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version,
        description:
          'Tells whether a token or contract is safe to touch, by trading it on a private copy of the live chain.',
      },
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
  // Once, for the first who asks: everybody may, as often as he likes.
  let document: Promise<Document> | undefined
  app.get('/openapi.json', { config: { access: 'open' }, schema: { hide: true } }, async (request, reply) => {
    document ??= compressDocument('application/json; charset=utf-8', Buffer.from(JSON.stringify(app.swagger())))
    return sendDocument(request, reply.header('cache-control', 'no-cache'), await document)
  })
}
