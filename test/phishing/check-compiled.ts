import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhishingReport } from '../../src/checks/phishing/check-phishing.js'
import type { Address, Hex } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

/** Deploys these for the tests of a file; a check of each by its name. */
export function checkCompiled(codes: ReadonlyMap<string, Hex>): (name: string) => Promise<PhishingReport> {
  let stage: PhishingOnDevnet
  let addresses: Map<string, Address>
  beforeAll(async () => {
    stage = await startPhishingOnDevnet()
    addresses = await stage.deploy(codes)
  })
  afterAll(() => stage?.stop())
  return (name) => stage.check(addresses.get(name) ?? '0x')
}

/** What is to be found, and how bad it is at least. */
export type Expected = Readonly<Record<string, readonly [id: string, least: number]>>

/** One contract in so many is checked, others each day. */
export const SHARE = 8

/** Tests that each of these is found, and is as bad as expected. */
export function testExpected(expected: Expected, check: (name: string) => Promise<PhishingReport>): void {
  test.each(someOf(Object.entries(expected), SHARE))('%s', async (name, [id, least]) => {
    const { riskScore, findings, reason } = await check(name)
    expect(
      findings.map((finding) => finding.id),
      reason,
    ).toContain(id)
    expect(riskScore).toBeGreaterThanOrEqual(least)
  })
}

/** Tests that contracts whose names begin with `Honest` are accused of nothing but trifles. */
export function testHonest(codes: ReadonlyMap<string, Hex>, check: (name: string) => Promise<PhishingReport>): void {
  const honest = [...codes.keys()].filter((name) => name.startsWith('Honest'))
  test.each(someOf(honest, SHARE))('%s', async (name) => {
    const { verdict, reason, findings } = await check(name)
    expect([verdict, findings.filter(({ severity }) => severity !== 'LOW')], reason).toEqual(['SAFE', []])
  })
}
