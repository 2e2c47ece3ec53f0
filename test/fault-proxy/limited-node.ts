import type { Fault, ProxyAnswer, ProxyCall } from './fault-proxy.js'

export type Limitation =
  | 'overrides'
  | 'ignored overrides'
  | 'block hash'
  | 'batch'
  | `batch of ${number}`
  | 'eth_getStorageValues'
  | 'debug_traceCall'
  | 'eth_simulateV1'
  | 'eth_createAccessList'

/**
 * Turns an able node into one of the plainer kinds that are found in public: honest, but with less
 * to offer.
 */
export function limitedNode(...limitations: readonly Limitation[]): Fault[] {
  return limitations.map((limitation) => {
    if (limitation === 'overrides') return refuseOverrides
    if (limitation === 'ignored overrides') return ignoreOverrides
    if (limitation === 'block hash') return refuseBlockHash
    if (limitation === 'batch') return limitBatch(1)
    if (limitation.startsWith('batch of ')) return limitBatch(Number(limitation.slice('batch of '.length)))
    return {
      name: `no ${limitation}`,
      method: limitation,
      answer: ({ id }) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32601, message: `the method ${limitation} does not exist/is not available` },
      }),
    }
  })
}

const refuseOverrides: Fault = {
  name: 'refuses overrides',
  method: 'eth_call',
  answer: (honest, { params }) =>
    params.length > 2 ? rejection(honest, -32602, 'too many arguments, want at most 2') : honest,
}

const ignoreOverrides: Fault = {
  name: 'ignores overrides',
  method: 'eth_call',
  call: (call) => ({ ...call, params: call.params.slice(0, 2) }),
}

const refuseBlockHash: Fault = {
  name: 'knows blocks by number only',
  answer: (honest, call) =>
    namesBlockHash(call) ? rejection(honest, -32602, 'invalid argument: hex string expected') : honest,
}

const namesBlockHash = ({ params }: ProxyCall) =>
  params.some((param) => typeof param === 'object' && param !== null && 'blockHash' in param)

function limitBatch(size: number): Fault {
  return {
    name: `batches of ${size}`,
    async exchange(reply, honest, calls) {
      const text =
        calls.length > size
          ? JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } })
          : await honest()
      reply.writeHead(200, { 'content-type': 'application/json' }).end(text)
    },
  }
}

function rejection({ id }: ProxyAnswer, code: number, message: string): ProxyAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
