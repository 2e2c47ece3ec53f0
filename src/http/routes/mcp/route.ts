import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '../../../api-error.js'
import type { McpServices } from '../../../mcp/create-mcp-server.js'
import { COMMON_FAILURES, failureSchemas } from '../../failure-schema.js'
import { countRequest } from '../../middleware/rate-limit.js'
import type { Services } from '../../services.js'

const failures = failureSchemas([...COMMON_FAILURES, 'server_error'])

/** What is wrong with a message is said as the protocol says it, by its number and in its words. */
const ProtocolError = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    error: Type.Object({ code: Type.Integer(), message: Type.String() }),
    id: Type.Null(),
  },
  { description: 'Not a message of the protocol, or not one that can be answered.' },
)

/**
 * `POST /mcp`: the checks as tools of the Model Context Protocol (Streamable HTTP). Without
 * sessions: each request stands for itself, so that any process can answer it.
 */
export function mcpRoute(services: McpServices & Pick<Services, 'limiter'>): RouteOptions {
  return {
    method: 'POST',
    url: '/mcp',
    config: { access: 'key' },
    schema: {
      operationId: 'callTool',
      summary: 'Model Context Protocol',
      body: Type.Object({}, { description: 'A JSON-RPC message of the protocol.' }),
      response: {
        200: Type.Object({}, { description: 'The JSON-RPC answer.' }),
        ...failures,
        400: Type.Union([failures[400] ?? ProtocolError, ProtocolError]),
        406: ProtocolError,
      },
    },
    handler: async (request, reply) => {
      // Many messages in one request would be many requests that count as one; none is no request.
      if (request.body === undefined || Array.isArray(request.body)) throw new ApiError('invalid_json')
      const answer = await answerOnce(services, request, reply)
      for (const name of ['content-type', 'allow']) {
        const value = answer.headers.get(name)
        if (value !== null) reply.header(name, value)
      }
      return reply.code(answer.status).send(await answer.text())
    },
  }
}

async function answerOnce(
  services: McpServices & Pick<Services, 'limiter'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Response> {
  const { apiKey } = request
  if (apiKey === undefined) throw new ApiError('invalid_key')
  // Loaded by the first who speaks the protocol: most services are never asked in it.
  const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
    import('../../../mcp/create-mcp-server.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  const server = createMcpServer({
    services,
    caller: apiKey.id,
    count: () =>
      countRequest(
        services.limiter,
        { caller: { kind: 'key', id: apiKey.id }, limitClass: 'analysis', limit: apiKey.limits.analysis },
        reply,
      ),
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const leave = () => void server.close()
  reply.raw.once('close', leave)
  try {
    await server.connect(transport)
    return await transport.handleRequest(toWebRequest(request), { parsedBody: request.body })
  } finally {
    reply.raw.off('close', leave)
  }
}

/**
 * Only the headers that the protocol reads; the host is of no account, because nothing here depends
 * on it.
 */
function toWebRequest({ headers }: FastifyRequest): Request {
  const read = ['accept', 'content-type', 'mcp-protocol-version'] as const
  const kept = read.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return new Request('http://localhost/mcp', { method: 'POST', headers: kept })
}
