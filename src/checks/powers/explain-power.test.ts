import { expect, test } from 'vitest'
import { explainPower, headlineOfPower } from './explain-power.js'
import type { Holder, Power } from './power.js'

const HOUR = 3_600

const power = (holder: Partial<Holder>): Power => ({
  ...{ contract: '0x02', selector: '0x69fe0e2d', argumentTypes: 'bool', effect: 'blocks-sells', lossBps: 10_000 },
  ...{ tried: 1, worstCase: 'it happened', isBounded: false, isReversible: undefined },
  proof: { steps: [], outcome: 'it happened' },
  holder: { kind: 'account', address: '0x01', delaySeconds: 0, isHidden: false, ...holder },
})

test.each([
  [0, 'All sells can be stopped.', 'One wallet can stop all sells, as'],
  [23 * HOUR, 'All sells can be stopped.', 'One wallet can stop all sells, as'],
  [
    24 * HOUR,
    "All sells can be stopped, with a day's notice.",
    "One wallet can stop all sells with a day's notice, as",
  ],
  [
    71 * HOUR,
    "All sells can be stopped, with 2 days' notice.",
    "One wallet can stop all sells with 2 days' notice, as",
  ],
])('a notice of %s seconds is said where it leaves time to go', (delaySeconds, headline, reason) => {
  const of = power({ delaySeconds })
  expect(headlineOfPower(of)).toBe(headline)
  expect(explainPower(of)).toContain(reason)
})

test("a timelock's delay is said once", () => {
  const reason = explainPower(power({ kind: 'timelock', delaySeconds: 48 * HOUR }))
  expect(reason).toContain('A timelock with a delay of 48 hours can stop all sells, as')
})
