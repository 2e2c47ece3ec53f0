import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chains } from '../src/chains/index.js'
import { findMismatches } from '../src/cli/expectation.js'
import type { HoneypotAnswer, SimulationAnswer } from '../src/cli/wire.js'
import { examplePlans } from '../src/devnet/examples.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

/** What the demo shows, as a test. */
describe.each(chains.map(({ id, name }) => ({ id, name })))('examples on $name', ({ id }) => {
  let service: ServiceOnDevnet
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: id })
  })
  afterAll(() => service?.stop())

  const names = examplePlans.filter(({ chainIds }) => chainIds.includes(id)).map(({ name }) => name)
  test.each(names)('%s is judged as expected', async (name) => {
    const example = service.devnet.examples.find((each) => each.name === name)
    if (!example) throw new Error(`no example ${name}`)
    const { targetContractAddress, expect: expectation } = example
    const simulation = await service.post<SimulationAnswer>('/api/simulate/execute-simulation', targetContractAddress)
    const honeypot = await service.post<HoneypotAnswer>('/api/honeypot/honeypot-checks', targetContractAddress)
    expect(findMismatches(expectation, simulation, honeypot)).toEqual([])
  })
})
