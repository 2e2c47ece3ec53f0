import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { toWireChainId } from '../../../chains/chain-id.js'
import { failureSchemas, REQUEST_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'

/**
 * `GET /api/chains`: what may be asked about, the operator's own chains among it, and what to begin
 * with.
 */
export function chainsRoute({ config }: Pick<Services, 'config'>): RouteOptions {
  const evm = config.chains.map(({ id, name, nativeSymbol: coin }) => ({ id, name, coin }))
  const answer = {
    success: true,
    chains: [...evm, { id: 'SOL', name: 'Solana', coin: 'SOL' }],
    examples: config.examples.map(({ chainId, ...example }) => ({ ...example, chainId: toWireChainId(chainId) })),
  }
  return {
    method: 'GET',
    url: '/api/chains',
    config: { access: 'open' },
    schema: {
      operationId: 'listChains',
      summary: 'The chains that are judged',
      security: [],
      response: { 200: ChainsBody, ...failureSchemas(REQUEST_FAILURES) },
    },
    handler: async () => answer,
  }
}

const ChainsBody = Type.Object({
  success: Type.Literal(true),
  chains: Type.Array(
    Type.Object({
      id: Type.Union([Type.Integer(), Type.Literal('SOL')], { description: 'What `chainId` of a request is.' }),
      name: Type.String(),
      coin: Type.String({ description: 'Symbol of the native coin.' }),
    }),
  ),
  examples: Type.Array(
    Type.Object({
      name: Type.String(),
      chainId: Type.Union([Type.Integer(), Type.Literal('SOL')]),
      address: Type.String(),
    }),
    { description: 'What the operator offers to look at first.' },
  ),
})
