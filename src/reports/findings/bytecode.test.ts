import { describe, expect, test } from 'vitest'
import { levelOf } from '../../checks/levels.js'
import type { Holder, Power } from '../../checks/powers/power.js'
import type { Address } from '../../hex.js'
import { findInCode } from './bytecode.js'

const ADMIN: Address = '0x000000000000000000000000000000000000ad41'
const OTHER: Address = '0x0000000000000000000000000000000000000bad'

/** A proxy as code tells it: both places lie in its fallback, which no selector names. */
const proxy = (...holders: (string | undefined)[]) =>
  ({
    riskFlags: [{ id: 'hidden-proxy', severity: 'medium', evidence: holders.map((holder) => ({ pc: 1, holder })) }],
  }) as never

const exchange = (address: Address, different: Partial<Power> = {}): Power => ({
  ...{ contract: OTHER, selector: '0x4f1ef286', argumentTypes: 'address,bytes', tried: 1 },
  holder: { kind: 'timelock', address, delaySeconds: 2_592_000, isHidden: false } satisfies Holder,
  ...{ effect: 'replaces-code', lossBps: 10_000, worstCase: '', isBounded: false, isReversible: false },
  proof: { steps: [], outcome: '' },
  ...different,
})

const levelWith = (code: never, powers: readonly Power[]) => levelOf(findInCode(code, powers, undefined)[0]?.score ?? 0)

describe('a proxy in the code', () => {
  test('weighs little beside the powers of all who were seen to exchange what is behind it', () => {
    expect(levelWith(proxy(ADMIN, ADMIN), [exchange(ADMIN)])).toBe('Low Risk')
  })

  test('weighs what it does where one of its holders was not seen to, or is not known', () => {
    for (const holders of [[ADMIN, OTHER], ['not known'], [undefined], [`${ADMIN}, ${OTHER}`]])
      expect(levelWith(proxy(...holders), [exchange(ADMIN)])).toBe('Medium Risk')
  })

  test('weighs what it does where the exchange was not made', () => {
    for (const power of [exchange(ADMIN, { effect: 'untried' }), exchange(ADMIN, { proof: undefined })])
      expect(levelWith(proxy(ADMIN), [power])).toBe('Medium Risk')
  })
})
