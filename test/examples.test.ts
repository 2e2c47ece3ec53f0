import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chains } from '../src/chains/index.js'
import { findMismatches } from '../src/cli/expectation.js'
import type { HoneypotAnswer, SimulationAnswer } from '../src/cli/wire.js'
import { readConfig } from '../src/config.js'
import { examplePlans } from '../src/devnet/examples.js'
import { type Devnet, startDevnet } from '../src/devnet/start-devnet.js'
import { issueKey } from '../src/keys/issue.js'
import { type RunningService, startService } from '../src/start-service.js'

/** The whole service on a devnet of each chain, asked over HTTP: what the demo shows, as a test. */
describe.each(chains.map(({ id, name }) => ({ id, name })))('examples on $name', ({ id }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-'))
  let devnet: Devnet
  let service: RunningService
  let apiKey: string

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: id })
    const env = { [`ASSAY_RPC_${id}`]: devnet.url, HOST: '127.0.0.1', PORT: '0', ASSAY_DATA_DIR: dataDir }
    service = await startService(readConfig({ ...env, ASSAY_LOG_LEVEL: 'fatal' }))
    const { keyStore: store, clock } = service
    apiKey = (await issueKey({ store, clock }, { label: 'test', tier: 'partner' })).key
  })
  afterAll(async () => {
    await service?.stop()
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function ask<Answer>(path: string, targetContractAddress: string): Promise<Answer> {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ targetContractAddress, chainId: id }),
    })
    return (await response.json()) as Answer
  }

  test.each(examplePlans.filter(({ chainIds }) => chainIds.includes(id)).map(({ name }) => name))(
    '%s is judged as expected',
    async (name) => {
      const example = devnet.examples.find((each) => each.name === name)
      if (!example) throw new Error(`no example ${name}`)
      const { targetContractAddress, expect: expectation } = example
      const simulation = await ask<SimulationAnswer>('/api/simulate/execute-simulation', targetContractAddress)
      const honeypot = await ask<HoneypotAnswer>('/api/honeypot/honeypot-checks', targetContractAddress)
      expect(findMismatches(expectation, simulation, honeypot)).toEqual([])
    },
  )
})
