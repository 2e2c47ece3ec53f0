import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createTracing } from './create-tracing.js'

interface SentSpan {
  name: string
  spanId: string
  parentSpanId?: string
  status: { code?: number; message?: string }
  attributes: { key: string; value: object }[]
}

let server: Server | undefined
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

/** A collector that keeps what it is sent. */
async function startCollector() {
  const spans: SentSpan[] = []
  server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
      }
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { spans, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('parts of the work are spans below the work itself, with what describes them', async () => {
  const { spans, endpoint } = await startCollector()
  const tracing = await createTracing({ endpoint, version: '1.2.3' })
  const part = tracing.observe('part', async (n: number) => n * 2)
  const work = tracing.observe(
    'work',
    async (n: number) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return part(n)
    },
    (n) => ({ 'assay.chain_id': n }),
  )
  expect(await Promise.all([work(1), work(56)])).toEqual([2, 112])
  await tracing.close()
  const [works, parts] = ['work', 'part'].map((name) => spans.filter((span) => span.name === name))
  expect(works?.map(({ attributes }) => attributes[0]?.key)).toEqual(['assay.chain_id', 'assay.chain_id'])
  expect(parts?.map(({ parentSpanId }) => parentSpanId).toSorted()).toEqual(
    works?.map(({ spanId }) => spanId).toSorted(),
  )
})

test('a failure is passed on, and named without its words', async () => {
  const { spans, endpoint } = await startCollector()
  const tracing = await createTracing({ endpoint, version: '1.2.3' })
  const fails = tracing.observe('work', () => Promise.reject(new TypeError('a secret')))
  await expect(fails()).rejects.toThrow('a secret')
  await tracing.close()
  expect(spans).toMatchObject([{ name: 'work', status: { code: 2, message: 'TypeError' } }])
  expect(JSON.stringify(spans)).not.toContain('a secret')
})

test('without a collector nothing is followed', async () => {
  const tracing = await createTracing({ endpoint: undefined, version: '1.2.3' })
  const work = async () => 7
  expect(tracing.observe('work', work)).toBe(work)
  await tracing.close()
})

test('a collector that is gone fails no work', async () => {
  const tracing = await createTracing({ endpoint: 'http://127.0.0.1:9', version: '1.2.3' })
  expect(await tracing.observe('work', async () => 7)()).toBe(7)
  await tracing.close()
})
