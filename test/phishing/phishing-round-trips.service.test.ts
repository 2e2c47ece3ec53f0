import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

/** HTTP requests to the node for one phishing check. */
let proxy: FaultProxy
let service: ServiceOnDevnet
beforeAll(async () => {
  const options = { chainId: 1, examples: ['drainer', 'fake-mint', 'not-a-token'] }
  service = await startServiceOnDevnet(options, {
    async nodeUrls(url) {
      proxy = await startFaultProxy(url)
      return [proxy.url]
    },
  })
  // What every victim owns is learnt from the first check, as a service that runs has.
  await count('not-a-token')
})
afterAll(async () => {
  await service?.stop()
  await proxy?.close()
})

async function count(example: string): Promise<number> {
  proxy.reset()
  const answer = await service.post<{ isEmpty: boolean; inconclusive: boolean }>(
    '/api/phishing/phishing-checks',
    service.addressOf(example),
    { only: true },
  )
  expect(answer).toMatchObject({ isEmpty: false })
  return proxy.seen.http
}

/** None while the head is shared, which is until the next block is due; one after that. */
test('a new contract takes at most three, the same one again at most one', async () => {
  expect(await count('drainer')).toBeLessThanOrEqual(3)
  expect(await count('drainer')).toBeLessThanOrEqual(1)
  expect(await count('fake-mint')).toBeLessThanOrEqual(3)
})
