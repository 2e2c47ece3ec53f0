import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import type { BytecodeReport } from '../../src/checks/bytecode/bytecode-report.js'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { TradeReport } from '../../src/checks/trade/trade-report.js'
import type { Address } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from './checks-on-devnet.js'
import { expectations, type TrapExpectation } from './expectations.js'
import { listAll } from './trap-market.js'

/** Each compiler's contracts are tried one in so many, other ones for each. */
const SHARE = 30

/** Deployed by others, not to be traded. */
const ASSISTANTS = [
  'AccountList',
  'Bell',
  'CallbackGuard',
  'DollarLogic',
  'FeeTable',
  'Halving',
  'Moving',
  'Receipt',
  'Tally',
]

describe.each(generations)('traps and their twins, compiled by $label', (generation) => {
  const codes = readCompiledTraps(generation)
  if (!codes) throw new Error('contracts/traps has changed. Run: npm run compile:traps')
  const all = Object.keys(expectations).filter((name) => codes.has(name))
  const names = someOf(all, SHARE, generations.indexOf(generation))
  let checks: ChecksOnDevnet
  let addresses: Map<string, Address>

  beforeAll(async () => {
    checks = await startChecksOnDevnet()
    const offers = names.map((name) => ({
      name,
      creationCode: codes.get(name) ?? '0x',
      after: expectations[name]?.after ?? [],
    }))
    const tokens = await listAll(checks.devnet, offers)
    addresses = new Map(tokens.map((token, i) => [names[i] ?? '', token]))
  })
  afterAll(() => checks?.stop())

  test('each contract has its expectation', () => {
    expect([...codes.keys()].filter((name) => !(name in expectations) && !ASSISTANTS.includes(name))).toEqual([])
  })

  test.each(names)('%s', async (name) => {
    const address = addresses.get(name) ?? '0x'
    const honeypot = await checks.honeypot(address)
    const { trade, bytecode } = await checks.simulation(address)
    if ('failed' in trade) throw new Error(trade.errorReason)
    if ('failed' in bytecode) throw new Error(bytecode.errorReason)
    const expected = expectations[name] ?? {}
    expect([...mistakes(expected, honeypot, trade), ...flagMistakes(expected, bytecode)]).toEqual([])
  })
})

function flagMistakes({ flags = [], absentFlags = [] }: TrapExpectation, { riskFlags }: BytecodeReport): string[] {
  const raised = riskFlags.filter(({ threatLevel }) => threatLevel !== 'LOW').map(({ id }) => id)
  return [
    ...flags.filter((id) => !raised.includes(id)).map((id) => `${id} is not flagged`),
    ...absentFlags.filter((id) => raised.includes(id)).map((id) => `${id} is flagged`),
  ]
}

/** Percent; what rounding and the price's own movement come to. */
const TAX_TOLERANCE = 0.1

function mistakes(expected: TrapExpectation, report: HoneypotReport, { isHoneypot }: TradeReport): string[] {
  const found: string[] = []
  const compare = (what: string, is: unknown, shouldBe: unknown) => {
    if (String(is) !== String(shouldBe)) found.push(`${what} is ${is}, not ${shouldBe}`)
  }
  const compareTax = (what: string, bps: number | undefined, percent: number | undefined) => {
    if (percent === undefined) return
    if (bps === undefined || Math.abs(bps / 100 - percent) > TAX_TOLERANCE)
      found.push(`${what} is ${bps}, not ${percent} %`)
  }
  compare('isHoneypot', report.isHoneypot, expected.isHoneypot ?? false)
  compare('isTimeHoneypot', report.isTimeHoneypot, expected.isTimeHoneypot ?? false)
  if (!expected.byChance) compare('simulated', isHoneypot, expected.simulated ?? expected.isHoneypot ?? false)
  compareTax('buy tax', report.buyTaxBps, expected.buyTax)
  compareTax('sell tax', report.sellTaxBps, expected.sellTax)
  if (!expected.byChance)
    compare('findings', report.findings.map(({ id }) => id).toSorted(), [...(expected.findings ?? [])].toSorted())
  const isAsExpected = expected.inconclusive
    ? report.inconclusive?.includes(expected.inconclusive)
    : report.inconclusive === undefined
  if (!isAsExpected) found.push(`inconclusive is ${report.inconclusive}`)
  if (!expected.isTimeHoneypot && !expected.nextChange) compare('next change', report.nextChange, undefined)
  compareTax('sell tax after the next change', report.nextChange?.sellTaxBps, expected.nextChange?.sellTax)
  if (
    report.isHoneypot &&
    report.windows[0]?.errorReason.startsWith('sell') &&
    report.causes.length === 0 &&
    !report.windows[0].errorReason.includes('out of gas')
  )
    found.push('no cause is given')
  return found
}
