import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations } from '../../scripts/trap-compilers.js'
import type { Address } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { expectations, type PhishingExpectation } from './phishing-expectations.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

/** Each compiler's contracts are tried one in so many, other ones for each. */
const SHARE = 18

describe.each(generations)('phishing shapes and their twins, compiled by $label', (generation) => {
  const { label } = generation
  const all = Object.keys(expectations)
  const names = someOf(all, SHARE, generations.indexOf(generation))
  let stage: PhishingOnDevnet
  let addresses: Map<string, Address>

  beforeAll(async () => {
    stage = await startPhishingOnDevnet()
    addresses = await stage.deployAll(label)
  })
  afterAll(() => stage?.stop())

  test('each contract has its expectation', () => {
    expect([...addresses.keys()].toSorted()).toEqual(all.toSorted())
  })

  test.each(names)('%s', async (name) => {
    const report = await stage.check(addresses.get(name) ?? '0x')
    const { verdict, triggered, finding, to, asset } = expectations[name] as PhishingExpectation
    const found = report.findings.find(({ id }) => id === finding)
    expect({
      verdict: report.verdict,
      triggered: report.checks.filter((check) => check.triggered).map((check) => check.name),
      finding: found?.id,
      ...(asset !== undefined && { asset: found?.asset?.symbol ?? 'native' }),
      ...(to !== undefined && { to: whoIs(found?.to, stage.operator) }),
    }).toEqual({
      verdict,
      triggered,
      finding,
      ...(asset !== undefined && { asset }),
      ...(to !== undefined && { to: whoIs(to, stage.operator) }),
    })
    if (to === undefined || found === undefined) return
    // What is in `raw` is what was found, and the trace shows it.
    expect(found.amount).toBeGreaterThan(0n)
    expect(JSON.stringify(found.trace)).toContain(`"to":"${addresses.get(name)}"`)
    const { raw } = report
    if (found.check === 'allowance')
      expect([raw.allowanceDrained, raw.drainedTo, raw.drainedAmount]).toEqual([true, found.to, found.amount])
    if (found.check === 'permit') expect([raw.permitAbused, raw.permitGrantedTo]).toEqual([true, addresses.get(name)])
    if (found.check === 'native') expect([raw.etherForwarded, raw.etherForwardedTo]).toEqual([true, found.to])
  })
})

/** Whoever is neither the operator nor fixed in the code was named by the caller. */
function whoIs(address: string | undefined, operator: Address): string | undefined {
  if (address === operator || address === 'operator') return 'operator'
  return address === undefined || FIXED.includes(address) ? address : 'thief'
}

const FIXED = ['0x1111111111222222222233333333334444444444', '0x5555555555666666666677777777778888888888']
