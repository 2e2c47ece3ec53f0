import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Methods of JSON-RPC by name. What throws a {@link NodeRefusal} is answered with its error. */
export type NodeMethods = Record<string, (params: readonly unknown[]) => unknown>

export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
}

interface Call {
  id: number
  method: string
  params: readonly unknown[]
}

/** A node over HTTP that has these methods and no other. */
export async function startMethodNode(methods: NodeMethods): Promise<{ url: string; stop(): Promise<void> }> {
  const answer = async ({ id, method, params }: Call): Promise<object> => {
    const run = methods[method]
    if (!run) return toError(id, -32_601, `the method ${method} is not available`)
    try {
      return { jsonrpc: '2.0', id, result: await run(params) }
    } catch (error) {
      if (error instanceof NodeRefusal) return toError(id, -32_000, error.message)
      throw error
    }
  }
  const answerAll = (body: Call | Call[]): Promise<object> =>
    Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body)
  const server = createServer((request, response) => {
    readBody(request)
      .then(answerAll)
      .then(
        (reply) => response.setHeader('content-type', 'application/json').end(JSON.stringify(reply)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const toError = (id: number, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

async function readBody(request: IncomingMessage): Promise<Call | Call[]> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
