import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { Address } from '../../src/hex.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from './checks-on-devnet.js'
import { listAll } from './trap-market.js'

/** A trap that counts, one that waits, and two tokens whose taxes depend on what others did. */
const NAMES = ['CounterGateFar', 'DelayedFeeTwin', 'SwapBack', 'PairSellBlock']
const TIMES = 10
/** Of the invented people, who are others in each process. */
const SEED = `0x${'5a'.repeat(32)}` as const
/** Milliseconds: ten checks on a machine that does other things besides. */
const PATIENCE = 180_000

let checks: ChecksOnDevnet
let tokens: Address[]
beforeAll(async () => {
  checks = await startChecksOnDevnet()
  const codes = generations[1] && readCompiledTraps(generations[1])
  const offers = NAMES.map((name) => ({ name, creationCode: codes?.get(name) ?? '0x', after: [] }) as const)
  tokens = await listAll(checks.devnet, offers)
})
afterAll(() => checks?.stop())

test.each(NAMES)(
  'the same request at the same block gives the same answer, ten times out of ten: %s',
  async (name) => {
    const token = tokens[NAMES.indexOf(name)] ?? '0x'
    const reports: HoneypotReport[] = []
    for (let time = 0; time < TIMES; time += 1) reports.push(await checks.honeypotAfresh(token, { traderSeed: SEED }))
    const [first] = reports
    expect(first?.inconclusive).toBeUndefined()
    for (const report of reports) expect(report).toEqual(first)
  },
  PATIENCE,
)

describe('the wrapped coin', () => {
  test('is bought and sold at its counter, without tax and without an accusation', async () => {
    const report = await checks.honeypot(checks.devnet.chain.wrappedNative)
    expect(report).toMatchObject({
      isHoneypot: false,
      isTimeHoneypot: false,
      inconclusive: undefined,
      buyTaxBps: 0,
      sellTaxBps: 0,
    })
  })
})
