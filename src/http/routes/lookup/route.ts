import type { FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../../../api-error.js'
import type { Chain } from '../../../chains/chain.js'
import { checksumAddress, parseAddress } from '../../../checksum-address.js'
import { readName } from '../../../lookup/resolve-name.js'
import { failureSchemas, OPEN_FAILURES } from '../../failure-schema.js'
import type { Services } from '../../services.js'

/** `GET /api/lookup`: what an address or a name is, for a person who knows no chain. */
export function lookupRoute({ lookup }: Pick<Services, 'lookup'>): RouteOptions {
  const find = async (text: string) => {
    const known = parseAddress(text)
    if (known !== undefined) return known
    const name = readName(text)
    if (name === undefined) throw new ApiError('invalid_lookup')
    const address = await lookup.resolve(name)
    if (address === undefined) throw new ApiError('name_not_found')
    return address
  }
  return {
    method: 'GET',
    url: '/api/lookup',
    config: { access: 'counted' },
    schema: {
      operationId: 'lookUp',
      summary: 'The chains on which an address is a contract, or what a name of ENS stands for',
      security: [],
      querystring: Type.Object({
        q: Type.String({ description: 'An address of a chain with an EVM, or a name that ends in `.eth`.' }),
      }),
      response: {
        200: LookupBody,
        ...failureSchemas([...OPEN_FAILURES, 'foreign_origin', 'invalid_lookup', 'name_not_found']),
      },
    },
    handler: async (request) => {
      const address = await find(queryOf(request))
      const { chains, unanswered } = await lookup.findChains(address)
      return {
        ...{ success: true, address: checksumAddress(address) },
        ...{ chains: chains.map(toEntry), unanswered: unanswered.map(toEntry) },
      }
    },
  }
}

const toEntry = ({ id, name }: Chain) => ({ id, name })

function queryOf({ query }: FastifyRequest): string {
  const { q } = (query ?? {}) as { q?: unknown }
  return typeof q === 'string' ? q.trim() : ''
}

const Entries = (description: string) =>
  Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), { description })

const LookupBody = Type.Object({
  success: Type.Literal(true),
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  chains: Entries('Where it has code.'),
  unanswered: Entries('Whose nodes did not answer in time: it may be there too.'),
})
