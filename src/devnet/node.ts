import { BaseError } from '../errors.js'

interface NodeCall {
  method: string
  params: readonly unknown[]
}

/**
 * JSON-RPC to the devnet's own anvil: trusted, local, and therefore without the care that `src/rpc`
 * takes.
 */
export interface DevnetNode {
  url: string
  call<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /**
   * One HTTP request; answers in the order of the calls. Their effects have no order among each
   * other.
   */
  batch<T = unknown>(calls: readonly NodeCall[]): Promise<T[]>
}

export function createDevnetNode(url: string): DevnetNode {
  const batch = async <T>(calls: readonly NodeCall[]): Promise<T[]> => {
    if (calls.length === 0) return []
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const answers = (await response.json()) as Answer[]
    const results = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map((call, id) => resultOf(call, results.get(id)) as T)
  }
  return {
    url,
    batch,
    async call<T>(method: string, ...params: unknown[]) {
      const [result] = await batch<T>([{ method, params }])
      return result as T
    },
  }
}

/**
 * A block of the largest batch is mined in under a second; a machine that is busy with other things
 * gets more.
 */
const CALL_TIMEOUT_MS = 30_000

interface Answer {
  id: number
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

function resultOf({ method }: NodeCall, answer: Answer | undefined): unknown {
  if (answer?.error) throw new DevnetError(`The devnet refused ${method}: ${answer.error.message}`)
  if (!answer) throw new DevnetError(`The devnet did not answer ${method}`)
  return answer.result
}

/** The devnet could not be set up as planned. */
export class DevnetError extends BaseError {
  override readonly name = 'DevnetError'
}
