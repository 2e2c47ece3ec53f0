import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

let service: ServiceOnDevnet
let proxy: FaultProxy | undefined
beforeAll(async () => {
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean', 'taxed'] },
    {
      env: { ASSAY_SECOND_OPINIONS: '1', ASSAY_METRICS_PORT: '0' },
      async nodeUrls(url) {
        proxy = await startFaultProxy(url)
        return [proxy.url]
      },
    },
  )
})
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
})

interface Answer {
  checks: { simulateResult: { success: boolean; errorReason: string; buyTax: string } }
}

async function opinionsIn(metricsUrl = ''): Promise<string[]> {
  const text = await (await fetch(metricsUrl)).text()
  return [...text.matchAll(/assay_second_opinions_total\{chain="Ethereum",opinion="(\w+)"\}/g)].map(
    ([, each]) => each ?? '',
  )
}

test('a service asks again by itself, counts what it hears, and answers as it would without', async () => {
  const ask = (example: string) =>
    service.post<Answer>('/api/simulate/execute-simulation', service.addressOf(example), { only: true })
  const honest = { success: true, errorReason: '' }
  expect((await ask('clean')).checks.simulateResult).toMatchObject({ ...honest, buyTax: '0' })
  await expect.poll(() => opinionsIn(service.metricsUrl), { timeout: 20_000 }).toEqual(['agrees'])

  proxy?.inject({
    name: 'lies',
    method: 'debug_traceCall',
    answer: (truth, { params }) =>
      JSON.stringify(params).includes('"callTracer"') &&
      JSON.stringify(params).includes(service.devnet.chain.v2[0]?.router ?? '?')
        ? { ...truth, result: { ...(truth.result as object), gasUsed: '0x1' } }
        : truth,
  })
  expect((await ask('taxed')).checks.simulateResult).toMatchObject({ ...honest, buyTax: '5' })
  await expect.poll(() => opinionsIn(service.metricsUrl), { timeout: 20_000 }).toContain('differs')
})
