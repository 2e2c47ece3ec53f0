import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { failureSchemas, REQUEST_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'

/**
 * `GET /api/signing-key`: what the signatures of reports are checked with. Open: a report may be
 * shown to a reader without a key.
 */
export function signingKeyRoute({ seals }: Pick<Services, 'seals'>): RouteOptions {
  const { signingKey } = seals
  const answer = {
    success: true,
    signingKey: signingKey ? { keyId: signingKey.keyId, algorithm: 'Ed25519', publicKey: signingKey.publicKey } : null,
  }
  return {
    method: 'GET',
    url: '/api/signing-key',
    config: { access: 'open' },
    schema: {
      operationId: 'readSigningKey',
      summary: 'The public key of signed reports',
      security: [],
      response: { 200: SigningKeyBody, ...failureSchemas(REQUEST_FAILURES) },
    },
    handler: async () => answer,
  }
}

const SigningKeyBody = Type.Object({
  success: Type.Literal(true),
  signingKey: Type.Union(
    [
      Type.Object({
        keyId: Type.String(),
        algorithm: Type.Literal('Ed25519'),
        publicKey: Type.String({ description: 'PEM (SPKI).' }),
      }),
      Type.Null(),
    ],
    { description: 'Null where reports are not signed.' },
  ),
})
