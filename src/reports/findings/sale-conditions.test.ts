import { describe, expect, test } from 'vitest'
import type { ConditionFacts, SaleConditions } from '../../checks/honeypot/condition-facts.js'
import { levelOf } from '../../checks/levels.js'
import { toConditions, toCoverage } from '../fields/to-conditions.js'
import { findInCode } from './bytecode.js'
import { findInConditions } from './sale-conditions.js'

const condition = (different: Partial<ConditionFacts> = {}): ConditionFacts => ({
  address: '0x00000000000000000000000000000000000a11ce',
  selector: '0x23b872dd',
  pc: 7,
  text: 'slot 7 (1) is set',
  leaves: ['storage'],
  asked: ['0x7'],
  lossBps: 10_000,
  isHarmful: true,
  played: [],
  reach: 'holder',
  unexplained: undefined,
  ...different,
})
const sale = (others: readonly ConditionFacts[], isTruncated = false): SaleConditions => ({
  ...{ ordinary: 5, others, isTruncated },
})
const unexplained = condition({ reach: 'unknown', unexplained: 'it asks for a hash of what changes', pc: 9 })

describe('what a sale depends on', () => {
  test('is no finding where each condition is explained', () => {
    expect(findInConditions(sale([condition(), condition({ isHarmful: false, lossBps: 0 })]))).toEqual([])
  })

  test('is at least a medium risk where one is not, or where there were too many', () => {
    for (const conditions of [sale([condition(), unexplained]), sale([], true)]) {
      const [finding] = findInConditions(conditions)
      expect(levelOf(finding?.score ?? 0)).toBe('Medium Risk')
      expect(finding?.reason).not.toMatch(/0x|slot/)
    }
  })
})

describe('what the code asks of the time or the block', () => {
  const at = { address: condition().address, pc: 7 }
  const code = { riskFlags: [{ id: 'environment-transfer', severity: 'medium', evidence: [at] }] } as never
  const scoreWith = (conditions: SaleConditions | undefined) => levelOf(findInCode(code, [], conditions)[0]?.score ?? 0)

  test('weighs little where that very condition was met in a sale, and is explained', () => {
    expect(scoreWith(sale([condition({ pc: 7 })]))).toBe('Low Risk')
  })

  test('weighs what it does where it was not met, not explained, or not all was kept', () => {
    const others = [undefined, sale([]), sale([condition({ pc: 8 })]), sale([condition({ pc: 7 })], true)]
    for (const each of [...others, sale([{ ...unexplained, pc: 7 }])]) expect(scoreWith(each)).toBe('Medium Risk')
  })
})

describe('the report', () => {
  test('lists what is not explained first, then what does harm otherwise', () => {
    const harmless = condition({ isHarmful: false, lossBps: 100, pc: 1 })
    const listed = toConditions(sale([harmless, condition(), unexplained]))
    expect(listed.map(({ pc, effect, loss }) => [pc, effect, loss])).toEqual([
      [9, 'loss', 100],
      [7, 'loss', 100],
      [1, 'none', 1],
    ])
  })

  test('says how a condition is known', () => {
    const known = [condition({ played: ['crowd'], reach: 'trading' }), condition(), condition({ lossBps: undefined })]
    expect(known.flatMap((each) => toConditions(sale([each]))).map(({ proven }) => proven)).toEqual([
      'played',
      'forced',
      'read',
    ])
  })

  test('counts those that every token has among the explained ones', () => {
    expect(toCoverage(sale([condition(), unexplained]))).toEqual({
      conditions: 7,
      explained: 6,
      isComplete: false,
      unexplained: [expect.stringContaining('slot 7 (1) is set')],
    })
    expect(toCoverage(sale([condition()]))).toEqual({
      ...{ conditions: 6, explained: 6, isComplete: true, unexplained: [] },
    })
    expect(toCoverage(undefined)).toBeNull()
  })
})
