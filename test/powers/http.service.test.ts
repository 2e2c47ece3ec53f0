import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PowerBody } from '../../src/reports/honeypot/power-schema.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

interface Answer {
  honeypotResponse: {
    isHoneypot: boolean
    sellTax: number
    riskScore: number
    trustStatus: string
    humanWarning: string
    powers: PowerBody[]
    powersTried: { calls: number; unfinished: string | null } | null
  }
}

let service: ServiceOnDevnet
beforeAll(async () => {
  service = await startServiceOnDevnet({ chainId: 1, examples: ['owner-can-close', 'clean'] })
  // Threads start, and learn what the node can do.
  for (const example of ['clean', 'owner-can-close']) await check(example)
})
afterAll(() => service?.stop())

const check = async (example: string) =>
  (await service.post<Answer>('/api/honeypot/honeypot-checks', service.addressOf(example))).honeypotResponse

test('a token that trades perfectly is High Risk when its owner alone decides who sells, and the answer proves it', async () => {
  const { isHoneypot, sellTax, riskScore, trustStatus, humanWarning, powers } = await check('owner-can-close')
  expect({ isHoneypot, sellTax, riskScore, trustStatus }).toEqual({
    ...{ isHoneypot: false, sellTax: 0, riskScore: 80, trustStatus: 'High Risk' },
  })
  expect(humanWarning).toContain(
    'One wallet can stop all sells while purchases go on, as was shown on a copy of the chain.',
  )
  expect(powers[0]).toMatchObject({
    effect: 'blocks-sells',
    loss: 100,
    isReversible: true,
    holder: { kind: 'account' },
  })
  expect(powers[0]?.proof?.steps).toMatchObject([{ from: powers[0]?.holder.address, to: powers[0]?.contract }])
})

test('a token without privileged roles is blamed for none', async () => {
  expect(await check('clean')).toMatchObject({
    trustStatus: expect.stringMatching(/^(Safe|Low Risk)$/),
    powers: [],
    powersTried: { unfinished: null },
  })
})
