import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chains } from '../src/chains/index.js'
import { findMismatches } from '../src/cli/expectation.js'
import type { HoneypotAnswer, PhishingAnswer } from '../src/cli/wire.js'
import { examplePlans } from '../src/devnet/examples.js'
import type { SimulationReport } from '../src/reports/simulation/schema.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'
import { someOf } from './some-of.js'

/** One example in so many, other ones on each chain. */
const SHARE = 20

/** What the demo shows, as a test. */
describe.each(chains.map(({ id, name }) => ({ id, name })))('examples on $name', ({ id }) => {
  const all = examplePlans.filter(({ chainIds }) => chainIds.includes(id)).map(({ name }) => name)
  const turn = chains.findIndex((chain) => chain.id === id)
  const names = someOf(all, SHARE, turn)
  let service: ServiceOnDevnet
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: id, examples: names })
  })
  afterAll(() => service?.stop())

  test.each(names)('%s is judged as expected', async (name) => {
    const example = service.devnet.examples.find((each) => each.name === name)
    if (!example) throw new Error(`no example ${name}`)
    const { targetContractAddress, expect: expectation } = example
    const path = '/api/simulate/execute-simulation'
    const simulation = await service.post<SimulationReport>(path, targetContractAddress)
    const honeypot = await service.post<HoneypotAnswer>('/api/honeypot/honeypot-checks', targetContractAddress)
    const phishing = await service.post<PhishingAnswer>('/api/phishing/phishing-checks', targetContractAddress)
    expect(findMismatches(expectation, { simulation, honeypot, phishing })).toEqual([])
    for (const { id, evidence } of simulation.checks.byteCodeResult.riskFlags) {
      expect(
        evidence.map(({ address }) => address),
        id,
      ).toContainEqual(expect.stringMatching(/^0x[0-9a-f]{40}$/i))
      expect(
        evidence.some(({ selector, pc, slot }) => (selector ?? pc ?? slot) !== undefined),
        id,
      ).toBe(true)
    }
  })
})
