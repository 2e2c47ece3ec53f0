import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { rankPowers } from '../../src/checks/powers/powers-score.js'
import type { Address } from '../../src/hex.js'
import { someOf } from '../some-of.js'
import { expectations, type PowerExpectation } from './power-expectations.js'
import { type SweepStage, startSweepStage } from './sweep-stage.js'

/** Deployed by others, not to be traded. */
const ASSISTANTS = [
  ...['Administrator', 'Delay', 'LooseDelay', 'NoDelay', 'QuickBatch', 'SafeProxy', 'UpgradeableLogic'],
  ...['FixedRegistry', 'Registry', 'Tracker', 'Directory', 'MildJudge', 'SilentDelay'],
  ...['Register', 'RegisterTwin', 'Resolver', 'Names', 'Rule', 'Numbered', 'RegisterProxy', 'Things', 'Chips'],
  ...['HomeLock', 'HomeLockShort', 'HomeLockOpen', 'HomeLockHasty', 'HomeLockChosen', 'NumberedLock'],
  ...['FeeLock', 'FeeLockSwapped', 'PriceBoard'],
]
/** Each compiler's contracts are tried one in so many, other ones for each. */
const SHARE = 28
/** Swept for the test of what is proven twice. */
const PROVEN_ONCE = 'ProxySwap'
/** The second member of a family of clones may cost at most this share of the first one's calls. */
const CLONE_SHARE = 0.1

const [, recent] = generations

describe.each(generations)('powers and their bounded twins, compiled by $label', (generation) => {
  const codes = readCompiledTraps(generation, 'powers')
  if (!codes) throw new Error('contracts/powers has changed. Run: npm run compile:traps -- powers')
  const all = Object.keys(expectations).filter((name) => codes.has(name))
  const some = someOf(all, SHARE, generations.indexOf(generation))
  const names = [...new Set([...some, PROVEN_ONCE])]
  let stage: SweepStage
  let addresses: Map<string, Address>

  beforeAll(async () => {
    stage = await startSweepStage()
    const offers = names.map((name) => ({
      ...{ name, creationCode: codes.get(name) ?? ('0x' as const) },
      after: expectations[name]?.after ?? [],
    }))
    const tokens = await stage.list(offers)
    addresses = new Map(tokens.map((token, i) => [names[i] ?? '', token]))
  })
  afterAll(() => stage?.stop())

  test('each contract has its expectation', () => {
    expect([...codes.keys()].filter((name) => !(name in expectations) && !ASSISTANTS.includes(name))).toEqual([])
  })

  test.each(names)('%s', async (name) => {
    const { facts, verdict } = await stage.sweep(addresses.get(name) ?? '0x')
    const expected: PowerExpectation = expectations[name] ?? { status: 'Safe' }
    expect(facts.unfinished).toBe(expected.unfinished ?? '')
    expect(verdict).toMatchObject({ level: expected.status })
    expect(verdict.reason).toContain(expected.warning ?? '')
    expect(mistakes(expected, rankPowers(facts.powers))).toEqual([])
    if (generation !== recent) return
    // What is remembered of a code spares work, and never changes what is said.
    const again = await stage.sweep(addresses.get(name) ?? '0x', facts.recipes)
    expect(again.verdict).toEqual(verdict)
  })

  test('nothing is proven twice as the same function of the same holder', async () => {
    const { facts } = await stage.sweep(addresses.get(PROVEN_ONCE) ?? '0x')
    expect(facts.powers.map(({ effect }) => effect)).toEqual(['replaces-code'])
  })
})

/** What a function that proved nothing is said to do. */
const QUIET: readonly string[] = ['none', 'untried']

function mistakes(expected: PowerExpectation, powers: ReturnType<typeof rankPowers>): string[] {
  const [worst] = powers
  const found: string[] = []
  const compare = (what: string, is: unknown, shouldBe: unknown) => {
    if (shouldBe !== undefined && is !== shouldBe) found.push(`${what} is ${is}, not ${shouldBe}`)
  }
  if (expected.effect === undefined && expected.loss === undefined)
    compare('effect', powers.find(({ effect }) => !QUIET.includes(effect))?.effect ?? 'none', 'none')
  compare('effect', worst?.effect, expected.effect)
  compare('holder', worst?.holder.kind, expected.holder)
  compare('loss', worst && worst.lossBps / 100, expected.loss)
  compare('delay', worst?.holder.delaySeconds, expected.delaySeconds)
  compare('hidden', worst?.holder.isHidden, expected.isHidden)
  compare('steps', worst?.proof?.steps.length, expected.steps)
  compare('reversible', worst?.isReversible, expected.isReversible)
  if (expected.also) {
    const other = powers.find(({ effect }) => effect === expected.also?.effect)
    compare(`loss by ${expected.also.effect}`, other && other.lossBps / 100, expected.also.loss)
  }
  return found
}

describe('a sweep', () => {
  let stage: SweepStage
  beforeAll(async () => {
    stage = await startSweepStage()
  })
  afterAll(() => stage?.stop())

  const codeOf = (name: string) => (recent && readCompiledTraps(recent, 'powers')?.get(name)) ?? '0x'
  const list = (...names: string[]) =>
    stage.list(names.map((name) => ({ name, creationCode: codeOf(name), after: [] })))

  test('of a clone costs at most a tenth of the calls of the first, and says the same', async () => {
    const [first, second] = await list('SharedFeeBound', 'SharedFeeBound')
    const original = await stage.sweep(first ?? '0x')
    const clone = await stage.sweep(second ?? '0x', original.facts.recipes)
    expect(clone.facts.effort.calls).toBeLessThanOrEqual(original.facts.effort.calls * CLONE_SHARE)
    const tell = ({ facts }: typeof clone) => facts.powers.map(({ effect, lossBps }) => ({ effect, lossBps }))
    expect(tell(clone)).toEqual(tell(original))
  })

  test('of a clone with another mask learns nothing from the harmless first', async () => {
    const [mild, harsh] = await list('MaskedFeeTwin', 'MaskedFee')
    const { facts } = await stage.sweep(mild ?? '0x')
    const alone = await stage.sweep(harsh ?? '0x')
    const after = await stage.sweep(harsh ?? '0x', facts.recipes)
    expect(after.facts.powers.map(({ effect }) => effect)).toContain('blocks-sells')
    expect(after.verdict).toEqual(alone.verdict)
  })

  test('does the same each time, in the same order', async () => {
    const [token] = await list('LimitBehindSwitch')
    const [once, again] = [await stage.sweep(token ?? '0x'), await stage.sweep(token ?? '0x')]
    const outline = ({ facts }: typeof once) => ({
      effort: facts.effort,
      powers: facts.powers.map(({ selector, effect, lossBps, tried }) => ({ selector, effect, lossBps, tried })),
    })
    expect(outline(again)).toEqual(outline(once))
  })
})
