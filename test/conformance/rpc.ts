/** A JSON-RPC client for tests: batches, nothing else. */
export interface TestRpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
  batch<T>(calls: { method: string; params: unknown[] }[]): Promise<T[]>
}

interface Reply {
  id: number
  result?: unknown
  error?: { message: string }
}

export function createTestRpc(url: string): TestRpc {
  const batch = async <T>(calls: { method: string; params: unknown[] }[]): Promise<T[]> => {
    if (calls.length === 0) return []
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const replies = (await response.json()) as Reply[]
    const results = new Array<T>(calls.length)
    for (const { id, result, error } of replies) {
      if (error !== undefined) throw new Error(`${calls[id]?.method}: ${error.message}`)
      results[id] = result as T
    }
    return results
  }
  return {
    batch,
    call: async <T>(method: string, ...params: unknown[]) => (await batch<T>([{ method, params }]))[0] as T,
  }
}
