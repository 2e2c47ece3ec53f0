import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { solanaFamilyCodeOf, toSolanaMember } from '../../src/families/to-solana-member.js'
import { outcomeOf } from '../../src/outcomes/outcome.js'
import { sightOfSolana } from '../../src/outcomes/sight-of.js'
import { judgeSolana } from '../../src/reports/judge-solana.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

const NAMES = [
  ...['plain', 'liquidity in one hand', 'liquidity pulled', 'one wallet', 'freezable', 'fee of 1 %', 'fee of 15 %'],
  ...['hook that denies sales', 'hook that allows all', 'freezable by a multisig'],
]

let stage: SolanaStage
const reports = new Map<string, SolanaTokenReport>()
const of = (name: string) => {
  const report = reports.get(name)
  if (report === undefined) throw new Error(`no report on ${name}`)
  return report
}
const memberOf = (name: string) => toSolanaMember(of(name), judgeSolana(of(name)), 1)
const codeOf = (name: string) => solanaFamilyCodeOf(of(name))

beforeAll(async () => {
  const examples = [...RULES, ...HOOKS, ...MARKETS].filter(({ name }) => NAMES.includes(name))
  stage = await createSolanaStage({ examples })
  for (const name of NAMES) {
    const report = await stage.check({ address: stage.addressOf(name) })
    if (report.kind === 'token') reports.set(name, report)
  }
})
afterAll(() => stage.close())

describe('the family of a mint', () => {
  test('is told by its rules: not by its name, its pool or its fee', () => {
    expect(codeOf('plain')).toBe(codeOf('liquidity in one hand'))
    expect(codeOf('fee of 1 %')).toBe(codeOf('fee of 15 %'))
    expect(codeOf('freezable')).toBe(codeOf('freezable by a multisig'))
    const names = ['plain', 'freezable', 'fee of 1 %', 'hook that denies sales', 'hook that allows all']
    expect(new Set(names.map(codeOf)).size).toBe(names.length)
  })

  test('behaves alike where powers are in the same hands, and taxes of one class', () => {
    expect(memberOf('plain')?.behaviour).toBe(memberOf('liquidity in one hand')?.behaviour)
    expect(memberOf('fee of 1 %')?.behaviour).not.toBe(memberOf('fee of 15 %')?.behaviour)
    expect(memberOf('freezable')?.traits).toContain('power freeze wallet')
    expect(memberOf('freezable by a multisig')?.traits).toContain('power freeze multisig')
  })

  test('remembers what was hostile, and nothing of what has no market or was not judged whole', () => {
    expect(memberOf('hook that denies sales')).toMatchObject({ chainId: 0, isHostile: true, isTurned: false })
    expect(memberOf('plain')).toMatchObject({ isHostile: false, firstLevel: 'Safe' })
    expect(memberOf('one wallet')).toBeUndefined()
    const unfinished = { ...of('plain'), gaps: ['something was not read'] }
    expect(toSolanaMember(unfinished, judgeSolana(unfinished), 1)).toBeUndefined()
  })
})

test('what became of a mint is read from what its pool holds, and from whether it can be sold', () => {
  const before = sightOfSolana(of('plain'))
  if (before === undefined) throw new Error('nothing was seen')
  expect(before).toMatchObject({ isTrap: false, sellTaxBps: 0, depth: 500n * 10n ** 18n })
  const seen = (name: string) => {
    const now = sightOfSolana(of(name))
    return now && outcomeOf(before, now)
  }
  expect(seen('liquidity in one hand')).toBe('fine')
  expect(seen('liquidity pulled')).toBe('drained')
  expect(seen('hook that denies sales')).toBe('shut')
  expect(sightOfSolana({ ...of('plain'), gaps: ['something was not read'] })).toBeUndefined()
})
