import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DevnetError } from '../node.js'
import type { SolanaChain } from './cluster.js'
import { answerCall } from './json-rpc-methods.js'
import { RpcCallError } from './json-rpc-params.js'

/** A JSON-RPC node on a cluster in memory, on a free port of this machine. */
export interface SolanaNode {
  url: string
  stop(): Promise<void>
}

export async function startSolanaNode(chain: SolanaChain): Promise<SolanaNode> {
  const server = createServer((request, reply) => {
    readBody(request)
      .then((body) => {
        const parsed: unknown = JSON.parse(body)
        const answers = Array.isArray(parsed) ? parsed.map((call) => answer(chain, call)) : answer(chain, parsed)
        reply.writeHead(200, { 'content-type': 'application/json' }).end(writeJson(answers))
      })
      .catch(() => reply.writeHead(400).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A test's requests are small; programs come in answers only. */
const MAX_BODY_BYTES = 1_000_000

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new DevnetError('A request is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

interface Call {
  id?: unknown
  method?: unknown
  params?: unknown
}

function answer(chain: SolanaChain, call: unknown) {
  const { id = null, method, params } = (typeof call === 'object' && call !== null ? call : {}) as Call
  try {
    const result = answerCall(chain, String(method), Array.isArray(params) ? params : [])
    return { jsonrpc: '2.0', id, result }
  } catch (error) {
    const { code, message } = error instanceof RpcCallError ? error : { code: -32602, message: String(error) }
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

/** Nodes write 64 bits as plain numbers, which `JSON.stringify` cannot. */
function writeJson(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `@bigint:${each}` : each))
  return text.replace(/"@bigint:(-?\d+)"/g, '$1')
}
