import { expect, test } from 'vitest'
import { BaseError } from '../errors.js'
import { RpcBudgetError } from '../rpc/budget.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { createMetrics } from './create-metrics.js'
import { serveMetrics } from './serve-metrics.js'

const stats = { httpRequests: 7, calls: 30, bytesReceived: 1_000, failures: 2 }

function setUp(queueDepth = async () => 3) {
  const metrics = createMetrics()
  metrics.watch({
    machine: { waitedShare: () => 0.25 },
    nodes: new Map([
      [
        'Ethereum',
        () => ({
          ...stats,
          endpoints: [{ ...stats, label: '0 …example', isUsable: false, queued: 3, capabilities: undefined }],
        }),
      ],
    ]),
    memory: () => ({ blockBytes: 1, codeBytes: 2, readSetBytes: 3 }),
    slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 }),
    queueDepth,
    watchedChains: async () =>
      new Map([
        ['Ethereum', 1_700_000_000_500],
        ['Base', undefined],
      ]),
  })
  return metrics
}

test('counts each use of a check with how it ended', async () => {
  const metrics = setUp()
  const check = metrics.observe('simulation', async (isGood: boolean) => {
    if (!isGood) throw new Error('no node')
    return 'report'
  })
  expect(await check(true)).toBe('report')
  await expect(check(false)).rejects.toThrow('no node')
  const text = await metrics.render()
  expect(text).toMatch(/assay_check_duration_seconds_count\{.*outcome="report".*\} 1/)
  expect(text).toMatch(/assay_check_duration_seconds_count\{.*outcome="failure".*\} 1/)
})

test('counts budgets that were used up, and no other failure', async () => {
  const metrics = setUp()
  metrics.countExhaustion('simulate', new RpcBudgetError('out of time'))
  metrics.countExhaustion('simulate', new BaseError('wrapped', { cause: new RpcBudgetError('out of calls') }))
  metrics.countExhaustion('simulate', new BaseError('Analysis resisted: steps'))
  metrics.countExhaustion('simulate', new BaseError('The node did not answer'))
  metrics.countExhaustion('simulate', 'nothing')
  expect(await metrics.render()).toContain('assay_budget_exhaustions_total{check="simulate"} 3')
})

test('counts what was remembered, and what was not', async () => {
  const metrics = setUp()
  metrics.countLookup('answers', true)
  metrics.countLookup('answers', true)
  metrics.countLookup('answers', false)
  metrics.countLookup('Solana programs', true)
  const text = await metrics.render()
  expect(text).toContain('assay_cache_lookups_total{cache="answers",outcome="hit"} 2')
  expect(text).toContain('assay_cache_lookups_total{cache="answers",outcome="miss"} 1')
  expect(text).toContain('assay_cache_lookups_total{cache="Solana programs",outcome="hit"} 1')
})

test('tells of nodes by their labels, of the queue and of memory', async () => {
  const text = await setUp().render()
  expect(text).toContain('assay_rpc_requests_total{chain="Ethereum",endpoint="0 …example"} 7')
  expect(text).toContain('assay_rpc_usable{chain="Ethereum",endpoint="0 …example"} 0')
  expect(text).toContain('assay_rpc_queued{chain="Ethereum",endpoint="0 …example"} 3')
  expect(text).toContain('assay_queue_depth 3')
  expect(text).toContain('assay_watch_reached_seconds{chain="Ethereum"} 1700000000.5')
  expect(text).toContain('assay_watch_reached_seconds{chain="Base"} 0')
  expect(text).toContain('assay_memory_bytes{of="codes"} 2')
  expect(text).toContain('assay_analyses{state="waiting"} 0')
})

test('a queue that cannot be asked is not an empty one, and hides nothing else', async () => {
  const text = await setUp(() => Promise.reject(new Error('down'))).render()
  expect(text).toContain('assay_queue_depth Nan')
  expect(text).toContain('assay_rpc_requests_total{')
})

test('is served at one path of a port of its own', async () => {
  const server = await serveMetrics(setUp(), { host: '127.0.0.1', port: 0 })
  const response = await fetch(server.url)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect(await response.text()).toContain('assay_queue_depth 3')
  expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404)
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404)
  const port = Number(new URL(server.url).port)
  await expect(serveMetrics(setUp(), { host: '127.0.0.1', port })).rejects.toThrow(
    `Cannot serve metrics on port ${port}`,
  )
  await server.stop()
})
