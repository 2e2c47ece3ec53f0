import { afterAll, beforeAll, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import type { RecordedSimulation } from '../../src/simulation/record-runs.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from './checks-on-devnet.js'
import { expectations } from './expectations.js'
import { listAll } from './trap-market.js'

/** With conditions that are forced and turned, calls of any address, windows and a crowd. */
const NAMES = ['SellCooldownTwin', 'SecondSell', 'VolumeFee', 'ThreeSales', 'StoredSpender', 'TenSalesTwin']

const simulations: RecordedSimulation[] = []
let checks: ChecksOnDevnet
let tokens: Awaited<ReturnType<typeof listAll>>

beforeAll(async () => {
  checks = await startChecksOnDevnet(1, false, (simulation) => simulations.push(simulation))
  const codes = generations[0] && readCompiledTraps(generations[0])
  const offers = NAMES.map((name) => ({
    name,
    creationCode: codes?.get(name) ?? expect.unreachable(),
    after: expectations[name]?.after ?? [],
  }))
  tokens = await listAll(checks.devnet, offers)
})
afterAll(() => checks?.stop())

test.each(NAMES.map((name, i) => [name, i] as const))(
  'on a node that traces, all trades of a new token are played once: %s',
  async (_, i) => {
    simulations.length = 0
    await checks.honeypot(tokens[i] ?? '0x')
    const trades = simulations.filter(({ scenario }) => scenario === 'timeTravel')
    expect(trades.map(({ rounds, ended }) => [rounds, ended])).toEqual([[[], { how: 'done' }]])
  },
)
