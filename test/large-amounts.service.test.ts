import { afterAll, beforeAll, expect, test } from 'vitest'
import { HONEYPOT, SIMULATE } from './http/test-app.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

let service: ServiceOnDevnet
beforeAll(async () => {
  service = await startServiceOnDevnet({ chainId: 1, examples: ['taxed', 'rising-tax'] })
})
afterAll(() => service.stop())

const ETHER = 10n ** 18n

/** More than a made-up trader has in his pocket: he buys several times in the course of a check. */
test.each([
  ['taxed', 'Low Risk'],
  ['rising-tax', 'Critical Risk'],
])('the verdict on %s is the same for large amounts', async (example, level) => {
  for (const path of [HONEYPOT, SIMULATE])
    for (const amount of [ETHER / 1_000n, 2n * ETHER, 20n * ETHER]) {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
        body: JSON.stringify({
          targetContractAddress: service.addressOf(example),
          chainId: 1,
          amount: String(amount),
        }),
      })
      const { overall } = (await response.json()) as { overall?: { level: string; inconclusive: unknown } }
      expect([path, amount, response.status, overall?.level, overall?.inconclusive]).toEqual([
        path,
        amount,
        200,
        level,
        null,
      ])
    }
})
